"""Checks of the limits on the structure of texts (`catalogue.limits`).

The rendered HTML is measured, because the library renders a text of limited length in limited time.
For most texts, counts of a few tags show that no limit is exceeded. Other texts are rendered again,
with the line number of each element, and examined tag by tag.
"""

import re
from collections.abc import Iterator
from html import unescape

from catalogue import limits
from catalogue.limits import Limit
from catalogue.markdown.source import Reading, read, render, render_with_lines

_ELEMENT = re.compile(r"<(/?)([a-z]+[1-6]?)([^>]*)>")
_LINE = re.compile(r'data-sourcepos="(\d+):')
_CODE = re.compile(r'<pre([^>]*)><code class="language-[^"]*"[^>]*>([^<]*)</code>')
_TABLE = re.compile(r"<table([^>]*)>.*?</tr>", re.DOTALL)
_HEADER_CELL = re.compile(r"<th[ >]")

_BLOCKS = frozenset({"blockquote", "ul", "ol"})
_SPANS = frozenset({"em", "strong", "del"})
_COUNTED_PATTERNS = {
    limits.HEADINGS: re.compile(r"<h[1-6][ >]"),
    limits.TABLE_CELLS: re.compile(r"<t[dh][ >]"),
    limits.FORMULAS: re.compile(r"<span data-math-style"),
    limits.FOOTNOTES: re.compile(r"data-footnote-ref>"),
}
# Beginnings of tags, whose counts may be too high but never too low, and the allowed number.
_HARMLESS = (
    (("<h",), limits.HEADINGS.maximum),
    (("<td", "<th"), limits.TABLE_CELLS.maximum),
    (("<th",), limits.TABLE_COLUMNS.maximum),
    (("<span data-math",), limits.FORMULAS.maximum),
    (("data-footnote-ref>",), limits.FOOTNOTES.maximum),
    (("<blockquote", "<ul", "<ol"), limits.NESTED_BLOCKS.maximum),
    (("<em", "<strong", "<del"), limits.NESTED_SPANS.maximum),
)


def render_within_limits(markdown: str) -> str:
    """Return the library's HTML of a text, for a page. Raises `LimitExceeded`."""
    limits.check_limit(limits.MARKDOWN_LENGTH, len(markdown))
    html = render(markdown)
    check_structure(markdown, html)
    return html


def read_within_limits(markdown: str) -> Reading:
    """Read a text for validators. Raises `LimitExceeded`."""
    limits.check_limit(limits.MARKDOWN_LENGTH, len(markdown))
    reading = read(markdown)
    check_structure(markdown, reading.html)
    return reading


def read_for_form(markdown: str) -> Reading:
    """Read a text for a form, which also refuses code that is too long to be highlighted."""
    reading = read_within_limits(markdown)
    if "<code class" in reading.html:
        check_code(render_with_lines(markdown))
    return reading


def check_structure(markdown: str, html: str) -> None:
    if may_exceed(html):
        for limit, found, where in measure_structure(render_with_lines(markdown)):
            limits.check_limit(limit, found, where)


def may_exceed(html: str) -> bool:
    """Whether the numbers of tags may exceed a limit."""
    return any(sum(map(html.count, tags)) > most for tags, most in _HARMLESS)


def measure_structure(html: str) -> Iterator[tuple[Limit, int, str]]:
    """Yield each limit with the number of a text, and the line."""
    for limit, pattern in _COUNTED_PATTERNS.items():
        yield limit, sum(1 for _ in pattern.finditer(html)), ""
    yield limits.NESTED_BLOCKS, *deepest_nesting(html, _BLOCKS)
    yield limits.NESTED_SPANS, *deepest_nesting(html, _SPANS)
    for table in _TABLE.finditer(html):
        yield limits.TABLE_COLUMNS, len(_HEADER_CELL.findall(table[0])), line_of(table[1])


def deepest_nesting(html: str, names: frozenset[str]) -> tuple[int, str]:
    """Return the greatest nesting depth of some elements, and the line of the outermost one."""
    depth, most, outermost, where = 0, 0, "", ""
    for end, name, attributes in _ELEMENT.findall(html):
        if name not in names:
            continue
        depth += -1 if end else 1
        if depth == 1 and not end:
            outermost = line_of(attributes)
        if depth > most:
            most, where = depth, outermost
    return most, where


def line_of(attributes: str) -> str:
    """Return the line number of an element from its attributes."""
    line = _LINE.search(attributes)
    return line[1] if line else ""


def check_code(html: str) -> None:
    """Refuse code that names a language and is too long to be highlighted, as a page shows it."""
    total = 0
    for attributes, source in _CODE.findall(html):
        length = len(unescape(source))
        total += length
        limits.check_limit(limits.CODE_LENGTH, length, line_of(attributes))
    limits.check_limit(limits.TOTAL_CODE_LENGTH, total)
