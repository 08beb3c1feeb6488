"""Symbols below a formula, which look as they do in it."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests import factories
from tests.pages.page_reader import read_document

SYMBOLS = {
    "θ": "θ",
    "c₀": "c_{0}",
    "fₘₐₓ": r"f_{\text{max}}",
    "RRᵢ₊₁": r"\text{RR}_{i+1}",
    "x̂⁻": r"\hat{x}^{−}",
    "Δφ": r"\text{Δ}φ",
}
TEXTS = ("c_0", "%", "$x$", "x₀²₁", r"\frac", "a|b")


@pytest.mark.django_db
def test_a_symbol_is_a_formula_and_another_text_stays_as_it_is() -> None:
    factories.make_page(slug="science")
    topic = factories.make_topic()
    for position, symbol in enumerate([*SYMBOLS, *TEXTS]):
        factories.make_symbol(topic, symbol=symbol, position=position)

    cells = LexborHTMLParser(read_document("/science")).css("tbody th")
    mirror = read_document("/science.md")

    formulas = [cell.css_first("math") for cell in cells[: len(SYMBOLS)]]
    assert [each.attributes["alttext"] for each in formulas] == list(SYMBOLS.values())
    assert [cell.text() for cell in cells[len(SYMBOLS) :]] == list(TEXTS)
    for latex in SYMBOLS.values():
        assert f"| ${latex}$ | frequency |" in mirror
