"""The contract's rules about values and rows; each pattern is written once.

A rule is a constraint, because not every write comes from a form. Forms validate constraints, and
show their errors at the field to correct.
"""

import unicodedata
from collections.abc import Collection
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.utils.translation import gettext as _

# A slug of the contract. It has no dot, because its address must not look like a file's.
SLUG = r"^[a-z0-9-]+$"
YEAR = r"^[0-9]{4}$"
YEAR_MONTH = r"^[0-9]{4}-(0[1-9]|1[0-2])$"
# `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; a validator checks the calendar (30 February).
PARTIAL_DATE = r"^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$"
LANGUAGE = r"^[a-z]{2}$"
LANGUAGE_LIST = r"^[a-z]{2}(\n[a-z]{2})*$"
VERSION_NAME = r"^v[1-9][0-9]*$"
SEMANTIC_VERSION = r"^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$"
# Addresses of RFC 3986 in ASCII: complete escapes, at most one fragment, and a host if absolute.
_CHARACTER = r"[A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2}"
_REST = rf"({_CHARACTER})*(#({_CHARACTER})*)?"
_ORIGIN = r"https?://[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?"
WEB_ADDRESS = rf"^{_ORIGIN}([/?]{_REST})?$"
PATH_OR_WEB_ADDRESS = rf"^(/([A-Za-z0-9._~-]{_REST})?|{_ORIGIN}([/?]{_REST})?)$"
# The contact for reports of weaknesses: RFC 9116 requires a URI, and https for a web address.
_SECURE = _ORIGIN.replace("https?", "https")
CONTACT = rf"^(mailto:[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+|{_SECURE}([/?]{_REST})?)$"
PATH_OR_SECURE_ADDRESS = rf"^(/([A-Za-z0-9._~-]{_REST})?|{_SECURE}([/?]{_REST})?)$"

models.TextField.register_lookup(Length)

