"""Validators of Markdown texts and formulas.

They are not in `catalogue.texts.markdown`, which imports no framework and loads the libraries.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from catalogue.accounts.languages import translate_around
from catalogue.texts import limits

if TYPE_CHECKING:
    from catalogue.texts.markdown.source import Reading

QUOTED = re.compile(r'"[^"]*"')
MAX_FAULTS = 20
"""Faults of a text that are named at once."""

UNSAFE_LINK = gettext_noop(
    "The link to “%(target)s” uses “%(scheme)s:”. Links may be paths of this site, or use "
    "%(allowed)s."
)
SECOND_TITLE = gettext_noop(
    "The text has a heading of the first level (# or a line of =====). The title is the "
    "page's only one: begin sections with ##."
)
FOREIGN_IMAGE = gettext_noop(
    "The image “%(target)s” is not of this site, and pages load nothing from elsewhere. "
    "Images may be paths of this site, such as /icons/phyzix.svg."
)
UNDESCRIBED_IMAGE = gettext_noop(
    "The image “%(target)s” has no alternative text, so readers who cannot see it learn nothing. "
    "Write what it shows between the brackets: ![what it shows](%(target)s)."
)
TOO_MANY_FORMULAS = gettext_noop(
    "The text has %(found)s formulas; at most %(allowed)s are allowed."
)
NOT_LATEX = gettext_noop("The formula “%(latex)s” cannot be read as LaTeX: %(reason)s")

# Browsers remove these characters from an address before they read its scheme.
_IGNORED_BY_BROWSERS = re.compile(r"[\x00-\x20]")
_SCHEME_OF_TARGET = re.compile(r"^\s*([a-zA-Z][a-zA-Z0-9+.-]*):")


def validate_markdown(text: str) -> None:
    """Refuse a text that a page cannot show to every reader, with all faults at once.

    Refused are too many or broken formulas, links that run a script, a second title, and images of
    other sites or without alternative text.
    """
    from catalogue.texts import markdown  # noqa: PLC0415  (most processes validate nothing)

    faults = [*islice(find_markdown_faults(markdown.read(text)), MAX_FAULTS)]
    if faults:
        raise ValidationError(faults)


def find_markdown_faults(reading: "Reading") -> Iterator[ValidationError]:
    from catalogue.texts import markdown  # noqa: PLC0415  (most processes validate nothing)

    unsafe = set()
    for target in dict.fromkeys(reading.targets):
        scheme = _SCHEME_OF_TARGET.match(_IGNORED_BY_BROWSERS.sub("", target))
        if scheme and scheme[1].lower() not in markdown.SCHEMES:
            unsafe.add(target)
            allowed = ", ".join(markdown.SCHEMES)
            found = {"target": target, "scheme": scheme[1], "allowed": allowed}
            yield ValidationError(_(UNSAFE_LINK), "scheme", found)
    if reading.has_title:
        yield ValidationError(_(SECOND_TITLE), "title")
    for target in dict.fromkeys(reading.images):
        is_own = target.startswith("/") and not target.startswith("//")
        if not is_own and target not in unsafe:
            yield ValidationError(_(FOREIGN_IMAGE), "foreign_image", {"target": target})
    for target in dict.fromkeys(reading.undescribed_images):
        yield ValidationError(_(UNDESCRIBED_IMAGE), "alternative_text", {"target": target})
    if len(reading.formulas) > limits.FORMULAS:
        found = {"found": intcomma(len(reading.formulas)), "allowed": intcomma(limits.FORMULAS)}
        yield ValidationError(_(TOO_MANY_FORMULAS), "limit", found)
        return
    for latex in dict.fromkeys(reading.formulas):
        try:
            validate_formula(latex)
        except ValidationError as fault:
            yield fault


def validate_formula(latex: str) -> None:
    """Refuse LaTeX that cannot be converted to MathML."""
    from catalogue.texts import markdown  # noqa: PLC0415  (most processes validate nothing)

    try:
        markdown.formula_html(latex)
    except markdown.BrokenFormula as error:
        values = {name: intcomma(each) for name, each in error.values.items()}
        reason = _(error.reason) % values if values else ""
        reason = reason or translate_around(QUOTED, error.reason)
        found = {"latex": error.latex, "reason": reason}
        raise ValidationError(_(NOT_LATEX), "formula", found) from error
