"""What a Markdown text may not contain."""

import re

from django.core.exceptions import ValidationError

from catalogue.markdown import BrokenFormula, formula_html, formulas, has_title, link_targets

SCHEMES = ("http", "https", "mailto")

# Browsers drop these from an address before they read its scheme.
_DROPPED = re.compile(r"[\x00-\x20]")
_SCHEME = re.compile(r"^\s*([a-zA-Z][a-zA-Z0-9+.-]*):")


def safe_markdown(text: str) -> None:
    """Refuse links that run something, a second title, and formulas that cannot be read."""
    for target in link_targets(text):
        scheme = _SCHEME.match(_DROPPED.sub("", target))
        if scheme and scheme[1].lower() not in SCHEMES:
            raise ValidationError(
                f"The link to “{target}” uses “{scheme[1]}:”. Links may be paths of this site, "
                f"or use {', '.join(SCHEMES)}.",
                code="scheme",
            )
    if has_title(text):
        raise ValidationError(
            "The text has a heading of the first level (# or a line of =====). The title is the "
            "page's only one: begin sections with ##.",
            code="title",
        )
    for latex in formulas(text):
        safe_formula(latex)


def safe_formula(latex: str) -> None:
    """Refuse LaTeX that no formula can be made of."""
    try:
        formula_html(latex)
    except BrokenFormula as error:
        raise ValidationError(str(error), code="formula") from error
