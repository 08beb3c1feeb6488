"""The shipped content and a release of it; what a test breaks is whole again for the next."""

import shutil
from pathlib import Path

import pytest

from site_mirror import repeating
from tests.freeze.conftest import (
    _static_files,
    database,
    empty_database,
    open_database,
    shipped_database,
    shipped_site,
    shipped_target,
    target,
)

__all__ = [
    "_static_files",
    "database",
    "empty_database",
    "open_database",
    "shipped_database",
    "shipped_site",
    "shipped_target",
    "target",
]


@pytest.fixture(autouse=True)
def _every_freeze_renders(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that a test breaks in this process is in no digest of the program."""
    monkeypatch.setattr(repeating, "repeated", lambda target, at: None)


@pytest.fixture
def site(shipped_site: Path, db: None, tmp_path: Path) -> Path:
    """A target of the test's own, with a release of the shipped content."""
    return Path(shutil.copytree(shipped_site, tmp_path / "site", symlinks=True))
