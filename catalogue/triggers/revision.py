"""The moment of the last public change."""

from datetime import UTC, datetime

from django.db.models import Subquery

from catalogue.models import App, Post, Principle, Revision, ScienceTopic, TimelineEntry

BEFORE_ANY_CHANGE = datetime(1970, 1, 1, tzinfo=UTC)
PUBLISHABLE = (App, Post, ScienceTopic, Principle, TimelineEntry)


def last_public_change(at: datetime) -> datetime:
    """Return the moment when published content last changed: by an edit, or because a row fell due.

    One query. Source: RFC 9110, section 8.8.2 (Last-Modified).
    """
    due = {
        f"due_{model.__name__.lower()}": Subquery(
            model.objects.published(at=at).order_by("-publish_at").values("publish_at")[:1]
        )
        for model in PUBLISHABLE
    }
    moments = Revision.objects.annotate(**due).values_list("public_changed_at", *due).first()
    return max(filter(None, moments or ()), default=BEFORE_ANY_CHANGE)
