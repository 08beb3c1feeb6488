"""The admin's pages as an editor's browser meets them: opened, typed into, sent."""

from collections.abc import Iterator
from typing import Any

from django.db import models
from django.forms import BaseForm, BoundField, CheckboxInput, MultiWidget
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse


def address(model: type[models.Model], page: str, *args: Any) -> str:
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}"
    return reverse(name, args=args)


def form_of(row: models.Model) -> str:
    return address(type(row), "change", row.pk)


def save(editor: Client, row: models.Model, **typed: Any) -> HttpResponse:
    """Open the form of a row, type, and press Save."""
    page = editor.get(form_of(row))
    return editor.post(form_of(row), as_sent(page) | typed)


def errors(page: HttpResponse) -> dict[str, list[str]]:
    return dict(page.context["adminform"].form.errors)


def act(editor: Client, action: str, *chosen: models.Model) -> list[str]:
    """Run an action on rows of one model; answers what the editor is told."""
    selected = {"action": action, "_selected_action": [row.pk for row in chosen]}
    page = editor.post(address(type(chosen[0]), "changelist"), selected, follow=True)
    return [str(message) for message in page.context["messages"]]


def labels(model: type[models.Model]) -> str:
    return model._meta.label_lower


def as_sent(page: HttpResponse) -> dict[str, Any]:
    """What saving a rendered change form sends when nothing has been typed."""
    return {name: value for form in forms(page) for bound in form for name, value in sent(bound)}


def forms(page: HttpResponse) -> Iterator[BaseForm]:
    context: dict[str, Any] = page.context  # type: ignore[attr-defined]
    yield context["adminform"].form
    for inline in context["inline_admin_formsets"]:
        yield inline.formset.management_form
        yield from inline.formset.forms


def sent(bound: BoundField) -> Iterator[tuple[str, Any]]:
    """The inputs of a field with their values, with the line ends of a browser."""
    widget, value = bound.field.widget, bound.value()
    if isinstance(widget, MultiWidget):
        for number, part in enumerate(widget.decompress(value)):
            yield f"{bound.html_name}_{number}", "" if part is None else str(part)
    elif isinstance(value, str):
        yield bound.html_name, value.replace("\n", "\r\n")
    elif not isinstance(widget, CheckboxInput) or value:
        yield bound.html_name, "" if value is None else value
