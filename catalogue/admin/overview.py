"""The front page of the admin: numbers of rows by state, and what waits for its readers."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.text import capfirst

from catalogue.admin.workflow import STATES, PublishableAdmin


def overview_context(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Return the context of the front page, with the rows that the editor may see."""
    kinds: list[Any] = [
        kind
        for kind in admin.site._registry.values()
        if hasattr(kind, "list_waiting") and kind.has_view_or_change_permission(request)
    ]
    return context | {
        "kinds": [count_kind(kind) for kind in kinds if isinstance(kind, PublishableAdmin)],
        "waiting": [text for kind in kinds for text in kind.list_waiting()],
    }


def count_kind(kind: PublishableAdmin) -> dict[str, Any]:
    counts = kind.count_states(kind.model._default_manager.all())
    return {
        "name": capfirst(str(kind.opts.verbose_name_plural)),
        "list": reverse(f"admin:catalogue_{kind.opts.model_name}_changelist"),
        "counts": [
            (state, count, STATES[state].lower()) for state, count in counts.items() if count
        ],
    }
