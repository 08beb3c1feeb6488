"""Databases and targets that the tests of the freeze share."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from catalogue import shipped
from tests.freeze import processes, sites
from tests.freeze.frozen_copies import CopySite, Make, copy_release, make_site
from tests.shared_results import make_once

SITES: dict[str, Make] = {"shipped": shipped.load_fixtures, "retired": sites.make_retired_site}


@pytest.fixture(scope="session")
def empty_database() -> Path:
    """A database file with the tables and no row. Copy it before you write."""
    return processes.filled_database(shipped=False)


@pytest.fixture(scope="session")
def shipped_database() -> Path:
    """A database file with the shipped content. Copy it before you write."""
    return processes.filled_database(shipped=True)


@pytest.fixture
def database(shipped_database: Path, tmp_path: Path) -> Path:
    """A copy of the database with the shipped content."""
    return processes.copy_database(shipped_database, tmp_path)


@pytest.fixture(scope="session")
def shipped_target(shipped_database: Path) -> Path:
    """A target with one release of the shipped content. Copy it before you write."""

    def freeze(target: Path) -> None:
        frozen = processes.freeze(target, database=shipped_database, SOURCE_DATE_EPOCH="1767225600")
        if frozen.returncode:
            raise RuntimeError(frozen.stderr)

    return make_once("shipped-target", freeze)


@pytest.fixture
def target(shipped_target: Path, tmp_path: Path) -> Path:
    """A copy of the target with one release of the shipped content."""
    return Path(shutil.copytree(shipped_target, tmp_path / "site", symlinks=True))


@pytest.fixture(scope="module")
def open_database(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Access to the test database for all tests of a module, rolled back after them."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(params=SITES)
def site(
    request: pytest.FixtureRequest, db: None, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A target with a release of the test database. Only read it."""
    return make_site(SITES[request.param], tmp_path_factory.mktemp("frozen"))


@pytest.fixture
def shipped_site(db: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_site(SITES["shipped"], tmp_path_factory.mktemp("frozen"))


@pytest.fixture
def retired_site(db: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_site(SITES["retired"], tmp_path_factory.mktemp("frozen"))


@pytest.fixture
def copy_site(db: None, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> CopySite:
    """Fill the test database and return a target in `tmp_path` with a release of it."""

    def copied(make: Make) -> Path:
        return copy_release(make_site(make, tmp_path_factory.mktemp("made")), tmp_path / "site")

    return copied


@pytest.fixture
def small_site(copy_site: CopySite) -> Path:
    """A target with a release of the test database, which has a row of every model."""
    return copy_site(sites.make_site)
