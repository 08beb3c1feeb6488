"""A Markdown text as HTML that validators and screen readers accept."""

import re
from collections.abc import Mapping

from catalogue.limits import LimitExceeded
from catalogue.localized import ENGLISH
from catalogue.markdown.measuring import render_within_limits
from catalogue.markdown.parts import Parts
from catalogue.markdown.reasons import reason_html

# A link around another link: a footnote's, or an address in angle brackets.
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
    sizes: Mapping[str, tuple[int, int]] | None = None,
) -> str:
    """HTML of a text.

    `prefix` begins every id, for pages that show several texts; `sizes` has the width and height
    of images by their address. A text beyond a limit becomes a paragraph that says so, and a
    formula that cannot be converted becomes the sentence that says why.
    """
    try:
        text = render_within_limits(markdown)
    except LimitExceeded as error:
        return reason_html("p", error, language) + "\n"
    if "&" in markdown:
        text = _FORBIDDEN.sub("", text)
    noted = "data-footnotes" in text
    if noted or "<" in markdown:
        text = _NESTED.sub(_innermost, text)
    return Parts(text, language, prefix, sizes or {}, noted=noted).html()


def _innermost(found: re.Match[str]) -> str:
    return found[1] if "<a " in found[1] else found[0]
