"""The error message that a page shows instead of a formula."""

from html import escape

from catalogue.texts.markdown.labels import LABELS
from catalogue.texts.markdown.mathml import BrokenFormula, formula_html

NOT_SHOWN = "not-shown"
"""The CSS class of the message, by which a gate finds it. A text cannot set a class."""


def formula_or_reason(latex: str, language: str, style: str = "inline") -> str:
    """Return MathML of a formula, or the error message if a page cannot show it."""
    try:
        return formula_html(latex, style)
    except BrokenFormula as error:
        reason = f"{LABELS[language].not_shown} {error.message_in(language)}"
        return f'<span class="{NOT_SHOWN}">{escape(reason)}</span>'