DIRECTION_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Controls of the text direction, because with them a shown text differs from the stored one."""

PATTERN_MESSAGES = {
    SLUG: "Use lower-case letters a–z, digits and hyphens only, for example “tilt-and-gravity”.",
    YEAR: "Give a year as four digits, for example 2026.",
    YEAR_MONTH: "Give a year and a month as YYYY-MM, for example 2026-09.",
    PARTIAL_DATE: "Give a date as YYYY, YYYY-MM or YYYY-MM-DD, for example 2026-09.",
    VERSION_NAME: "Give a version as v and a number, for example v1.",
    SEMANTIC_VERSION: "Give a semantic version, for example 1.0.0.",
    WEB_ADDRESS: "Give a full address that begins with https:// or http://.",
    PATH_OR_WEB_ADDRESS: "Give a path such as /apps/stashio, or a full https:// address.",
    CONTACT: "Give mailto: and an e-mail address, or an address that begins with https://.",
    PATH_OR_SECURE_ADDRESS: "Give a path such as /privacy, or a full address with https://.",
}


def anchor_pattern(pattern: str) -> str:
    r"""Replace the final `$` of a pattern by `\Z`, which does not match before a last newline."""
    return pattern.removesuffix("$") + r"\Z"


def validate_web_address(value: str) -> None:
    """Refuse a text that is not a web address, which the contract calls a URI."""
    URLValidator(schemes=["http", "https"], message=_(PATTERN_MESSAGES[WEB_ADDRESS]))(value)


def validate_printable(value: str) -> None:
    """Refuse control characters, because feeds and terminals cannot show them."""
    for character in value:
        unwanted = (
            unicodedata.category(character) in ("Cc", "Cs") or character in DIRECTION_CONTROLS
        )
        if (unwanted and character not in "\n\t") or is_noncharacter(ord(character)):
            raise ValidationError(
                _("The text contains the control character %(code)s; remove it.")
                % {"code": f"U+{ord(character):04X}"},
                code="control_character",
            )


def is_noncharacter(code: int) -> bool:
    """Whether a code point is a noncharacter, which XML forbids (Unicode, section 23.7)."""
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF  # noqa: PLR2004


def validate_one_line(value: str) -> None:
    """Refuse a text with a line end inside, including the line ends of Unicode."""
    if len(value.splitlines()) > 1:
        raise ValidationError(_("The text has a line end inside; write it in one line."), "lines")


class AtField(models.BaseConstraint):
    """A constraint whose error is shown, translated, at the field that an editor has to correct."""

    field: str

    def validate(
        self,
        model: type[models.Model],
        instance: models.Model,
        exclude: Collection[str] | None = None,
        using: str = "default",
    ) -> None:
        try:
            super().validate(model, instance, exclude=set(exclude or ()), using=using)
        except ValidationError as error:
            raise ValidationError({self.field: _(str(self.violation_error_message))}) from error

    def deconstruct(self) -> Any:
        path, args, options = super().deconstruct()
        return path, args, options | {"field": self.field, "message": self.violation_error_message}


class Rule(AtField, models.CheckConstraint):
    """A condition that every row fulfils."""

    def __init__(
        self, *, name: str, condition: Q, field: str, message: str, **options: Any
    ) -> None:
        self.field = field
        options["violation_error_message"] = message
        super().__init__(name=name, condition=condition, **options)


class UniqueRule(AtField, models.UniqueConstraint):
    """Values that only one row may have."""

    def __init__(self, *, field: str, message: str, **options: Any) -> None:
        self.field = field
        options["violation_error_message"] = message
        super().__init__(**options)


def pattern_rule(model: str, field: str, pattern: str, *, optional: bool = False) -> Rule:
    """Return the constraint that a column matches a pattern."""
    condition = Q(**{f"{field}__regex": anchor_pattern(pattern)})
    return Rule(
        name=f"{model}_{field}_has_its_pattern",
        condition=condition | Q(**{field: ""}) if optional else condition,
        field=field,
        message=PATTERN_MESSAGES[pattern],
    )


def choice_rule(model: str, field: str, choices: type[models.TextChoices]) -> Rule:
    return Rule(
        name=f"{model}_{field}_is_one_of_its_values",
        condition=Q(**{f"{field}__in": choices.values}),
        field=field,
        message=f"Choose one of {', '.join(choices.values)}.",
    )


def filled_rules(model: str, *fields: str) -> list[Rule]:
    return [
        Rule(
            name=f"{model}_{field}_is_not_empty",
            condition=~Q(**{field: ""}),
            field=field,
            message="This text is required.",
        )
        for field in fields
    ]


def length_rule(model: str, length: int, *columns: str, **others: int) -> Rule:
    """Return the constraint on the length of texts; `others` are columns with their own limits."""
    lengths = {**dict.fromkeys(columns, length), **others}
    return Rule(
        name=f"{model}_texts_have_their_length",
        condition=Q(**{f"{name}__length__lte": each for name, each in lengths.items()}),
        field=next(iter(lengths)),
        message="One of the texts of this row is too long.",
    )


def translation_rule(model: str, name: str) -> Rule:
    """Return the constraint that a Vietnamese text has an English one, as the contract requires."""
    return Rule(
        name=f"{model}_{name}_vi_needs_{name}_en",
        condition=Q(**{f"{name}_vi": ""}) | ~Q(**{f"{name}_en": ""}),
        field=f"{name}_en",
        message="Write the English text too: it is required where there is Vietnamese.",
    )


def together_rule(model: str, *fields: str) -> Rule:
    """Return the constraint that either all of some texts are translated or none is."""
    return Rule(
        name=f"{model}_is_translated_whole_or_not",
        condition=Q(**dict.fromkeys(fields, "")) | ~Q(*((f, "") for f in fields), _connector=Q.OR),
        field=fields[-1],
        message="Translate all of these or none: "
        + ", ".join(field.removesuffix("_vi") for field in fields)
        + ".",
    )
