"""Texts in which HTML is text: an open comment of one would hide whatever follows it.

Pages never show HTML as HTML. So that each reader of Markdown sees what the page says, a `<` that
would begin HTML gets a backslash. A pattern cannot tell HTML from code, so marks are inserted: code
and formulas show the backslash before a mark.
"""

import re
from collections.abc import Iterable
from itertools import count

from comrak import RenderOptions, render_markdown

from catalogue.texts.markdown.extensions import comrak_extensions

_AUTOLINK = r"[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s<>]*>|[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+>"
_MAY_BEGIN_HTML = re.compile(
    r"\](?:\(|:)\s*<[^<>\n]*>"  # the target of a link
    rf"|(?<!\\)(?:\\\\)*(?P<html><)(?=[A-Za-z/!?])(?!{_AUTOLINK})"
)
_MARK_WORD = re.compile(r"zq[0-9]+q")


def without_html(markdown: str) -> str:
    r"""Return a text in which `\<` stands for each `<` that would begin HTML."""
    found = _MAY_BEGIN_HTML.finditer(markdown)
    places = [match.start("html") for match in found if match["html"]]
    if not places:
        return markdown
    name = unused_word(markdown)
    marks = ((place, 1, f"\\<{name}{number},") for number, place in enumerate(places))
    options = RenderOptions()
    options.escape = True
    marked = render_markdown(
        apply_changes(markdown, marks), comrak_extensions(), render_options=options
    )
    literal = {int(number) for number in re.findall(rf"\\&lt;{name}(\d+),", marked)}
    escapes = ((place, 0, "\\") for number, place in enumerate(places) if number not in literal)
    return apply_changes(markdown, escapes)


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
