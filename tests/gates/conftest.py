"""A release of the shipped content for each test."""

import shutil
from pathlib import Path

import orjson
import pytest

from site_mirror.freeze import up_to_date
from site_mirror.snapshot.cache import read_release_state, referenced_metadata
from site_mirror.snapshot.layout import STATE
from site_mirror.snapshot.target import Target
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
def _no_unchanged_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """A freeze must not stop early: a change by monkeypatch is in no digest of the program."""
    monkeypatch.setattr(up_to_date, "unchanged_report", lambda target, at: None)


@pytest.fixture
def site(shipped_site: Path, db: None, tmp_path: Path) -> Path:
    """A copy of the target with a release of the shipped content and a valid build cache."""
    copied = Path(shutil.copytree(shipped_site, tmp_path / "site", symlinks=True))
    validate_cache(Target(copied).current)
    return copied


def validate_cache(release: Path) -> None:
    """Write the metadata of copied files to the state, so that the build cache is valid."""
    known = read_release_state(release)
    known["files"] = referenced_metadata(release)
    (release / STATE).write_bytes(orjson.dumps(known))
