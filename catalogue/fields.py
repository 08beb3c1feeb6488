"""Text columns: what is stored is composed Unicode (NFC) with plain line ends, whoever writes."""

import unicodedata
from typing import Any

from django import forms
from django.db import models

from catalogue import limits
from catalogue.limits import Limit
from catalogue.rules import one_line, printable, within


def composed(text: str) -> str:
    r"""NFC with `\n` line ends and none around: what a browser or a file sends becomes one form."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return unicodedata.normalize("NFC", plain).rstrip().lstrip("\n")


class Composed:
    """Reads a column in NFC, also where a database client wrote something else."""

    def from_db_value(self, value: str | None, *context: object) -> str | None:
        return value and unicodedata.normalize("NFC", value)


class ProseInput(forms.CharField):
    """Text as an editor types it, in the form in which it is stored: what is alike is unchanged."""

    def to_python(self, value: Any) -> str:
        return composed(super().to_python(value) or "")


class LinesInput(ProseInput):
    """A text of lines, without the empty ones."""

    def to_python(self, value: Any) -> str:
        return "\n".join(lines_of(super().to_python(value)))


def lines_of(text: str) -> list[str]:
    return [line.strip() for line in composed(text).split("\n") if line.strip()]


class Line(Composed, models.CharField[str, str]):
    """One line of text."""

    default_validators = [printable, one_line]

    def get_prep_value(self, value: Any) -> Any:
        value = super().get_prep_value(value)
        return composed(value) if isinstance(value, str) else value


class Prose(Composed, models.TextField[str, str]):
    """Text of several lines, at most as long as its limit says."""

    default_validators = [printable]

    def __init__(self, *args: Any, limit: Limit = limits.PLAIN_LENGTH, **options: Any) -> None:
        super().__init__(*args, **options)
        self.limit = limit

    def run_validators(self, value: Any) -> None:
        """Other validators take time that grows with the text, so its length comes first."""
        within(self.limit, len(value or ""))
        super().run_validators(value)

    def get_prep_value(self, value: Any) -> Any:
        value = super().get_prep_value(value)
        return composed(value) if isinstance(value, str) else value

    def formfield(self, **options: Any) -> Any:
        return super().formfield(**{"form_class": ProseInput, **options})


class Lines(models.TextField[list[str], list[str]]):
    """A list of short texts, edited and stored one a line, read as `list[str]`."""

    limit = limits.PLAIN_LENGTH

    def from_db_value(self, value: str | None, *context: object) -> list[str]:
        return self.to_python(value)

    def to_python(self, value: Any) -> list[str]:
        return lines_of("\n".join(value) if isinstance(value, list) else value or "")

    def get_prep_value(self, value: Any) -> str:
        return composed("\n".join(self.to_python(value)))

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
        within(self.limit, len(text))
        printable(text)
        super().run_validators(value)
