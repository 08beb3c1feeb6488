import re

import pytest
from django.core.exceptions import ValidationError

from catalogue.texts.icons import validate_icon

PATH = '<path d="M0 0L8 8"/>'
EVIL = "https://evil.example/a"


def svg(inside: str = PATH, attributes: str = "", before: str = "") -> str:
    return f'{before}<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{inside}</svg>'


SCRIPT = svg("<g><script>alert(1)</script></g>")
LAUGHS = "".join(
    f'<!ENTITY e{level} "{f"&e{level - 1};" * 10 if level else "lol"}">' for level in range(10)
)
REFUSED = {
    "contains <script>; remove it.": [SCRIPT],
    "script>; remove it.": [svg("<h:script xmlns:h='http://www.w3.org/1999/xhtml'/>")],
    'contains onload="alert(1)"; remove it.': [svg(attributes='onload="alert(1)"')],
    'contains onClick="alert(1)"; remove it.': [svg('<path d="M0 0" onClick="alert(1)"/>')],
    "contains <foreignObject>": [svg("<foreignObject/>")],
    "contains <style>; remove it.": [svg("<style>path{fill:red}</style>"), svg("<style/>")],
    'contains style="fill:red"; remove it.': [svg('<path style="fill:red"/>')],
    f'href="{EVIL}"; remove it.': [
        svg(f'<image href="{EVIL}"/>'),
        svg(f'<use href="{EVIL}"/>'),
        svg(f'<use xlink:href="{EVIL}"/>', 'xmlns:xlink="http://www.w3.org/1999/xlink"'),
        svg(f'<filter id="f"><feImage href="{EVIL}"/></filter>'),
    ],
    f'contains fill="url({EVIL})"; remove it.': [svg(f'<path fill="url({EVIL})"/>')],
    f'fill="URL({EVIL})"; remove it.': [svg(f'<path fill="URL({EVIL})"/>')],
    f'fill="url(#a) url({EVIL})"; remove it.': [svg(f'<path fill="url(#a) url({EVIL})"/>')],
    'filter="url(a.svg#b)"; remove it.': [svg('<path filter="url(a.svg#b)"/>')],
    f'base="{EVIL}"; remove it.': [svg(attributes=f'xml:base="{EVIL}"')],
    "contains <?xml-stylesheet": [svg(before=f'<?xml-stylesheet href="{EVIL}"?>')],
    'href="javascript:a"; remove it.': [svg(f'<a href="javascript:a">{PATH}</a>')],
    'href="data:image/png;base64,eA=="': [svg('<image href="data:image/png;base64,eA=="/>')],
    'contains attributeName="href"': [
        svg('<a href="#a"><set attributeName="href" to="javascript:alert(1)"/></a>')
    ],
    "contains <!DOCTYPE>; remove it.": [
        svg(before='<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]>'),
        svg("<title>&e;</title>", before='<!DOCTYPE svg [<!ENTITY e SYSTEM "file:///a">]>'),
        svg("<title>&e9;</title>", before=f"<!DOCTYPE svg [{LAUGHS}]>"),
    ],
    "nests its elements more than 64 deep.": [svg("<g>" * 64 + "</g>" * 64)],
    "is not well-formed SVG: ": [
        "an icon",
        " ",
        svg("<title>&nothing;</title>"),
        "<svg xmlns='http://www.w3.org/2000/svg'><path>",
        svg() + svg(),
        svg(before='<?xml version="1.0" encoding="nonsense"?>'),
        svg("<title>\ud800</title>"),
    ],
    "is not an SVG drawing: its first element is not <svg>.": [
        "<html xmlns='http://www.w3.org/1999/xhtml'><body/></html>",
        f"<g xmlns='http://www.w3.org/2000/svg'>{svg()}</g>",
        "<svg><path d='M0 0'/></svg>",
    ],
}
"""Words of the sentence that tells what to correct, with icons."""


@pytest.mark.parametrize("said", REFUSED)
def test_an_icon_that_is_not_only_a_drawing_is_refused_with_a_sentence(said: str) -> None:
    for source in REFUSED[said]:
        with pytest.raises(ValidationError, match=re.escape(said)) as refused:
            validate_icon(source)
        (message,) = refused.value.messages

        assert message.startswith("The drawing ")


@pytest.mark.parametrize(
    "source",
    [
        svg(attributes='viewBox="0 0 8 8" width="8" height="8"'),
        svg('<title>Biểu tượng</title><desc>A &amp; b</desc><circle cx="4" cy="4" r="3"/>'),
        svg('<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs>'),
        svg('<path d="M0 0" fill="url(#a)"/><use href="#b"/>'),
        svg(
            '<!-- a note --><g transform="rotate(3)" opacity="0.5"><rect width="8" height="8"/></g>'
        ),
        svg("<g></g>" * 65),
        svg("<g>" * 63 + "</g>" * 63, before='<?xml version="1.0" encoding="UTF-8"?>\n') + "\n",
    ],
)
def test_drawings_are_allowed(source: str) -> None:
    validate_icon(source)
