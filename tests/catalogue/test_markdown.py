import re
from xml.etree import ElementTree as ET

import pytest
from django.core.exceptions import ValidationError
from hypothesis import example, given, settings
from hypothesis import strategies as st

from catalogue.markdown import formula_html, to_html
from catalogue.markdown_rules import safe_markdown

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
    "a[^1]\n\n[^1]: <b>note</b>",
    r"$\text{<script>alert(1)</script>}$",
    r"$$\text{<img src=x onerror=alert(1)>}$$",
    r"$\text{&lt;b&gt;}$",
    r"$\text{&#60;b&#62;}$",
    r"$\text{&amp;lt;b&amp;gt;}$",
    "$<b>a</b>$",
    '[a](/ "<b>")',
    "```<b>\n<b>\n```",
]


OURS = {
    *("p", "h2", "a", "ul", "li", "em", "strong", "table", "thead", "tbody", "tr", "th", "td"),
    *("pre", "code", "sup", "section", "ol", "math", "mrow", "mi", "mo", "mn", "mtext", "msub"),
    *("h1", "h3", "h4", "h5", "h6", "br", "hr", "blockquote", "del", "img"),
    *("msup", "msubsup", "mfrac", "msqrt", "munder", "mover", "munderover", "mspace", "mover"),
}


TAG = re.compile(r"<\s*/?\s*([a-zA-Z?!\[][^\s/>]*)")


def tags(html: str) -> set[str]:
    """Names of the elements of an HTML text, our note on what was left out aside."""
    return set(TAG.findall(html.replace("<!-- raw HTML omitted -->", "")))


@pytest.mark.parametrize("markdown", RAW)
def test_raw_html_never_comes_through(markdown: str) -> None:
    assert tags(to_html(markdown)) <= OURS


PIECES = [
    *"<>/&;$\\{}=\"' \n!-[]()`*_^#:",
    "b",
    "img",
    "lt",
    "onload",
    "\\text{",
    "<script>",
    "<b ",
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
@example("$\\text{<b onload=x>}$")
@settings(max_examples=400, deadline=None, database=None)
def test_no_text_smuggles_an_element_in(markdown: str) -> None:
    try:
        safe_markdown(markdown)
    except ValidationError:
        return

    assert tags(to_html(markdown)) <= OURS


FORMULAS = [
    r"v = f \lambda",
    r"\frac{1}{2\tau}",
    r"\sqrt{x}",
    r"\sum_{i=1}^{n} x_i",
    r"\int_a^b f(x) dx",
    r"\left( \frac{a}{b} \right)",
    r"\hat{x} \bar{y} \Delta t",
    r"a < b > c \& d",
    r"\text{điện áp}",
    r"x \le y \ge z \approx w \times v \cdot u",
]


@pytest.mark.parametrize("latex", FORMULAS)
@pytest.mark.parametrize("style", ["inline", "display"])
def test_a_formula_is_well_formed_mathml(latex: str, style: str) -> None:
    tree = ET.fromstring(formula_html(latex, style))  # noqa: S314

    assert tree.tag == "{http://www.w3.org/1998/Math/MathML}math"
    assert tree.get("display") == ("block" if style == "display" else "inline")


@pytest.mark.parametrize(
    ("markdown", "display"), [("a $v = f$ b", "inline"), ("$$\nv = f\n$$", "block")]
)
def test_dollars_become_mathml(markdown: str, display: str) -> None:
    html = to_html(markdown)

    assert f'display="{display}"' in html
    assert "<mi>v</mi><mo>&#x0003D;</mo><mi>f</mi>" in html
    assert "data-math-style" not in html
    assert "$" not in html


def test_several_formulas_of_a_text_are_each_converted() -> None:
    assert to_html("$a$ and $b$\n\n| $c$ |\n| --- |\n| $d$ |").count("<math ") == 4


@pytest.mark.parametrize("markdown", ["`$a$`", "```\n$a$\n```", r"\$a\$", "5 $ and 6 $"])
def test_dollars_that_are_no_formula_stay(markdown: str) -> None:
    html = to_html(markdown)

    assert "<math" not in html
    assert html.count("$") == 2


@pytest.mark.parametrize("latex", [r"<script>", r"\text{<b>}", r"\text{</math><b>}", "a & b"])
def test_a_formula_holds_no_element_but_its_own(latex: str) -> None:
    assert tags(formula_html(latex)) <= OURS


@pytest.mark.parametrize(
    "latex",
    [r"\href{javascript:alert(1)}{x}", r"\style{color:red}{x}", r"\class{a}{x}"],
)
def test_a_formula_has_no_link_style_or_class(latex: str) -> None:
    assert not re.search(r"\b(href|style|class)=", formula_html(latex))


@pytest.mark.parametrize(
    ("markdown", "ids"),
    [
        ("## One Two", ["one-two"]),
        ("## A\n\n## A\n\n### A", ["a", "a-1", "a-2"]),
        ("## Điều chỉnh", ["điều-chỉnh"]),
        ("## `code` and $x$", None),
    ],
)
def test_headings_have_ids(markdown: str, ids: list[str] | None) -> None:
    found = re.findall(r'<h[2-6] id="([^"]+)"', to_html(markdown))

    assert found == ids if ids else len(found) == 1


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("| a |\n| --- |\n| b |", "<td>b</td>"),
        ("~~a~~", "<del>a</del>"),
        ("a[^1]\n\n[^1]: note", "footnote"),
        ("**a** *b* `c`", "<strong>a</strong> <em>b</em> <code>c</code>"),
        ("```python\nx\n```", '<code class="language-python">x'),
        ("a < b & c", "a &lt; b &amp; c"),
    ],
)
def test_markdown_is_commonmark_with_tables_and_footnotes(markdown: str, html: str) -> None:
    assert html in to_html(markdown)


@pytest.mark.parametrize("text", ["# Title", "Title\n=====", "Text.\n\n # Title #", "> # Title"])
def test_a_second_title_is_refused(text: str) -> None:
    with pytest.raises(ValidationError, match="begin sections with ##"):
        safe_markdown(text)


@pytest.mark.parametrize("text", ["## Section", "`# code`", "```python\n# comment\n```", "#hash"])
def test_what_only_looks_like_a_title_is_allowed(text: str) -> None:
    safe_markdown(text)
