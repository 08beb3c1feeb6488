"""What a text has more of than a page should have to show.

Markdown of a limited length costs the library a limited time, so the HTML that it writes is
measured. Most texts are far below every limit, which a few counts of tags show; only otherwise is
the text rendered once more, with the number of each line, and read tag by tag.
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


def measured(markdown: str) -> str:
    """The library's HTML of a text, for a page; raises `LimitExceeded`."""
    limits.check(limits.MARKDOWN_LENGTH, len(markdown))
    html = rendered(markdown)
    check(markdown, html)
    return html


def measured_reading(markdown: str) -> Reading:
    """A text as rules read it; raises `LimitExceeded`."""
    limits.check(limits.MARKDOWN_LENGTH, len(markdown))
    reading = read(markdown)
    check(markdown, reading.html)
    return reading


def checked(markdown: str) -> Reading:
    """The same for a form, which also refuses code that would be shown without its colours."""
    reading = measured_reading(markdown)
    if "<code class" in reading.html:
        check_code(with_lines(markdown))
    return reading


def check(markdown: str, html: str) -> None:
    if may_exceed(html):
        for limit, found, where in measures(with_lines(markdown)):
            limits.check(limit, found, where)


def may_exceed(html: str) -> bool:
    """Whether tags are so many that one of them may be too many."""
    return any(sum(map(html.count, tags)) > most for tags, most in _HARMLESS)


def measures(html: str) -> Iterator[tuple[Limit, int, str]]:
    """Each limit with what was found, and in which line."""
    for limit, pattern in _OF_A_TEXT.items():
        yield limit, sum(1 for _ in pattern.finditer(html)), ""
    yield limits.NESTED_BLOCKS, *deepest(html, _BLOCKS)
    yield limits.NESTED_SPANS, *deepest(html, _SPANS)
    for table in _TABLE.finditer(html):
        yield limits.TABLE_COLUMNS, len(_HEADER_CELL.findall(table[0])), line(table[1])


def deepest(html: str, names: frozenset[str]) -> tuple[int, str]:
    """How deep elements of these names are inside each other, and the line of the outermost."""
    depth, most, outermost, where = 0, 0, "", ""
    for end, name, attributes in _TAG.findall(html):
        if name not in names:
            continue
        depth += -1 if end else 1
        if depth == 1 and not end:
            outermost = line(attributes)
        if depth > most:
            most, where = depth, outermost
    return most, where


def line(attributes: str) -> str:
    """The line of the text in which an element begins."""
    found = _LINE.search(attributes)
    return found[1] if found else ""


def check_code(html: str) -> None:
    """Refuse code that names a language and is too long for colours; a page shows it without."""
    together = 0
    for attributes, source in _CODE.findall(html):
        length = len(unescape(source))
        together += length
        limits.check(limits.CODE_LENGTH, length, line(attributes))
    limits.check(limits.CODE_OF_A_TEXT, together)
