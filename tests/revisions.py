"""The content revision of the test database."""

from catalogue.models import Revision


def read_revision_number() -> int:
    """Return the number that every committed change of content increases; 0 before the first."""
    return Revision.objects.values_list("number", flat=True).first() or 0
