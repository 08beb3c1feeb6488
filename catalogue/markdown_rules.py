"""What a Markdown text may not contain."""

import re

from django.core.exceptions import ValidationError

# Browsers drop these from an address before they read its scheme.
_DROPPED = re.compile(r"[\x00-\x20]")
_SCHEME = re.compile(r"^\s*([a-zA-Z][a-zA-Z0-9+.-]*):")


def safe_markdown(text: str) -> None:
    """Refuse what a page cannot show to everyone.

    Texts beyond a limit, links that run something, a second title, images that only eyes can read,
    broken formulas.
    """
    from catalogue import markdown  # noqa: PLC0415  (most processes validate nothing)

    try:
        reading = markdown.read_for_form(text)
    except markdown.LimitExceeded as error:
        raise ValidationError(str(error), code="limit") from error
    for target in reading.targets:
        scheme = _SCHEME.match(_DROPPED.sub("", target))
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
            f"The image “{target}” has no alternative text, so whoever cannot see it learns "
            f"nothing. Write what it shows between the brackets: ![what it shows]({target}).",
            code="alternative_text",
        )
    for latex in reading.formulas:
        safe_formula(latex)


def safe_formula(latex: str) -> None:
    """Refuse LaTeX that no formula can be made of."""
    from catalogue import markdown  # noqa: PLC0415  (most processes validate nothing)

    try:
        markdown.formula_html(latex)
    except markdown.BrokenFormula as error:
        raise ValidationError(str(error), code="formula") from error
    except markdown.LimitExceeded as error:
        raise ValidationError(str(error), code="limit") from error
