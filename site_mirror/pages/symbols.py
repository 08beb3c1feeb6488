"""Symbols of quantities, which are plain text in the catalogue and look as in formulas on pages."""

import re
from itertools import groupby
from unicodedata import decomposition, normalize

from catalogue.texts.markdown import BrokenFormula, formula_html
from site_mirror.pages.blocks import Inline, InlineFormula

# Letters and digits with a hat, as in x̂, and the signs of indexes and exponents.
SYMBOL = re.compile("(?:[^\\W_]|[\u0302₊₋⁺⁻])+")
HAT = re.compile("(.)\u0302")
# As in LaTeX, abbreviations and capital Greek letters are upright.
UPRIGHT = re.compile("[A-Za-z]{2,}|[Α-Ω]")
TEXT = r"\\text{\g<0>}"


def compose_symbol(symbol: str) -> Inline:
    r"""Return `RRᵢ₊₁` as the formula `\text{RR}_{i+1}`. A text that is no such symbol stays."""
    if not SYMBOL.fullmatch(symbol):
        return symbol
    parts = (latex_of(script, "".join(signs)) for script, signs in groupby(symbol, script_of))
    latex = "".join(parts)
    try:
        formula_html(latex)
    except BrokenFormula:  # for example two indexes
        return symbol
    return InlineFormula(latex)


def script_of(sign: str) -> str:
    """Return `_` for a sign of an index such as ₀, `^` for one of an exponent, or nothing."""
    return {"<sub>": "_", "<super>": "^"}.get(decomposition(sign).partition(" ")[0], "")


def latex_of(script: str, signs: str) -> str:
    if script:
        return f"{script}{{{UPRIGHT.sub(TEXT, normalize('NFKC', signs))}}}"
    return HAT.sub(r"\\hat{\1}", UPRIGHT.sub(TEXT, signs))
