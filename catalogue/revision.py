"""The content revision and the moment when readers last saw something change."""

from datetime import UTC, datetime

from django.db.models import Subquery

from catalogue.models import App, Post, Principle, Revision, ScienceTopic, TimelineEntry

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
PUBLISHABLE = (App, Post, ScienceTopic, Principle, TimelineEntry)


def current() -> int:
    """The number that every committed change to content moves; 0 before the first."""
    return Revision.objects.values_list("number", flat=True).first() or 0


def last_change(at: datetime) -> datetime:
    """When what readers see last changed: by an edit, or because something fell due.

    One query. Source: RFC 9110, section 8.8.2 (Last-Modified).
    """
    due = {
        f"due_{model.__name__.lower()}": Subquery(
            model.objects.published(at=at).order_by("-publish_at").values("publish_at")[:1]
        )
        for model in PUBLISHABLE
    }
    moments = Revision.objects.annotate(**due).values_list("changed_at", *due).first() or ()
    return max(filter(None, moments), default=BEGINNING)
