"""The content that the project ships with, as fixtures in natural keys."""

from pathlib import Path

from django.core.management import call_command
from django.db import transaction

from catalogue.models import Studio

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"

ORDER = (
    "studio.yaml",
    "team.yaml",
    "tags.yaml",
    "apps/*.yaml",
    "posts/*.yaml",
    "science.yaml",
    "principles.yaml",
    "timeline.yaml",
    "statistics.yaml",
    "versions.yaml",
    "pages/*.yaml",
)
"""What is named comes before what names it."""


def files() -> list[Path]:
    """Every fixture, in the order in which they load."""
    return [path for pattern in ORDER for path in sorted(FIXTURES.glob(pattern))]


@transaction.atomic
def load() -> bool:
    """Fill an empty catalogue, and leave one that has a studio as it is."""
    if Studio.objects.exists():
        return False
    call_command("loaddata", *map(str, files()), verbosity=0)
    return True
