"""Texts in which HTML is text: an open comment would hide the rest of the page.

Pages never show HTML as HTML. So that each reader of Markdown sees what the page says, a `<` that
would begin HTML gets a backslash. A pattern cannot tell HTML from code, so marks are inserted: code
and formulas show the backslash before a mark.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import count

from comrak import ExtensionOptions, RenderOptions, render_markdown

_AUTOLINK = r"[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s<>]*>|[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+>"
_MAY_BEGIN_HTML = re.compile(rf"<(?=[A-Za-z/!?])(?!{_AUTOLINK})")
_TARGET = re.compile(r"<[^<>\n]*>")
"""The target of a link, after `](` or `]:`."""
_MARK_WORD = re.compile(r"zq[0-9]+q")

Rewrite = Callable[[str], str]


def comrak_extensions(
    rewrite_link: Rewrite | None = None, rewrite_image: Rewrite | None = None
) -> ExtensionOptions:
    """Return the extensions of CommonMark that texts may use."""
    options = ExtensionOptions()
    options.table = True
    options.strikethrough = True
    options.footnotes = True
    options.math_dollars = True
    if rewrite_link:
        options.link_url_rewriter = rewrite_link
        options.image_url_rewriter = rewrite_image or rewrite_link
    return options


def without_html(markdown: str) -> str:
    r"""Return a text in which `\<` stands for each `<` that would begin HTML."""
    places = [*find_html(markdown)]
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


def find_html(markdown: str) -> Iterator[int]:
    """Yield the place of each `<` that may begin HTML: it has no backslash and begins no target.

    The pattern begins with `<`, so that the search jumps from one to the next.
    """
    for match in _MAY_BEGIN_HTML.finditer(markdown):
        before = place = match.start()
        while markdown[before - 1 : before].isspace():
            before -= 1
        is_target = markdown.endswith(("](", "]:"), 0, before) and _TARGET.match(markdown, place)
        backslashes = place
        while markdown.startswith("\\", backslashes - 1, backslashes):
            backslashes -= 1
        if not is_target and (place - backslashes) % 2 == 0:
            yield place


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
