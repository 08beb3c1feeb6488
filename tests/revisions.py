"""The content revision of the test database."""

from datetime import datetime, timedelta
from itertools import count

from catalogue.models import Revision
from tests import factories

MICROSECONDS = count()


def read_revision_number() -> int:
    """Return the number that every committed change of content increases; 0 before the first."""
    return Revision.objects.values_list("number", flat=True).first() or 0


def date_changes(moment: datetime = factories.PAST) -> None:
    """Date the last public change: a response has no `Last-Modified` within a second of it.

    No two dates are equal, because the description of the API is remembered by its date.
    """
    own = timedelta(microseconds=next(MICROSECONDS))
    Revision.objects.update(public_changed_at=moment + own)
