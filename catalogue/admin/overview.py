"""The front page of the admin: numbers of rows by state, and rows that are not yet published."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst

from catalogue.admin.appearance import may_view
from catalogue.admin.lists import format_moment
from catalogue.admin.workflow import SCHEDULED, STATES, conditions_of_states, count_rows, state_cell
from catalogue.models import Publishable, State
from catalogue.triggers.revision import PUBLISHABLE

MAX_WAITING_ROWS_PER_KIND = 5
"""Limit of the rows that are shown for each kind."""


def overview_context(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Return the context of the front page, with the rows that the editor may see."""
    at = timezone.now()
    allowed = [
        model
        for model in PUBLISHABLE
        if may_view("catalogue", str(model._meta.model_name))(request)
    ]
    return context | {
        "kinds": [count_kind(model, at) for model in allowed],
        "waiting": [row for model in allowed for row in waiting_rows(model, at)],
    }


def count_kind(model: type[Publishable], at: datetime) -> dict[str, Any]:
    conditions = conditions_of_states(at)
    return {
        "name": capfirst(str(model._meta.verbose_name_plural)),
        "list": reverse(f"admin:catalogue_{model._meta.model_name}_changelist"),
        "counts": [
            (state, count, STATES[state].lower())
            for state, count in count_rows(model._default_manager.all(), conditions).items()
            if count
        ],
    }


def waiting_rows(model: type[Publishable], at: datetime) -> Iterator[dict[str, Any]]:
    """Yield rows in review and scheduled rows."""
    due = Q(state=State.IN_REVIEW) | Q(state=State.PUBLISHED, publish_at__gt=at)
    rows = model._default_manager.filter(due).order_by("publish_at", "pk")
    for row in rows[:MAX_WAITING_ROWS_PER_KIND]:
        scheduled = row.state == State.PUBLISHED
        yield {
            "title": str(row),
            "kind": str(model._meta.verbose_name),
            "form": reverse(f"admin:catalogue_{model._meta.model_name}_change", args=[row.pk]),
            "state": state_cell(SCHEDULED if scheduled else State.IN_REVIEW),
            "appears": format_moment(row.publish_at) if scheduled else "",
        }
