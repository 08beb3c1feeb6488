"""The admin's front page: how much of each kind is where, and what waits for its readers."""

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
from catalogue.models import State, visible
from catalogue.revision import PUBLISHABLE

MOST = 5
"""Waiting rows that are shown of each kind."""


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
        """What is not published: the number, its words, its colour."""
        words = (
            (self.scheduled, "d scheduled", COLOURS[SCHEDULED]),
            (self.in_review, "d in review", COLOURS[State.IN_REVIEW]),
            (self.draft, "d draft", COLOURS[State.DRAFT]),
        )
        return (others for others in words if others[0])


class Waiting(Struct, frozen=True):
    """A row that readers do not see yet, and the address of its form."""

    title: str
    kind: str
    form: str
    state: str
    look: str
    publish_at: datetime | None


def overview(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """The front page's context, with what the editor may see."""
    at = timezone.now()
    allowed = [rows for rows in everything() if may_view("catalogue", name(rows))(request)]
    return context | {
        "kinds": [kind(rows, at) for rows in allowed],
        "waiting": list(chain.from_iterable(waiting(rows, at) for rows in allowed)),
    }


def everything() -> list[QuerySet[Any]]:
    return [model.objects.all() for model in PUBLISHABLE]


def name(rows: QuerySet[Any]) -> str:
    return str(rows.model._meta.model_name)


def kind(rows: QuerySet[Any], at: datetime) -> Kind:
    published = Q(state=State.PUBLISHED)
    counts = rows.aggregate(
        shown=Count("pk", filter=visible(at)),
        scheduled=Count("pk", filter=published & ~visible(at)),
        in_review=Count("pk", filter=Q(state=State.IN_REVIEW)),
        draft=Count("pk", filter=Q(state=State.DRAFT)),
    )
    title = capfirst(str(rows.model._meta.verbose_name_plural))
    return Kind(title, reverse(f"admin:catalogue_{name(rows)}_changelist"), **counts)


def waiting(rows: QuerySet[Any], at: datetime) -> Iterator[Waiting]:
    """Rows in review, and published ones whose moment is to come."""
    due = Q(state=State.IN_REVIEW) | Q(state=State.PUBLISHED, publish_at__gt=at)
    for row in rows.filter(due).order_by("publish_at", "pk")[:MOST]:
        scheduled = row.state == State.PUBLISHED
        yield Waiting(
            title=str(row),
            kind=str(rows.model._meta.verbose_name),
            form=reverse(f"admin:catalogue_{name(rows)}_change", args=[row.pk]),
            state="Scheduled" if scheduled else "In review",
            look=COLOURS[SCHEDULED if scheduled else State.IN_REVIEW],
            publish_at=row.publish_at if scheduled else None,
        )
