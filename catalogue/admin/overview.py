"""The front page of the admin: numbers of rows by state, and rows that are not yet published."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.text import capfirst

from catalogue.admin.appearance import may_view
from catalogue.admin.lists import format_moment
from catalogue.admin.workflow import SCHEDULED, STATES, count_rows, state_cell
from catalogue.models import Publishable, State
from catalogue.triggers.revision import PUBLISHABLE

MAX_WAITING_ROWS_PER_KIND = 5
"""Limit of the rows that are shown for each kind."""


def overview_context(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Return the context of the front page, with the rows that the editor may see."""
    allowed = [
        model
        for model in PUBLISHABLE
        if may_view("catalogue", str(model._meta.model_name))(request)
    ]
    return context | {
        "kinds": [count_kind(model) for model in allowed],
        "waiting": [row for model in allowed for row in waiting_rows(model)],
    }


def conditions_of(model: type[Publishable]) -> dict[str, Q]:
    """Return the conditions of the states of a kind, as its list has them."""
    kind: Any = admin.site._registry[model]
    return dict(kind.conditions_of_states())


def count_kind(model: type[Publishable]) -> dict[str, Any]:
    conditions = conditions_of(model)
    return {
        "name": capfirst(str(model._meta.verbose_name_plural)),
        "list": reverse(f"admin:catalogue_{model._meta.model_name}_changelist"),
        "counts": [
            (state, count, STATES[state].lower())
            for state, count in count_rows(model._default_manager.all(), conditions).items()
            if count
        ],
    }


def waiting_rows(model: type[Publishable]) -> Iterator[dict[str, Any]]:
    """Yield rows in review and scheduled rows."""
    conditions = conditions_of(model)
    for state in (State.IN_REVIEW, SCHEDULED):
        rows = model._default_manager.filter(conditions[state]).order_by("publish_at", "pk")
        for row in rows[:MAX_WAITING_ROWS_PER_KIND]:
            yield {
                "title": str(row),
                "kind": str(model._meta.verbose_name),
                "form": reverse(f"admin:catalogue_{model._meta.model_name}_change", args=[row.pk]),
                "state": state_cell(state),
                "appears": format_moment(row.publish_at) if state == SCHEDULED else "",
            }
