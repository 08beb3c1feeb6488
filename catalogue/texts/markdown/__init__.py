"""Markdown of editors: CommonMark with tables, footnotes, strikethrough and formulas.

Only this package imports the libraries for Markdown, formulas and highlighting.
"""

from catalogue.texts.markdown.absolute import with_absolute_links, with_targets
from catalogue.texts.markdown.formula_words import HOLDS_WORDS, FormulaWarning, formula_warnings
from catalogue.texts.markdown.mathml import (
    NOT_SHOWN,
    BrokenFormula,
    formula_html,
    formula_or_reason,
)
from catalogue.texts.markdown.parts import SCHEMES
from catalogue.texts.markdown.plain import without_html
from catalogue.texts.markdown.sections import plain_sections
from catalogue.texts.markdown.source import link_targets, read, written_links
from catalogue.texts.markdown.text import to_html
from catalogue.texts.markdown.unique_labels import with_unique_labels

__all__ = [
    "HOLDS_WORDS",
    "NOT_SHOWN",
    "SCHEMES",
    "BrokenFormula",
    "FormulaWarning",
    "formula_html",
    "formula_or_reason",
    "formula_warnings",
    "link_targets",
    "plain_sections",
    "read",
    "to_html",
    "with_absolute_links",
    "with_targets",
    "with_unique_labels",
    "without_html",
    "written_links",
]
