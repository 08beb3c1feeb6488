"""The plain text of a Markdown text, section by section, for the index of the site's search."""

import re
from collections.abc import Iterator

from markupsafe import Markup

from catalogue.texts.markdown.source import FORMULA, render_html

_HEADING = re.compile(r"<h[1-6]>(.*?)</h[1-6]>", re.DOTALL)
_CODE_OR_NOTE = re.compile(
    r"<pre.*?</pre>|<sup.*?</sup>|<a [^>]*data-footnote-backref.*?</a>", re.DOTALL
)
_FORMULA = re.compile(f"<{FORMULA}")


def plain_sections(markdown: str) -> Iterator[tuple[str, str]]:
    """Yield the heading and the text of each section that has a text, in one line each.

    Code and links to and from footnotes are left out; a formula becomes “…”.
    """
    html = _FORMULA.sub("…", _CODE_OR_NOTE.sub("", render_html(markdown)))
    before, *rest = _HEADING.split(html)
    for heading, text in zip(("", *rest[::2]), (before, *rest[1::2]), strict=True):
        if plain := Markup(text).striptags():  # noqa: S704 - becomes a plain text
            yield Markup(heading).striptags(), plain  # noqa: S704 - as above
