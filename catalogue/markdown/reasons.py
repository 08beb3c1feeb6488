"""What a page says in the place of a text or a formula that it cannot show."""

from html import escape

from catalogue.limits import LimitExceeded
from catalogue.markdown.labels import LABELS
from catalogue.markdown.mathml import BrokenFormula, formula_html

NOT_SHOWN = "not-shown"
"""The class of such a sentence, by which a freeze finds it; no text of an editor can set it."""

NotShown = BrokenFormula | LimitExceeded


def formula_or_reason(latex: str, language: str, style: str = "inline") -> str:
    """MathML of a formula, or why a page cannot show it."""
    try:
        return formula_html(latex, style)
    except (BrokenFormula, LimitExceeded) as error:
        return reason_html("span", error, language)


def reason_html(element: str, error: NotShown, language: str) -> str:
    return f'<{element} class="{NOT_SHOWN}">{escape(reason(error, language))}</{element}>'


def reason(error: NotShown, language: str) -> str:
    """That a text cannot be shown, and why, as plain text."""
    return f"{LABELS[language].not_shown} {error.said(language)}"
