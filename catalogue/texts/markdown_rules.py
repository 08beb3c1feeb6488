"""Validators of Markdown texts and formulas.

They are not in `catalogue.texts.markdown`, which imports no framework and loads the libraries.
"""

import re

from django.core.exceptions import ValidationError

from catalogue.texts import limits

# Browsers remove these characters from an address before they read its scheme.
_IGNORED_BY_BROWSERS = re.compile(r"[\x00-\x20]")
_SCHEME_OF_TARGET = re.compile(r"^\s*([a-zA-Z][a-zA-Z0-9+.-]*):")


def validate_markdown(text: str) -> None:
    """Refuse a text that a page cannot show to every reader.

    Refused are too many or broken formulas, links that run a script, a second title, and images of
    other sites or without alternative text.
    """
    from catalogue.texts import markdown  # noqa: PLC0415  (most processes validate nothing)

    reading = markdown.read(text)
    if len(reading.formulas) > limits.FORMULAS:
        raise ValidationError(
            f"The text has {len(reading.formulas):,} formulas; "
            f"at most {limits.FORMULAS:,} are allowed.",
            code="limit",
        )
    for target in reading.targets:
        scheme = _SCHEME_OF_TARGET.match(_IGNORED_BY_BROWSERS.sub("", target))
        if scheme and scheme[1].lower() not in markdown.SCHEMES:
            raise ValidationError(
                f"The link to “{target}” uses “{scheme[1]}:”. Links may be paths of this site, "
                f"or use {', '.join(markdown.SCHEMES)}.",
                code="scheme",
            )
    if reading.has_title:
        raise ValidationError(
            "The text has a heading of the first level (# or a line of =====). The title is the "
            "page's only one: begin sections with ##.",
            code="title",
        )
    for target in reading.images:
        if not target.startswith("/") or target.startswith("//"):
            raise ValidationError(
                f"The image “{target}” is not of this site, and pages load nothing from elsewhere. "
                "Images may be paths of this site, such as /icons/phyzix.svg.",
                code="foreign_image",
            )
    for target in reading.undescribed_images:
        raise ValidationError(
            f"The image “{target}” has no alternative text, so readers who cannot see it "
            f"learn nothing. Write what it shows between the brackets: ![what it shows]({target}).",
            code="alternative_text",
        )
    for latex in reading.formulas:
        validate_formula(latex)


def validate_formula(latex: str) -> None:
    """Refuse LaTeX that cannot be converted to MathML."""
    from catalogue.texts import markdown  # noqa: PLC0415  (most processes validate nothing)

    try:
        markdown.formula_html(latex)
    except markdown.BrokenFormula as error:
        raise ValidationError(str(error), code="formula") from error
