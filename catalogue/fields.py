"""Text columns: what is stored is composed Unicode (NFC) with plain line ends, whoever writes."""

import unicodedata
from typing import Any

from django import forms
from django.db import models

from catalogue.rules import printable


def composed(text: str) -> str:
    r"""NFC with `\n` line ends and none around: what a browser or a file sends becomes one form."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return unicodedata.normalize("NFC", plain).rstrip().lstrip("\n")


class Line(models.CharField):  # type: ignore[type-arg]
    """One line of text."""

    default_validators = [printable]

    def get_prep_value(self, value: Any) -> Any:
        value = super().get_prep_value(value)
        return composed(value) if isinstance(value, str) else value


class Prose(models.TextField):  # type: ignore[type-arg]
    """Text of any length."""

    default_validators = [printable]

    def get_prep_value(self, value: Any) -> Any:
        value = super().get_prep_value(value)
        return composed(value) if isinstance(value, str) else value


class Lines(models.TextField):  # type: ignore[type-arg]
    """A list of short texts, edited and stored one a line, read as `list[str]`."""

    def from_db_value(self, value: str | None, *context: object) -> list[str]:
        return self.to_python(value)

    def to_python(self, value: Any) -> list[str]:
        lines = value if isinstance(value, list) else composed(value or "").split("\n")
        return [line.strip() for line in lines if line.strip()]

    def get_prep_value(self, value: Any) -> str:
        return composed("\n".join(self.to_python(value)))

    def value_to_string(self, obj: models.Model) -> str:
        return self.get_prep_value(self.value_from_object(obj))

    def value_from_object(self, obj: models.Model) -> Any:
        return "\n".join(self.to_python(super().value_from_object(obj)))

    def formfield(self, **options: Any) -> Any:
        return super().formfield(**{"widget": forms.Textarea, **options})

    def run_validators(self, value: Any) -> None:
        printable("\n".join(value))
        super().run_validators(value)
