"""The content that the project ships, as fixtures with natural keys."""

from pathlib import Path

from django.core.management import call_command
from django.db import transaction

from catalogue.models import Studio

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"

FIXTURE_PATTERNS = (
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
"""Patterns of files; a row comes before the rows that refer to it."""


def fixture_files() -> list[Path]:
    """Return every fixture, in the order in which they are loaded."""
    return [path for pattern in FIXTURE_PATTERNS for path in sorted(FIXTURES.glob(pattern))]


@transaction.atomic
def load_fixtures() -> bool:
    """Fill an empty catalogue; return whether it was empty. One with a studio is not changed."""
    if Studio.objects.exists():
        return False
    call_command("loaddata", *map(str, fixture_files()), verbosity=0)
    return True
