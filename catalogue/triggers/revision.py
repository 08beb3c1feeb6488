"""The moment of the last public change."""

from datetime import datetime

from django.db.models import Subquery
from django.utils import timezone

from catalogue.models import App, Post, Principle, Revision, ScienceTopic, TimelineEntry

STARTED = timezone.now()
"""The start of this process, whose program and settings may be others than before."""
PUBLISHABLE = (App, Post, ScienceTopic, Principle, TimelineEntry)


def last_public_change(at: datetime) -> datetime:
    """Return the moment when documents last changed: by an edit, a row that fell due, or a start.

    One query. Source: RFC 9110, section 8.8.2 (Last-Modified).
    """
    due = {
        f"due_{model.__name__.lower()}": Subquery(
            model.objects.published(at=at).order_by("-publish_at").values("publish_at")[:1]
        )
        for model in PUBLISHABLE
    }
    found = Revision.objects.annotate(**due).values_list("public_changed_at", *due).first()
    moments: list[datetime] = [STARTED, *filter(None, found or ())]
    return max(moments)
