"""Texts with other targets: absolute ones, for programs that do not know the address of the page,
and those of renamed rows.

Only the targets of links change. The Markdown library knows the links of a text, but not the
positions of their targets, and a pattern cannot tell a link from code. So a mark is inserted at
each position where a target may begin, and the marks that appear in the targets of the rendered
text show the positions of the links.
"""

import re
from collections.abc import Mapping
from urllib.parse import urljoin

from catalogue.texts.markdown.plain import apply_changes
from catalogue.texts.markdown.source import read, render_html

# A target may be in the next line, which begins with `>` in a quote, and in `<…>`. Left out are
# those that begin a list, a heading or code in their line.
_GAP = r"[ \t]*(?:\n[ \t>]*)?"
_WORD = r"(?:[^\s()<>\\]|\\.|\((?:[^\s()\\]|\\.|\([^\s()\\]*\))*\))+"
_TITLE = r"""(?:(?:[ \t]*\n)?[ \t>]*(?:"[^"]*"|'[^']*'|\([^()]*\)))?"""
_LEFT_OUT = r"(?!#[#\s]|[-+*]\s|```|~~~)"
_RELATIVE = r"(?![a-zA-Z][a-zA-Z0-9+.-]*:)"


def _target_starts(condition: str = "") -> dict[str, re.Pattern[str]]:
    """Return patterns for the starts of targets, by a sign without which a text has none.

    A target begins after `](` of a link or an image, or after `[label]:` of a definition.
    """

    def before(end: str) -> str:
        target = rf"<(?=[^<>\n]+>{_TITLE}{end})|(?={_WORD}{_TITLE}{end})"
        return rf"{_GAP}(?:{target}){_LEFT_OUT}{condition}"

    label = r"^[ \t>*+\d.-]*\[(?!\^)(?:[^\[\]\\]|\\.){1,999}\]:"
    return {
        "](": re.compile(r"\]\(" + before(r"\s*\)"), re.DOTALL),
        "]:": re.compile(label + before(r"[ \t]*$"), re.DOTALL | re.MULTILINE),
    }


_RELATIVE_STARTS = _target_starts(_RELATIVE)
_STARTS = {**_target_starts(), "<http": re.compile(r"<(?=https?://[^\s<>]*>)")}
# A path that only lacks the root of the site; `urljoin` takes ten times as long.
_PATH = re.compile(r"/\w[^.]*")
_ABSOLUTE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_MARK = re.compile(r"zq([0-9]+)\.")
"""A mark with which an address in `<…>` still has a scheme."""


def with_absolute_links(markdown: str, page: str, prefix: str = "") -> str:
    """Return the text of a page with absolute targets; `page` is the absolute address of the page.

    `prefix` begins the names of the text's headings on that page. A text is returned as it is if
    it has a mark, or if marks change anything except targets.
    """
    return apply_changes(
        markdown,
        (
            change_at(markdown, place, target, page, prefix)
            for place, target in find_targets(markdown, _RELATIVE_STARTS)
            if not _ABSOLUTE.match(target)
        ),
    )


def with_targets(markdown: str, targets: Mapping[str, str]) -> str:
    """Return a text with new targets for some old ones, except those typed with escapes."""
    return apply_changes(
        markdown,
        (
            (place, len(target), targets[target])
            for place, target in find_targets(markdown, _STARTS)
            if target in targets and markdown.startswith(target, place)
        ),
    )


def find_targets(markdown: str, starts: Mapping[str, re.Pattern[str]]) -> list[tuple[int, str]]:
    """Return position and target of each link whose target begins where a pattern ends."""
    # Several searches, because one for all patterns takes twice the time.
    searched = [start for sign, start in starts.items() if sign in markdown]
    places = sorted({match.end() for start in searched for match in start.finditer(markdown)})
    if not places:
        return []
    marks = ((place, 0, f"zq{number}.") for number, place in enumerate(places))
    marked = read(apply_changes(markdown, marks), unsafe=False)
    if _MARK.sub("", marked.html) != render_html(markdown):
        return []
    matches = ((_MARK.match(target), target) for target in marked.targets)
    targets = {places[int(found[1])]: _MARK.sub("", target) for found, target in matches if found}
    return sorted(targets.items())


def change_at(
    markdown: str, place: int, target: str, page: str, prefix: str
) -> tuple[int, int, str]:
    """Return the change that makes a target absolute.

    If a target is typed with escapes, the missing beginning is inserted, so that they stay.
    """
    if not markdown.startswith(target, place) or _PATH.fullmatch(target):
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
