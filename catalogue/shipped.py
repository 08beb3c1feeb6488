"""The content that the project ships, as fixtures with natural keys."""

from collections.abc import Sequence
from pathlib import Path

from django.core.serializers.python import Deserializer
from django.db import transaction

from catalogue.content.reading import find_files, measure_image, read_files
from catalogue.models import ApiVersion, Studio

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"


def fixture_files(*, api_only: bool = False) -> list[Path]:
    """Return all fixtures, or those that describe the API and no studio."""
    if not api_only:
        return find_files(FIXTURES)
    return [FIXTURES / "versions.yaml", *sorted(FIXTURES.glob("pages/docs-*.yaml"))]


@transaction.atomic
def load_files(paths: Sequence[Path]) -> None:
    """Load files that follow the rules of the catalogue, which `load` would judge once more."""
    files = {str(path): path.read_bytes() for path in paths}
    for _, entry in read_files(files):
        for loaded in Deserializer([dict(entry)]):
            measure_image(loaded.object)
            loaded.save()


@transaction.atomic
def load_fixtures(*, api_only: bool = False) -> bool:
    """Fill an empty catalogue; return whether it was empty. One with content is not changed."""
    if Studio.objects.exists() or ApiVersion.objects.exists():
        return False
    load_files(fixture_files(api_only=api_only))
    return True
