"""Links of a text with their whole address, for readers that do not know where the text is from.

The text stays as it was typed but for the targets of its links. Only the library knows what is a
link, and it does not tell where. So a mark is set at each place where a target may begin, and the
library says of which marks it makes targets.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import count
from urllib.parse import urljoin

from catalogue.markdown.measuring import measured_reading
from catalogue.markdown.source import read

ATTEMPTS = 32
"""Renderings of one text at most, where a mark changes what another part of the text means."""

# After `](` of a link or an image, and after `[label]:` of a definition; a target may stand in the
# next line, which begins with `>` in a quote, and in `<…>`. An address with a scheme stays.
_PLACE = re.compile(
    r"(?:\]\(|\[(?!\^)(?:[^\[\]\\]|\\.){1,999}\]:)"
    r"[ \t]*(?:\n[ \t>]*)?<?(?=[^\s<>)])(?!(?:https?|mailto):)",
    re.DOTALL,
)
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_WORD = re.compile(r"zq[0-9]+q")


def with_absolute_links(markdown: str, page: str, prefix: str = "") -> str:
    """The text of a page with absolute targets; `page` is the page's own address, absolute.

    `prefix` begins the names of the text's headings on that page. Raises `LimitExceeded`.
    """
    reading = measured_reading(markdown)
    places = [found.end() for found in _PLACE.finditer(markdown)]
    targets = targets_at(markdown, reading.html, places, [ATTEMPTS])
    return replaced(
        markdown,
        (
            change(markdown, place, target, page, prefix)
            for place, target in sorted(targets.items())
            if not _SCHEME.match(target)
        ),
    )


def targets_at(
    markdown: str, html: str, places: Sequence[int], attempts: list[int]
) -> dict[int, str]:
    """Those of the places where a target begins, each with that target.

    `html` is the text without marks. Where marks change more of it than targets, each half of the
    places is tried without the other, as often as `attempts` allows.
    """
    if not places or not attempts[0]:
        return {}
    attempts[0] -= 1
    name = unused(markdown)
    mark = re.compile(rf"{name}(\d+),")
    marks = ((place, 0, f"{name}{number},") for number, place in enumerate(places))
    reading = read(replaced(markdown, marks))
    if mark.sub("", reading.html) == html:
        found = ((mark.match(target), target) for target in reading.targets)
        return {places[int(at[1])]: mark.sub("", target) for at, target in found if at}
    half = len(places) // 2
    if not half:
        return {}
    return targets_at(markdown, html, places[:half], attempts) | targets_at(
        markdown, html, places[half:], attempts
    )


def unused(markdown: str) -> str:
    """A word that the text does not have; it is short, as there may be one at each place."""
    taken = set(_WORD.findall(markdown))
    return next(word for word in map("zq{}q".format, count()) if word not in taken)


def replaced(text: str, changes: Iterable[tuple[int, int, str]]) -> str:
    """The text with changes in their order: where, how many characters go, and what comes."""
    parts: list[str] = []
    end = 0
    for place, length, new in changes:
        parts += [text[end:place], new]
        end = place + length
    return "".join((*parts, text[end:]))


def change(markdown: str, place: int, target: str, page: str, prefix: str) -> tuple[int, int, str]:
    """The change that makes a target absolute.

    One that is typed with escapes keeps them: only what is missing comes before it.
    """
    if not markdown.startswith(target, place):
        return place, 0, missing(target, page)
    if target.startswith("#"):
        return place, 1, f"{page}#{prefix}"
    try:
        return place, len(target), urljoin(page, target)
    except ValueError:  # an address that cannot be read, such as `//[`, leads nowhere
        return place, 0, ""


def missing(target: str, page: str) -> str:
    """What of an absolute address a relative one lacks at its beginning (RFC 3986, 5.2)."""
    scheme, _, rest = page.partition("://")
    if target.startswith("//"):
        return f"{scheme}:"
    if target.startswith("/"):
        return f"{scheme}://{rest.partition('/')[0]}"
    if target.startswith(("?", "#")):
        return page
    return page.rpartition("/")[0] + "/"
