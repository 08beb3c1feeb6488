"""Texts within the limits on their structure (`catalogue.limits`).

The rendered HTML is measured: the library renders a text of limited length in limited time. Counts
of a few tags show that most texts are far below every limit. Only the others are rendered again,
with the line number of each element, and examined tag by tag.
"""

import re
from collections.abc import Iterator
from html import unescape

from catalogue import limits
from catalogue.limits import Limit
from catalogue.markdown.source import Reading, read, rendered, with_lines

_TAG = re.compile(r"<(/?)([a-z]+[1-6]?)([^>]*)>")
_LINE = re.compile(r'data-sourcepos="(\d+):')
_CODE = re.compile(r'<pre([^>]*)><code class="language-[^"]*"[^>]*>([^<]*)</code>')
_TABLE = re.compile(r"<table([^>]*)>.*?</tr>", re.DOTALL)
_HEADER_CELL = re.compile(r"<th[ >]")

_BLOCKS = frozenset({"blockquote", "ul", "ol"})
_SPANS = frozenset({"em", "strong", "del"})
_OF_A_TEXT = {
    limits.HEADINGS: re.compile(r"<h[1-6][ >]"),
    limits.TABLE_CELLS: re.compile(r"<t[dh][ >]"),
    limits.FORMULAS: re.compile(r"<span data-math-style"),
    limits.FOOTNOTES: re.compile(r"data-footnote-ref>"),
}
# Beginnings of tags, which may count too much and never too little, and how many are harmless.
_HARMLESS = (
    (("<h",), limits.HEADINGS.most),
    (("<td", "<th"), limits.TABLE_CELLS.most),
    (("<th",), limits.TABLE_COLUMNS.most),
    (("<span data-math",), limits.FORMULAS.most),
    (("data-footnote-ref>",), limits.FOOTNOTES.most),
    (("<blockquote", "<ul", "<ol"), limits.NESTED_BLOCKS.most),
    (("<em", "<strong", "<del"), limits.NESTED_SPANS.most),
)


def render_within_limits(markdown: str) -> str:
    """The library's HTML of a text, for a page; raises `LimitExceeded`."""
    limits.check(limits.MARKDOWN_LENGTH, len(markdown))
    html = rendered(markdown)
    check(markdown, html)
    return html


def read_within_limits(markdown: str) -> Reading:
    """A text as rules read it; raises `LimitExceeded`."""
    limits.check(limits.MARKDOWN_LENGTH, len(markdown))
    reading = read(markdown)
    check(markdown, reading.html)
    return reading


def read_for_form(markdown: str) -> Reading:
    """A text as a form reads it: code that is too long to be highlighted is refused, too."""
    reading = read_within_limits(markdown)
    if "<code class" in reading.html:
        check_code(with_lines(markdown))
    return reading


def check(markdown: str, html: str) -> None:
    if may_exceed(html):
        for limit, found, where in measure(with_lines(markdown)):
            limits.check(limit, found, where)


def may_exceed(html: str) -> bool:
    """Whether the numbers of tags may exceed a limit."""
    return any(sum(map(html.count, tags)) > most for tags, most in _HARMLESS)


def measure(html: str) -> Iterator[tuple[Limit, int, str]]:
    """Each limit with the number that was found, and the line."""
    for limit, pattern in _OF_A_TEXT.items():
        yield limit, sum(1 for _ in pattern.finditer(html)), ""
    yield limits.NESTED_BLOCKS, *deepest_nesting(html, _BLOCKS)
    yield limits.NESTED_SPANS, *deepest_nesting(html, _SPANS)
    for table in _TABLE.finditer(html):
        yield limits.TABLE_COLUMNS, len(_HEADER_CELL.findall(table[0])), line_of(table[1])


def deepest_nesting(html: str, names: frozenset[str]) -> tuple[int, str]:
    """The greatest nesting depth of elements of these names, and the line of the outermost one."""
    depth, most, outermost, where = 0, 0, "", ""
    for end, name, attributes in _TAG.findall(html):
        if name not in names:
            continue
        depth += -1 if end else 1
        if depth == 1 and not end:
            outermost = line_of(attributes)
        if depth > most:
            most, where = depth, outermost
    return most, where


def line_of(attributes: str) -> str:
    """The line number of an element, from its attributes."""
    found = _LINE.search(attributes)
    return found[1] if found else ""


def check_code(html: str) -> None:
    """Refuse code that names a language and is too long for colours; a page shows it without."""
    together = 0
    for attributes, source in _CODE.findall(html):
        length = len(unescape(source))
        together += length
        limits.check(limits.CODE_LENGTH, length, line_of(attributes))
    limits.check(limits.CODE_OF_A_TEXT, together)
