"""A release of the shipped content for each test."""

from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from site_mirror.freeze import up_to_date
from tests.freeze import sites
from tests.freeze.conftest import copy_site
from tests.freeze.frozen_copies import copy_release
from tests.shipped_content import load_shipped_content

__all__ = ["copy_site"]


@pytest.fixture(autouse=True)
def _no_unchanged_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """A freeze must not stop early: a change by monkeypatch is in no digest of the program."""
    monkeypatch.setattr(up_to_date, "unchanged_report", lambda target, at: None)


@pytest.fixture(scope="session")
def released(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A target with one release of the shipped content, for tests that only read it."""
    released = tmp_path_factory.mktemp("released")
    with django_db_blocker.unblock(), transaction.atomic():
        load_shipped_content()
        sites.freeze_into(released)
        transaction.set_rollback(True)
    return released


@pytest.fixture
def site(released: Path, db: None, tmp_path: Path) -> Path:
    """The shipped content, and a copy of its release with a valid build cache."""
    load_shipped_content()
    return copy_release(released, tmp_path / "site")
