"""The content that the project ships, as fixtures with natural keys.

The files of images are in a folder beside their list, named as the ends of their addresses.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core import serializers
from django.core.management import call_command
from django.db import transaction

from catalogue.models import ApiVersion, Studio
from catalogue.models.image import shown_image

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
    "images.yaml",
    "pages/*.yaml",
)
"""Patterns of files; a row comes before the rows that refer to it."""

API_PATTERNS = ("versions.yaml", "pages/docs-*.yaml")
"""Patterns of the files that describe the API and no studio."""


def fixture_files(patterns: Sequence[str] = FIXTURE_PATTERNS) -> list[Path]:
    """Return fixtures in the order in which they are loaded."""
    return [path for pattern in patterns for path in sorted(FIXTURES.glob(pattern))]


@transaction.atomic
def load_files(files: Sequence[Path]) -> None:
    images = [path for path in files if path.name == "images.yaml"]
    call_command("loaddata", *(str(path) for path in files if path not in images), verbosity=0)
    for path in images:
        load_images(path)


def load_images(listed: Path) -> None:
    with listed.open("rb") as stream:
        for loaded in serializers.deserialize("yaml", stream):
            image: Any = loaded.object
            shown = shown_image(image.slug, image.format, image.width, image.height)
            image.file = read_beside(listed, shown.address)
            image.small = read_beside(listed, shown.small) if shown.small else b""
            loaded.save()


def read_beside(listed: Path, address: str) -> bytes:
    return (listed.parent / address.removeprefix("/")).read_bytes()


@transaction.atomic
def load_fixtures(patterns: Sequence[str] = FIXTURE_PATTERNS) -> bool:
    """Fill an empty catalogue; return whether it was empty. One with content is not changed."""
    if Studio.objects.exists() or ApiVersion.objects.exists():
        return False
    load_files(fixture_files(patterns))
    return True
