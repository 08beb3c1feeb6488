"""The HTML of any text has only allowed elements, attributes and addresses."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

import html5lib
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from catalogue.texts.markdown import SCHEMES, BrokenFormula, to_html
from catalogue.texts.markdown.mathml import ATTRIBUTES, ELEMENTS

XHTML = "{http://www.w3.org/1999/xhtml}"
MATHML = "{http://www.w3.org/1998/Math/MathML}"
# Every element that a text can become, with its attributes.
OURS: dict[str, set[str]] = {
    **{name: set() for name in ("p", "em", "strong", "del", "br", "hr", "ul", "blockquote")},
    **{name: set() for name in ("table", "thead", "tbody", "tr", "figure", "figcaption")},
    **{name: {"id"} for name in ("h1", "h2", "h3", "h4", "h5", "h6", "li")},
    **{name: {"class"} for name in ("td", "span", "code", "sup")},
    "th": {"class", "scope"},
    "ol": {"start"},
    "pre": {"role", "tabindex", "aria-label"},
    "div": {"role", "tabindex", "aria-label", "class"},
    "a": {"href", "title", "id", "class", "aria-label"},
    "img": {"src", "alt", "title", "loading", "decoding"},
}

RAW = [
    "<script>alert(1)</script>",
    "a <b onclick=x>bold</b>",
    "<img src=x onerror=alert(1)>",
    "<div>\n\n**in**\n\n</div>",
    "<!-- a comment --><style>a{}</style>",
    "<?php echo 1 ?>",
    "<![CDATA[<b>]]>",
    "- <iframe src=/></iframe>",
    "| <u>a</u> |\n| --- |\n| <i>b</i> |",
    "[<b>a</b>](/)",
    "## <b onclick=x>a</b>",
    '## "><script>',
    "a[^1]\n\n[^1]: <b>note</b>",
    "a[^<b>]\n\n[^<b>]: note",
    r"$\text{<script>alert(1)</script>}$",
    r"$$\text{<img src=x onerror=alert(1)>}$$",
    r"$\text{\&lt;b\&gt;}$",
    "$<b>a</b>$",
    "$\"'><b>$",
    '[a](/ "<b>")',
    '![<b>"](/ "\'<b>")',
    "![a](</\"onerror='alert(1)'>)",
    "```<b>\n<b>\n```",
    '```"onclick="x"\n<b>\n```',
    "```html\n<script>alert('&lt;b&gt;')</script>\n```",
]

CLASHING = [
    "## Fn 1\n\na[^1]\n\n[^1]: b",
    "## Fnref-1\n\na[^1]\n\n[^1]: b",
    "a[^1] b[^1-2] c[^1]\n\n[^1]: d\n[^1-2]: e",
    "a[^1]\n\n[^1]: b[^2]\n[^2]: c[^1] d[^2]",
    "[^1]: a[^2]\n\nb[^2] c[^1]\n\n[^2]: d",
    "a[^1]\n\n[^1]: b\n\n[^2]: c[^1]",
    "a[^1]\n\n[^1]:\n\n[^1]:",
]
"""Headings and footnotes whose anchors could be the same."""

PIECES = [
    *"<>/&;$\\{}=\"'|\n!-[]()`*_^#:~",
    *("\n\n", "\n> ", "\n- ", "\n1) ", "\n    ", "\n## ", "\n---\n", "  \n", "a", "đ", "日"),
    *("<script>", "</script>", "<b ", "<!--", "-->", "<a href=", "onload=x", "style=", "<svg/"),
    *("[a](", "![a](", "[^1]", "[^a b]", "\n\n[^1]: ", "[x]: ", "[x]", '"t"', "<https://a.vn>"),
    *("javascript:", "JaVa&Tab;script:", "data:text/html,", "vbscript:", "blob:", "&colon;"),
    *("&lt;", "&amp;", "&quot;", "&#1;", "&#x3c;", "&#xFDD0;", "&#x80;", "&NewLine;", "&nbsp"),
    *("```python\n", "```html\n", "\n```\n", "~~~\n", '``` a"b<c\n', "\n| a | b |\n|:-|-:|\n| "),
    *("$", "$$", "$a<b$", "$$\nx\n$$", "\\frac12", "\\text{", "\\color{red}", "\\begin{cases}"),
    *('<span data-math-style="inline">', "</h2>", "</table>", "</pre>", "</a>", "data-footnotes"),
    *("#fn-1", "#fnref-1", " | ", "\u0301"),
]
MARKDOWN = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=30).map("".join),
    st.text(st.characters(exclude_categories=["Cc", "Cs", "Cn"]), max_size=60),
    st.text("[]()<>!^:#`$|\\\"'&; \nab1-_*~", max_size=60),
)


def parse_page(markdown: str) -> ET.Element:
    """Parse the page of a text as a browser does; a parse error fails the test."""
    parser = html5lib.HTMLParser(strict=False)
    html = to_html(markdown, prefix="p_")
    page = parser.parse(f"<!DOCTYPE html><title>t</title><body><main>{html}</main>")

    assert [name for _, name, _ in parser.errors] == [], html
    return page.find(f".//{XHTML}main")


def find_foreign(page: ET.Element) -> Iterator[str]:
    """Yield the elements and attributes of a page that are not allowed."""
    for element in page.iter():
        name = element.tag if isinstance(element.tag, str) else "comment"
        if element is not page:
            attributes = find_allowed_attributes(name)
            yield from [] if attributes is not None else [name]
            yield from sorted(set(element.attrib) - (attributes or set()))


def find_allowed_attributes(element: str) -> set[str] | None:
    """Return the allowed attributes of an element; `None` for an element that is not allowed."""
    if element.startswith(MATHML):
        mine = element.removeprefix(MATHML) in ELEMENTS
        return ATTRIBUTES | {"alttext", "class", "displaystyle"} if mine else None
    return OURS.get(element.removeprefix(XHTML))


def find_unsafe_addresses(page: ET.Element) -> list[str]:
    """Return the addresses with schemes that are not allowed."""
    addresses = [
        re.sub(r"[\x00-\x20]", "", address)
        for element in page.iter()
        for address in (element.get("href"), element.get("src"))
        if address is not None
    ]
    schemes = [(re.match(r"([a-zA-Z][\w+.-]*):", address), address) for address in addresses]
    return [address for scheme, address in schemes if scheme and scheme[1].lower() not in SCHEMES]


def assert_is_safe(page: ET.Element) -> None:
    """Check elements, attributes and addresses, and that anchors differ and links lead to them."""
    ids = [element.get("id") for element in page.iter() if element.get("id")]
    anchors = [
        element.get("href")[1:]
        for element in page.iter(f"{XHTML}a")
        if {"id", "class"} & set(element.attrib)
    ]

    assert list(find_foreign(page)) == []
    assert find_unsafe_addresses(page) == []
    assert len(ids) == len(set(ids))
    assert all(name.startswith("p_") for name in ids)
    assert set(anchors) <= set(ids)


@pytest.mark.parametrize("markdown", [*RAW, *CLASHING])
def test_raw_html_is_text_and_anchors_do_not_clash(markdown: str) -> None:
    assert_is_safe(parse_page(markdown))


@given(MARKDOWN)
@example("$\\text{<b onload=x>}$")
@example("[a[^1]](/x)\n\n[^1]: n")
@example("[<https://a.example>](/b)")
@example("<https://a.example>[<https://b.example>[^1] c](/d) e\n\n[^1]: f")
@settings(max_examples=600)
def test_no_text_adds_elements_or_attributes_that_are_not_allowed(markdown: str) -> None:
    try:
        page = parse_page(markdown)
    except BrokenFormula:
        assume(False)
    assert_is_safe(page)
