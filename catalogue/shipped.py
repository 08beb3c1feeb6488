"""The content that the project ships, as fixtures with natural keys."""

from collections.abc import Sequence
from pathlib import Path

from django.core.serializers.python import Deserializer
from django.db import transaction

from catalogue.content.reading import read_files
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
    "images/*",
    "pages/*.yaml",
)
"""Patterns of files; a row comes before the rows that refer to it."""

API_PATTERNS = ("versions.yaml", "pages/docs-*.yaml")
"""Patterns of the files that describe the API and no studio."""


def fixture_files(patterns: Sequence[str] = FIXTURE_PATTERNS) -> list[Path]:
    """Return fixtures in the order in which they are loaded."""
    return [path for pattern in patterns for path in sorted(FIXTURES.glob(pattern))]


@transaction.atomic
def load_files(paths: Sequence[Path]) -> None:
    """Load files that follow the rules of the catalogue, which `load` would judge once more."""
    files = {str(path): path.read_bytes() for path in paths}
    for _, entry in read_files(files):
        for loaded in Deserializer([dict(entry)]):
            loaded.save()


@transaction.atomic
def load_fixtures(patterns: Sequence[str] = FIXTURE_PATTERNS) -> bool:
    """Fill an empty catalogue; return whether it was empty. One with content is not changed."""
    if Studio.objects.exists() or ApiVersion.objects.exists():
        return False
    load_files(fixture_files(patterns))
    return True
