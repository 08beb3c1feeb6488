"""Conversion of a Markdown text to HTML that validators and screen readers accept."""

import re
from collections.abc import Iterable

from catalogue.texts.localized import ENGLISH
from catalogue.texts.markdown.parts import Parts
from catalogue.texts.markdown.source import render_html
from catalogue.texts.shown_images import ShownImage

# A link with another link inside, which is of a footnote or an address in angle brackets.
_NESTED = re.compile(
    r'<a href="[^"]*"(?: title="[^"]*")?>'
    r"((?:[^<]++|<(?!/?a[ >])|<a [^>]*>(?:[^<]++|<(?!/?a[ >]))*+</a>)*+)</a>"
)
# Numeric references can name characters that HTML forbids and that no column stores.
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ufdd0-\ufdef"
    + "".join(chr(plane + end) for plane in range(0, 0x110000, 0x10000) for end in (0xFFFE, 0xFFFF))
    + "]"
)


def to_html(
    markdown: str,
    language: str = ENGLISH,
    *,
    prefix: str = "",
    images: Iterable[ShownImage] = (),
) -> str:
    """Convert a text to HTML.

    `prefix` begins every id, for pages that show several texts; `images` are those that the
    text may show. A formula that cannot be converted is replaced by an error message.
    """
    text = render_html(markdown)
    if "&" in markdown:
        text = _FORBIDDEN.sub("", text)
    has_notes = "data-footnotes" in text
    if has_notes or "<" in markdown:
        text = _NESTED.sub(_innermost_link, text)
    return Parts(text, language, prefix, images, has_notes=has_notes).html()


def _innermost_link(link: re.Match[str]) -> str:
    return link[1] if "<a " in link[1] else link[0]
