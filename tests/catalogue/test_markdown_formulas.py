"""LaTeX becomes MathML Core with a description for screen readers."""

import re
from xml.etree import ElementTree as ET

import pytest

from catalogue.texts.markdown import formula_html, to_html
from catalogue.texts.markdown.mathml import (
    ATTRIBUTES,
    DISPLAY_STYLE_CLASSES,
    ELEMENTS,
    STYLE_CLASSES,
)

FORMULAS = [
    r"v = f \lambda",
    r"\frac{1}{2\tau} \dfrac{a}{b} \tfrac{a}{b}",
    r"\sqrt{x} + \sqrt[3]{x}",
    r"\sum_{i=1}^{n} x_i \prod_k \lim_{n \to \infty}",
    r"\int_a^b f(x) \, dx",
    r"\left( \frac{a}{b} \right) \left| x \right| \left. x \right|_0",
    r"\hat{x} \bar{y} \tilde{z} \dot{a} \ddot{b} \dddot{c} \ddddot{v} \widehat{d}",
    r"\vec{v} \overrightarrow{AB} \overline{AB} \underline{x} \overbrace{a + b}^{n}",
    r"\Delta t \varphi \Omega",
    r"a < b > c \& d",
    r"\text{điện áp} + x_{\text{đo}}",
    r"x \le y \ge z \approx w \times v \cdot u \pm t",
    r"\begin{pmatrix} a & b \\ c & d \end{pmatrix} \begin{vmatrix} a \end{vmatrix}",
    r"\begin{cases} 1 & x > 0 \\ 0 & \text{khác} \end{cases}",
    r"\begin{aligned} a &= b \\ c &= d \end{aligned}",
    r"\begin{array}{lcr} a & b & c \end{array}",
    r"\sin x \operatorname{sinc} \log_2 n \max_i",
    r"\mathrm{m/s^2} \mathbf{v} \mathbb{R} \mathcal{L} \boldsymbol{\omega}",
    r"{\displaystyle \sum_i} \textstyle \binom{n}{k}",
    r"\xrightarrow{a} \Bigl( x \Bigr) \phantom{x} \quad x",
    r"<script> \text{<b>} \text{</math><b>}",
    '"><b>',
]


@pytest.mark.parametrize("latex", FORMULAS)
@pytest.mark.parametrize("style", ["inline", "display"])
def test_a_formula_is_mathml_core_without_styles(latex: str, style: str) -> None:
    """An accent is a character of its own, because a combining one has nothing to combine with."""
    html = formula_html(latex, style)
    tree = ET.fromstring(html)  # noqa: S314
    attributes = {name for element in tree.iter() for name in element.attrib}
    classes = {name for element in tree.iter() for name in element.get("class", "").split()}

    assert tree.tag == "math"
    assert tree.get("alttext") == latex
    assert tree.get("display") == ("block" if style == "display" else None)
    assert {element.tag for element in tree.iter()} <= ELEMENTS
    assert attributes <= ATTRIBUTES | {"alttext", "class", "displaystyle"}
    assert classes <= {*STYLE_CLASSES.values(), *DISPLAY_STYLE_CLASSES.values()}
    assert not re.search(">[\u20d0-\u20ff]", html)


@pytest.mark.parametrize(
    ("latex", "tags"),
    [
        (r"\dfrac12", '<mfrac class="displaystyle">'),
        (r"\tfrac12", '<mfrac class="textstyle">'),
        (
            r"\begin{aligned}a&=b\end{aligned}",
            '<mtable displaystyle="true"><mtr><mtd class="right close-right"><mi>a</mi></mtd><mtd',
        ),
        (
            r"\begin{cases}a&b\end{cases}",
            '<mtd class="left close-right"><mi>a</mi></mtd><mtd class="left close-right apart">',
        ),
    ],
)
def test_styles_of_a_formula_are_classes(latex: str, tags: str) -> None:
    assert tags in formula_html(latex)


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("a $v$ b", '<p>a <math alttext="v"><mi>v</mi></math> b</p>'),
        ("a $$v$$", '<p>a <math alttext="v" display="block"><mi>v</mi></math></p>'),
        (
            "$$\nv\n$$",
            'role="group" tabindex="0" aria-label="Công thức"><math alttext="v" display="block">',
        ),
        ("| $v$ |\n| --- |\n| $w$ |", '<math alttext="w"><mi>w</mi></math></td>'),
        ("## $v$ of *w*", '<h2 id="v-of-w"><math alttext="v"><mi>v</mi></math> of <em>w'),
        ("[$v$](/a)", '<a href="/a"><math alttext="v"><mi>v</mi></math></a>'),
    ],
)
def test_dollars_become_mathml(markdown: str, html: str) -> None:
    assert html in to_html(markdown, "vi")
