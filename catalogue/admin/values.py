"""Form fields that refuse values which no column can hold, before a query uses them.

SQLite and PostgreSQL raise an error for a key of twenty digits, and Django for a moment whose day
in another time zone is in the year 0 or 10000.
"""

from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import date, datetime
from typing import Any, cast

from django.core.exceptions import ValidationError
from django.core.validators import ProhibitNullCharactersValidator
from django.db import models
from django.forms import (
    BaseForm,
    DateTimeField,
    Field,
    ModelChoiceField,
    ModelMultipleChoiceField,
    SplitDateTimeField,
)
from django.forms.formsets import INITIAL_FORM_COUNT, TOTAL_FORM_COUNT, ManagementForm
from django.utils.functional import cached_property

FIRST_YEAR = 1900
LAST_YEAR = 9998
MAX_ROWS = 200
"""The maximum number of rows of an inline or of a list."""


def can_hold(column: "models.Field[Any, Any]", value: Any) -> bool:
    """Whether a column can hold a value, in the types and the range of the database."""
    try:
        ProhibitNullCharactersValidator()(value)
        column.clean(value, None)
    except ValidationError:
        return False
    return True


class KeysField:
    """A field of a relation that refuses a key which its column cannot hold."""

    queryset: Any
    to_field_name: str | None
    default_error_messages = {"invalid_choice": "“%(value)s” is not one of the choices."}

    def is_key(self, value: Any) -> bool:
        meta = self.queryset.model._meta
        column = meta.get_field(self.to_field_name) if self.to_field_name else meta.pk
        return isinstance(value, models.Model) or can_hold(column, value)

    def refuse_others(self, values: Collection[Any]) -> None:
        for value in values:
            if not self.is_key(value):
                raise ValidationError(
                    self.default_error_messages["invalid_choice"],
                    code="invalid_choice",
                    params={"value": value},
                )


class KeyField(KeysField, ModelChoiceField):  # type: ignore[type-arg,misc]
    def to_python(self, value: Any) -> Any:
        if value not in self.empty_values:
            self.refuse_others([value])
        return super().to_python(value)

    def bound_data(self, data: Any, initial: Any) -> Any:
        return data if data in self.empty_values or self.is_key(data) else None


class KeyListField(KeysField, ModelMultipleChoiceField):  # type: ignore[type-arg,misc]
    def _check_values(self, value: Any) -> Any:
        self.refuse_others(value)
        return super()._check_values(value)  # type: ignore[misc]

    def bound_data(self, data: Any, initial: Any) -> Any:
        return [key for key in data or () if self.is_key(key)]


class SplitMomentField(SplitDateTimeField):
    """A date with a time, in years that exist in every time zone."""

    def compress(self, data_list: Any) -> Any:
        if data_list and isinstance(data_list[0], date):
            check_year(data_list[0])
        return super().compress(data_list)

    def read(self, text: str) -> datetime | None:
        """Return the moment of a text such as `2026-05-06 07:08`."""
        moment = DateTimeField(required=self.required).clean(text)
        if moment:
            check_year(moment)
        return cast("datetime | None", moment)


def check_year(day: date) -> None:
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise ValidationError(
            f"The year is {day.year}; years from {FIRST_YEAR} to {LAST_YEAR} are allowed."
        )


FORM_FIELDS: Mapping[Any, Mapping[str, Any]] = {
    models.DateTimeField: {"form_class": SplitMomentField},
    models.ForeignKey: {"form_class": KeyField},
    models.OneToOneField: {"form_class": KeyField},
    models.ManyToManyField: {"form_class": KeyListField},
}
"""The `formfield_overrides` of every form and inline of the admin."""


def initial_data(form: BaseForm, query: dict[str, str]) -> dict[str, Any]:
    """Return the values of a query string that the fields of a form accept."""
    initial = {}
    for name in query.keys() & form.fields.keys():
        with suppress(ValidationError):
            initial[name] = clean_text(form.fields[name], query[name])
    return initial


def clean_text(field: Field, text: str) -> Any:
    """Return the value that a field reads from a text. Raises `ValidationError`."""
    if isinstance(field, SplitMomentField):
        return field.read(text)
    return field.clean(text.split(",") if isinstance(field, ModelMultipleChoiceField) else text)


class LimitedRows:
    """A formset that builds no forms if a request states an impossible number of rows."""

    default_error_messages = {
        "missing_management_form": (
            "The number of rows in %(field_names)s is missing or impossible; "
            f"numbers from 0 to {MAX_ROWS} are allowed. Load the page again."
        )
    }

    @cached_property
    def management_form(self) -> ManagementForm:
        form: ManagementForm = super().management_form  # type: ignore[misc]
        if form.is_bound:
            names = (TOTAL_FORM_COUNT, INITIAL_FORM_COUNT)
            for name in names:
                if not 0 <= cast("int", form.cleaned_data[name]) <= MAX_ROWS:
                    form.add_error(name, f"Enter a number from 0 to {MAX_ROWS}.")
            if form.errors:
                form.cleaned_data |= dict.fromkeys(names, 0)
        return form
