"""Markdown as editors write it: CommonMark with tables, footnotes, strikethrough and formulas.

The one place that knows the libraries of Markdown, formulas and highlighting.
"""

from catalogue.markdown.mathml import BrokenFormula, formula_html
from catalogue.markdown.parts import SCHEMES
from catalogue.markdown.source import (
    formulas,
    has_title,
    image_targets,
    link_targets,
    undescribed_images,
)
from catalogue.markdown.text import to_html
from catalogue.markdown.written import written_links

__all__ = [
    "SCHEMES",
    "BrokenFormula",
    "formula_html",
    "formulas",
    "has_title",
    "image_targets",
    "link_targets",
    "to_html",
    "undescribed_images",
    "written_links",
]
