"""The front page of the admin: numbers of rows by state, and rows that are not yet published."""

from collections.abc import Iterator
from datetime import datetime
from itertools import chain
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from msgspec import Struct

from catalogue.admin.workflow import COLOURS, SCHEDULED
from catalogue.appearance import may_view
from catalogue.models import State, is_visible
from catalogue.revision import PUBLISHABLE

MAX_WAITING_ROWS_PER_KIND = 5
"""Limit of the rows that are shown for each kind."""


class Kind(Struct, frozen=True):
    """One kind of content, with the number of its rows in each state."""

    name: str
    list: str
    shown: int
    scheduled: int
    in_review: int
    draft: int

    @property
    def others(self) -> Iterator[tuple[int, str, str]]:
        """The numbers of rows that are not published, with their words and colours."""
        words = (
            (self.scheduled, "d scheduled", COLOURS[SCHEDULED]),
            (self.in_review, "d in review", COLOURS[State.IN_REVIEW]),
            (self.draft, "d draft", COLOURS[State.DRAFT]),
        )
        return (entry for entry in words if entry[0])


class Waiting(Struct, frozen=True):
    """A row that readers do not see yet, with the address of its form."""

    title: str
    kind: str
    form: str
    state: str
    look: str
    publish_at: datetime | None


def overview_context(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Return the context of the front page, with the rows that the editor may see."""
    at = timezone.now()
    allowed = [
        rows for rows in publishable_rows() if may_view("catalogue", model_name(rows))(request)
    ]
    return context | {
        "kinds": [count_kind(rows, at) for rows in allowed],
        "waiting": list(chain.from_iterable(waiting_rows(rows, at) for rows in allowed)),
    }


def publishable_rows() -> list[QuerySet[Any]]:
    return [model.objects.all() for model in PUBLISHABLE]


def model_name(rows: QuerySet[Any]) -> str:
    return str(rows.model._meta.model_name)


def count_kind(rows: QuerySet[Any], at: datetime) -> Kind:
    published = Q(state=State.PUBLISHED)
    counts = rows.aggregate(
        shown=Count("pk", filter=is_visible(at)),
        scheduled=Count("pk", filter=published & ~is_visible(at)),
        in_review=Count("pk", filter=Q(state=State.IN_REVIEW)),
        draft=Count("pk", filter=Q(state=State.DRAFT)),
    )
    title = capfirst(str(rows.model._meta.verbose_name_plural))
    return Kind(title, reverse(f"admin:catalogue_{model_name(rows)}_changelist"), **counts)


def waiting_rows(rows: QuerySet[Any], at: datetime) -> Iterator[Waiting]:
    """Yield rows in review and scheduled rows."""
    due = Q(state=State.IN_REVIEW) | Q(state=State.PUBLISHED, publish_at__gt=at)
    for row in rows.filter(due).order_by("publish_at", "pk")[:MAX_WAITING_ROWS_PER_KIND]:
        scheduled = row.state == State.PUBLISHED
        yield Waiting(
            title=str(row),
            kind=str(rows.model._meta.verbose_name),
            form=reverse(f"admin:catalogue_{model_name(rows)}_change", args=[row.pk]),
            state="Scheduled" if scheduled else "In review",
            look=COLOURS[SCHEDULED if scheduled else State.IN_REVIEW],
            publish_at=row.publish_at if scheduled else None,
        )
