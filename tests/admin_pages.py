"""Forms of the admin, opened, filled in and sent as by a browser."""

from collections.abc import Iterator
from typing import Any

from django.db import models
from django.forms import BaseForm, BoundField, CheckboxInput, MultiWidget
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse


def admin_address(model: type[models.Model], page: str, *args: Any) -> str:
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}"
    return reverse(name, args=args)


def form_address(row: models.Model) -> str:
    return admin_address(type(row), "change", row.pk)


def save_form(editor: Client, row: models.Model, **typed: Any) -> HttpResponse:
    """Open the form of a row, fill it in and send it."""
    page = editor.get(form_address(row))
    return editor.post(form_address(row), form_data(page) | typed)


def form_errors(page: HttpResponse) -> dict[str, list[str]]:
    return dict(page.context["adminform"].form.errors)


def model_label(model: type[models.Model]) -> str:
    return model._meta.label_lower


def form_data(page: HttpResponse) -> dict[str, Any]:
    """Return the data that an unchanged form sends, with the fields of the desk."""
    desk = page.context.get("desk") or {}  # type: ignore[attr-defined]
    hidden = {f"_{name}": desk[name] for name in ("key", "base") if name in desk}
    return hidden | {
        name: value
        for form in page_forms(page)
        for bound in form
        for name, value in field_data(bound)
    }


def page_forms(page: HttpResponse) -> Iterator[BaseForm]:
    context: dict[str, Any] = page.context  # type: ignore[attr-defined]
    yield context["adminform"].form
    for inline in context["inline_admin_formsets"]:
        yield inline.formset.management_form
        yield from inline.formset.forms


def field_data(bound: BoundField) -> Iterator[tuple[str, Any]]:
    """Return the inputs of a field with their values, and with the line ends of a browser."""
    widget, value = bound.field.widget, bound.value()
    if isinstance(widget, MultiWidget):
        parts = value if isinstance(value, list) else widget.decompress(value)
        for number, part in enumerate(parts):
            yield f"{bound.html_name}_{number}", "" if part is None else str(part)
    elif isinstance(value, str):
        yield bound.html_name, value.replace("\r\n", "\n").replace("\n", "\r\n")
    elif not isinstance(widget, CheckboxInput) or value:
        yield bound.html_name, "" if value is None else value
