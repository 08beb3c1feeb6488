import pytest
from django.core.exceptions import ValidationError

from catalogue.icons import validate_icon
from catalogue.models import App

XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
PATH = '<path d="M0 0L8 8"/>'


def svg(inside: str = PATH, attributes: str = "", before: str = "") -> str:
    return f'{before}<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{inside}</svg>'


LAUGHS = "".join(
    f'<!ENTITY e{level} "{f"&e{level - 1};" * 10 if level else "lol"}">' for level in range(10)
)
QUADRATIC = f'<!ENTITY e "{"a" * 100_000}">'

REFUSED = {
    "script": svg("<script>alert(1)</script>"),
    "script in a group": svg("<g><g><script href='#a'/></g></g>"),
    "script of another namespace": svg(
        "<h:script xmlns:h='http://www.w3.org/1999/xhtml'>alert(1)</h:script>"
    ),
    "handler of the root": svg(attributes='onload="alert(1)"'),
    "handler of a part": svg('<path d="M0 0" onclick="alert(1)"/>'),
    "handler in odd case": svg('<path d="M0 0" onClick="alert(1)"/>'),
    "handler from the doctype": svg(
        before='<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]>'
    ),
    "foreign object": svg(
        "<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'/></foreignObject>"
    ),
    "style element": svg(f"<style>path{{fill:red}}</style>{PATH}"),
    "empty style element": svg(f"<style/>{PATH}"),
    "style attribute": svg('<path d="M0 0" style="fill:red"/>'),
    "outside image": svg('<image href="https://evil.example/a.png"/>'),
    "outside use": svg('<use href="https://evil.example/a.svg#a"/>'),
    "outside use by xlink": svg('<use xlink:href="https://evil.example/a.svg#a"/>', XLINK),
    "outside use of a scheme": svg('<use href="//evil.example/a.svg#a"/>'),
    "outside fill": svg('<path d="M0 0" fill="url(https://evil.example/a)"/>'),
    "outside fill in capitals": svg('<path d="M0 0" fill="URL(https://evil.example/a)"/>'),
    "fill from another file": svg('<path d="M0 0" fill="url(a.svg#b)"/>'),
    "filter from another file": svg('<path d="M0 0" filter="url(a.svg#b)"/>'),
    "outside fill after an inside one": svg('<path fill="url(#a) url(https://evil.example)"/>'),
    "outside filter image": svg('<filter id="f"><feImage href="https://evil.example"/></filter>'),
    "outside base": svg(attributes='xml:base="https://evil.example/"'),
    "outside stylesheet": svg(before='<?xml-stylesheet href="https://evil.example/a.xsl"?>'),
    "outside doctype": svg(before='<!DOCTYPE svg SYSTEM "https://evil.example/a.dtd">'),
    "file entity": svg(
        "<title>&e;</title>", before='<!DOCTYPE svg [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
    ),
    "link that runs": svg(f'<a href="javascript:alert(1)">{PATH}</a>'),
    "link in a data address": svg('<image href="data:image/svg+xml;base64,PHN2Zz4="/>'),
    "animated link": svg('<a href="#a"><set attributeName="href" to="javascript:alert(1)"/></a>'),
    "billion laughs": svg("<title>&e9;</title>", before=f"<!DOCTYPE svg [{LAUGHS}]>"),
    "quadratic entities": svg(
        f"<title>{'&e;' * 5000}</title>", before=f"<!DOCTYPE svg [{QUADRATIC}]>"
    ),
    "very deep drawing": svg(f"{'<g>' * 5000}{'</g>' * 5000}"),
    "entity that is not there": svg("<title>&nothing;</title>"),
    "text": "an icon",
    "space": " ",
    "HTML": "<html><body>icon</body></html>",
    "HTML in the right namespace": "<html xmlns='http://www.w3.org/1999/xhtml'><body/></html>",
    "an SVG element inside something else": f"<g xmlns='http://www.w3.org/2000/svg'>{svg()}</g>",
    "SVG without its namespace": "<svg><path d='M0 0'/></svg>",
    "an open element": "<svg xmlns='http://www.w3.org/2000/svg'><path>",
    "two drawings": svg() + svg(),
    "an unknown encoding": svg(before='<?xml version="1.0" encoding="nonsense"?>'),
    "a lone surrogate": svg("<title>\ud800</title>"),
    "a null": svg("<title>\0</title>"),
    "JSON": '{"svg": 1}',
}


@pytest.mark.parametrize("source", REFUSED.values(), ids=REFUSED.keys())
def test_an_icon_with_active_content_is_refused_with_a_sentence(source: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_icon(source)
    (message,) = refused.value.messages

    assert message.startswith("The icon ")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("script", "<script>"),
        ("handler of the root", 'onload="alert(1)"'),
        ("foreign object", "<foreignObject>"),
        ("style attribute", 'style="fill:red"'),
        ("outside image", "https://evil.example/a.png"),
        ("HTML in the right namespace", "not an SVG drawing"),
        ("an open element", "not well-formed"),
    ],
)
def test_the_sentence_names_what_to_remove(name: str, said: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_icon(REFUSED[name])

    assert said in refused.value.messages[0]


def test_the_sentence_names_each_thing_once() -> None:
    with pytest.raises(ValidationError) as refused:
        validate_icon(REFUSED["outside fill"])

    assert refused.value.messages[0].count("https://evil.example/a") == 1


@pytest.mark.parametrize(
    "source",
    [
        svg(),
        svg(attributes='viewBox="0 0 8 8" width="8" height="8"'),
        svg('<title>Biểu tượng</title><desc>A &amp; b</desc><circle cx="4" cy="4" r="3"/>'),
        svg('<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs>'),
        svg('<path d="M0 0" fill="url(#a)"/><use href="#b"/>'),
        svg(
            '<!-- a note --><g transform="rotate(3)" opacity="0.5"><rect width="8" height="8"/></g>'
        ),
        svg(before='<?xml version="1.0" encoding="UTF-8"?>\n'),
        svg() + "\n",
    ],
)
def test_drawings_are_allowed(source: str) -> None:
    validate_icon(source)


def test_an_icon_is_checked_where_an_app_is() -> None:
    with pytest.raises(ValidationError) as refused:
        App(icon_svg=REFUSED["script"]).clean_fields()

    assert refused.value.message_dict["icon_svg"] == ["The icon contains <script>; remove it."]
