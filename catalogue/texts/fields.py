"""Text columns, which store a normalized text."""

import unicodedata
from typing import Any

from django import forms
from django.core.validators import MaxLengthValidator
from django.db import models

from catalogue.rules import validate_one_line, validate_printable
from catalogue.texts import limits
from catalogue.texts.normalizing import normalize_text


class NormalizedColumn:
    """A column whose texts are normalized when they are written.

    It is read in NFC, even if a database client wrote another form.
    """

    def get_prep_value(self, value: Any) -> Any:
        value = super().get_prep_value(value)  # type: ignore[misc]
        return normalize_text(value) if isinstance(value, str) else value

    def from_db_value(self, value: str | None, *context: object) -> str | None:
        return value and unicodedata.normalize("NFC", value)


class ProseInput(forms.CharField):
    """A form field that returns a text as it is stored, so that an equal text is unchanged."""

    def to_python(self, value: Any) -> str:
        return normalize_text(super().to_python(value) or "")


class LinesInput(ProseInput):
    """A form field for a text of lines; it drops empty lines."""

    def to_python(self, value: Any) -> str:
        return "\n".join(lines_of(super().to_python(value)))


def lines_of(text: str) -> list[str]:
    return [line.strip() for line in normalize_text(text).split("\n") if line.strip()]


class Line(NormalizedColumn, models.CharField[str, str]):
    """One line of text."""

    default_validators = [validate_printable, validate_one_line]


class Prose(NormalizedColumn, models.TextField[str, str]):
    """Text of several lines, at most as long as its limit says."""

    default_validators = [validate_printable]

    def __init__(self, *args: Any, limit: int = limits.PLAIN_LENGTH, **options: Any) -> None:
        super().__init__(*args, **options)
        self.limit = limit

    def run_validators(self, value: Any) -> None:
        """Check the length first, because other validators take time that grows with the text."""
        MaxLengthValidator(self.limit)(value or "")
        super().run_validators(value)

    def formfield(self, **options: Any) -> Any:
        return super().formfield(**{"form_class": ProseInput, **options})


class Lines(models.TextField[list[str], list[str]]):
    """A list of short texts, edited and stored as one text a line, and read as `list[str]`."""

    limit = limits.PLAIN_LENGTH

    def from_db_value(self, value: str | None, *context: object) -> list[str]:
        return self.to_python(value)

    def to_python(self, value: Any) -> list[str]:
        return lines_of("\n".join(value) if isinstance(value, list) else value or "")

    def get_prep_value(self, value: Any) -> str:
        return normalize_text("\n".join(self.to_python(value)))

    def value_to_string(self, obj: models.Model) -> str:
        return self.get_prep_value(self.value_from_object(obj))

    def value_from_object(self, obj: models.Model) -> Any:
        return "\n".join(self.to_python(super().value_from_object(obj)))

    def formfield(self, **options: Any) -> Any:
        return super().formfield(**{"form_class": LinesInput, **options})

    def save_form_data(self, instance: models.Model, data: Any) -> None:
        super().save_form_data(instance, self.to_python(data))

    def run_validators(self, value: Any) -> None:
        text = "\n".join(value)
        MaxLengthValidator(self.limit)(text)
        validate_printable(text)
        super().run_validators(value)
