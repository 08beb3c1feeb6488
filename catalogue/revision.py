"""The moment of the last public change."""

from datetime import UTC, datetime

from django.db import connection
from django.db.models import BigIntegerField, Subquery
from django.db.models.expressions import RawSQL

from catalogue import installing
from catalogue.models import App, Post, Principle, Revision, ScienceTopic, TimelineEntry
from catalogue.triggers import expected_triggers

BEFORE_ANY_CHANGE = datetime(1970, 1, 1, tzinfo=UTC)
PUBLISHABLE = (App, Post, ScienceTopic, Principle, TimelineEntry)


def last_public_change(at: datetime) -> datetime:
    """Return the moment when published content last changed: by an edit, or because a row fell due.

    If triggers are missing, edits may be unknown, so content counts as changed at the moment of
    each request. One query. Source: RFC 9110, section 8.8.2 (Last-Modified).
    """
    due = {
        f"due_{model.__name__.lower()}": Subquery(
            model.objects.published(at=at).order_by("-publish_at").values("publish_at")[:1]
        )
        for model in PUBLISHABLE
    }
    in_place = RawSQL(installing.COUNT_TRIGGERS[connection.vendor], (), BigIntegerField())  # noqa: S611
    rows = Revision.objects.annotate(in_place=in_place, **due)
    moments = rows.values_list("in_place", "public_changed_at", *due).first()
    if moments is None:
        return BEFORE_ANY_CHANGE
    if moments[0] != len(expected_triggers(connection.vendor)):
        return at
    return max(filter(None, moments[1:]), default=BEFORE_ANY_CHANGE)
