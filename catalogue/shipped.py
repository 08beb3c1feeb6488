"""The content that the project ships, as fixtures with natural keys."""

from collections.abc import Sequence
from pathlib import Path

from django.core.management import call_command
from django.db import transaction

from catalogue.models import ApiVersion, Studio

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

API_PATTERNS = ("versions.yaml", "pages/docs-*.yaml")
"""Patterns of the files that describe the API and no studio."""


def fixture_files(patterns: Sequence[str] = FIXTURE_PATTERNS) -> list[Path]:
    """Return fixtures in the order in which they are loaded."""
    return [path for pattern in patterns for path in sorted(FIXTURES.glob(pattern))]


@transaction.atomic
def load_fixtures(patterns: Sequence[str] = FIXTURE_PATTERNS) -> bool:
    """Fill an empty catalogue; return whether it was empty. One with content is not changed."""
    if Studio.objects.exists() or ApiVersion.objects.exists():
        return False
    call_command("loaddata", *map(str, fixture_files(patterns)), verbosity=0)
    return True
