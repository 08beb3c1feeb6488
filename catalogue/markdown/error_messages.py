"""The error message that a page shows instead of a text or a formula."""

from html import escape

from catalogue.limits import LimitExceeded
from catalogue.markdown.labels import LABELS
from catalogue.markdown.mathml import BrokenFormula, formula_html

NOT_SHOWN = "not-shown"
"""The CSS class of the message, by which a gate finds it. A text cannot set a class."""

NotShown = BrokenFormula | LimitExceeded


def formula_or_reason(latex: str, language: str, style: str = "inline") -> str:
    """Return MathML of a formula, or the error message if a page cannot show it."""
    try:
        return formula_html(latex, style)
    except (BrokenFormula, LimitExceeded) as error:
        return reason_html("span", error, language)


def reason_html(element: str, error: NotShown, language: str) -> str:
    return f'<{element} class="{NOT_SHOWN}">{escape(reason_text(error, language))}</{element}>'


def reason_text(error: NotShown, language: str) -> str:
    """Return the error message as plain text."""
    return f"{LABELS[language].not_shown} {error.message_in(language)}"
