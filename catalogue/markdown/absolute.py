"""Texts with absolute links, for programs that do not know the address of the page.

Only the targets of links change. The Markdown library knows the links of a text, but not their
positions. So a mark is inserted at each position where a target may begin, and the marks that
appear in the targets of the rendered text show the positions of the links.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import count
from urllib.parse import urljoin

from catalogue.markdown.source import read

MAX_RENDERINGS = 32
"""Limit for one text, which is rendered again if a mark changed another part of it."""

# A target begins after `](` of a link or an image, or after `[label]:` of a definition. It may be
# in the next line, which begins with `>` in a quote, and in `<…>`. Absolute targets are left out.
_TARGET_START = re.compile(
    r"(?:\]\(|\[(?!\^)(?:[^\[\]\\]|\\.){1,999}\]:)"
    r"[ \t]*(?:\n[ \t>]*)?<?(?=[^\s<>)])(?!(?:https?|mailto):)",
    re.DOTALL,
)
_ABSOLUTE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_MARK_WORD = re.compile(r"zq[0-9]+q")


def with_absolute_links(markdown: str, page: str, prefix: str = "") -> str:
    """Return the text of a page with absolute targets; `page` is the absolute address of the page.

    `prefix` begins the names of the text's headings on that page.
    """
    reading = read(markdown)
    places = [match.end() for match in _TARGET_START.finditer(markdown)]
    targets = targets_at(markdown, reading.html, places, [MAX_RENDERINGS])
    return apply_changes(
        markdown,
        (
            change_at(markdown, place, target, page, prefix)
            for place, target in sorted(targets.items())
            if not _ABSOLUTE.match(target)
        ),
    )


def targets_at(
    markdown: str, html: str, places: Sequence[int], attempts: list[int]
) -> dict[int, str]:
    """Return the places where a target begins, each with its target.

    `html` is the rendered text without marks. If marks change anything except targets, each half of
    the places is tried separately, while `attempts` is greater than zero.
    """
    if not places or not attempts[0]:
        return {}
    attempts[0] -= 1
    name = unused_word(markdown)
    mark = re.compile(rf"{name}(\d+),")
    marks = ((place, 0, f"{name}{number},") for number, place in enumerate(places))
    reading = read(apply_changes(markdown, marks))
    if mark.sub("", reading.html) == html:
        matches = ((mark.match(target), target) for target in reading.targets)
        return {places[int(at[1])]: mark.sub("", target) for at, target in matches if at}
    half = len(places) // 2
    if not half:
        return {}
    return targets_at(markdown, html, places[:half], attempts) | targets_at(
        markdown, html, places[half:], attempts
    )


def unused_word(markdown: str) -> str:
    """Return a word that the text does not contain; it is short because it is inserted often."""
    taken = set(_MARK_WORD.findall(markdown))
    return next(word for word in map("zq{}q".format, count()) if word not in taken)


def apply_changes(text: str, changes: Iterable[tuple[int, int, str]]) -> str:
    """Apply sorted changes to a text: position, number of characters to remove, text to insert."""
    parts: list[str] = []
    end = 0
    for place, length, new in changes:
        parts += [text[end:place], new]
        end = place + length
    return "".join((*parts, text[end:]))


def change_at(
    markdown: str, place: int, target: str, page: str, prefix: str
) -> tuple[int, int, str]:
    """Return the change that makes a target absolute.

    If a target is typed with escapes, the missing beginning is inserted, so that they stay.
    """
    if not markdown.startswith(target, place):
        return place, 0, missing_prefix(target, page)
    if target.startswith("#"):
        return place, 1, f"{page}#{prefix}"
    try:
        return place, len(target), urljoin(page, target)
    except ValueError:  # an address that cannot be read, such as `//[`, leads nowhere
        return place, 0, ""


def missing_prefix(target: str, page: str) -> str:
    """Return the beginning that a relative address lacks (RFC 3986, section 5.2)."""
    scheme, _, rest = page.partition("://")
    if target.startswith("//"):
        return f"{scheme}:"
    if target.startswith("/"):
        return f"{scheme}://{rest.partition('/')[0]}"
    if target.startswith(("?", "#")):
        return page
    return page.rpartition("/")[0] + "/"
