"""The content that the project ships, as fixtures with natural keys."""

from pathlib import Path

from django.core.management import call_command

from catalogue.content.reading import find_files
from catalogue.models import ApiVersion, Studio

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"


def fixture_files(*, api_only: bool = False) -> list[Path]:
    """Return all fixtures, or those that describe the API and no studio."""
    if not api_only:
        return find_files(FIXTURES)
    return [FIXTURES / "versions.yaml", *sorted(FIXTURES.glob("pages/docs-*.yaml"))]


def load_fixtures(*, api_only: bool = False) -> bool:
    """Fill an empty catalogue; return whether it was empty. One with content is not changed."""
    if Studio.objects.exists() or ApiVersion.objects.exists():
        return False
    call_command("loaddata", *fixture_files(api_only=api_only), verbosity=0)
    return True
