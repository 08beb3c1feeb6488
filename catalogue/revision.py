"""The content revision and the moment when readers last saw something change."""

from datetime import UTC, datetime

from django.db import connection
from django.db.models import BigIntegerField, Subquery
from django.db.models.expressions import RawSQL

from catalogue import installing
from catalogue.models import App, Post, Principle, Revision, ScienceTopic, TimelineEntry
from catalogue.triggers import triggers

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
PUBLISHABLE = (App, Post, ScienceTopic, Principle, TimelineEntry)


def current() -> int:
    """The number that every committed change to content moves, drafts included; 0 before the
    first.
    """
    return Revision.objects.values_list("number", flat=True).first() or 0


def last_change(at: datetime) -> datetime:
    """When what readers see last changed: by an edit, or because something fell due.

    Where triggers are missing nothing tells of an edit, so that content counts as changed at the
    moment of each request. One query. Source: RFC 9110, section 8.8.2 (Last-Modified).
    """
    due = {
        f"due_{model.__name__.lower()}": Subquery(
            model.objects.published(at=at).order_by("-publish_at").values("publish_at")[:1]
        )
        for model in PUBLISHABLE
    }
    in_place = RawSQL(installing.IN_PLACE[connection.vendor], (), BigIntegerField())  # noqa: S611
    asked = Revision.objects.annotate(in_place=in_place, **due)
    found = asked.values_list("in_place", "public_changed_at", *due).first()
    if found is None:
        return BEGINNING
    if found[0] != len(triggers(connection.vendor)):
        return at
    return max(filter(None, found[1:]), default=BEGINNING)
