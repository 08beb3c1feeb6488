"""Markdown as editors write it: CommonMark with tables, footnotes, strikethrough and formulas.

The one place that knows the libraries of Markdown, formulas and highlighting.
"""

from catalogue.limits import LimitExceeded
from catalogue.markdown.absolute import with_absolute_links
from catalogue.markdown.mathml import BrokenFormula, formula_html
from catalogue.markdown.measuring import read_for_form
from catalogue.markdown.parts import SCHEMES
from catalogue.markdown.reasons import NOT_SHOWN, formula_or_reason, reason
from catalogue.markdown.source import link_targets
from catalogue.markdown.text import to_html
from catalogue.markdown.written import written_links

__all__ = [
    "NOT_SHOWN",
    "SCHEMES",
    "BrokenFormula",
    "LimitExceeded",
    "formula_html",
    "formula_or_reason",
    "link_targets",
    "read_for_form",
    "reason",
    "to_html",
    "with_absolute_links",
    "written_links",
]
