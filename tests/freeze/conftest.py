"""Sites and databases that the tests of the freeze share."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import override_settings

from catalogue import shipped
from tests.freeze import makers, processes


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the tables and no row. Copy it before you write."""
    database = tmp_path_factory.mktemp("databases") / "empty.sqlite3"
    processes.fill(database, shipped=False)
    return database


@pytest.fixture(scope="session")
def shipped_database(empty_database: Path) -> Path:
    """A file with the shipped content. Copy it before you write."""
    database = empty_database.with_name("shipped.sqlite3")
    shutil.copy(empty_database, database)
    processes.fill(database, shipped=True)
    return database


@pytest.fixture
def database(shipped_database: Path, tmp_path: Path) -> Path:
    """The shipped content, in a file of the test's own."""
    return processes.copied(shipped_database, tmp_path)


@pytest.fixture(scope="session")
def shipped_target(shipped_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A target with one release of the shipped content. Copy it before you write."""
    target = tmp_path_factory.mktemp("frozen") / "site"
    frozen = processes.freeze(target, database=shipped_database, SOURCE_DATE_EPOCH="1767225600")
    if frozen.returncode:
        raise RuntimeError(frozen.stderr)
    return target


@pytest.fixture
def target(shipped_target: Path, tmp_path: Path) -> Path:
    """A target of the test's own with one release of the shipped content."""
    return Path(shutil.copytree(shipped_target, tmp_path / "site", symlinks=True))


@pytest.fixture(scope="module")
def open_database(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """The test database for all tests of a module, as it was before when they have run."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def shipped_site(open_database: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped content in the test database, and a target with a release of it."""
    return loaded(shipped.load, tmp_path_factory.mktemp("frozen"))


@pytest.fixture(scope="module", params=[shipped.load, makers.make_retired_site])
def site(
    request: pytest.FixtureRequest,
    django_db_setup: None,
    django_db_blocker: Any,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Path]:
    """A live site and its release: the shipped content, or one with moved and retired parts."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield loaded(request.param, tmp_path_factory.mktemp("frozen"))
        transaction.set_rollback(True)


def loaded(fill: Callable[[], object], target: Path) -> Path:
    fill()
    makers.freeze_into(target)
    return target


@pytest.fixture
def small_site(db: None, tmp_path: Path) -> Path:
    """A row of every kind in the test database, and a target with a release of it."""
    makers.make_site()
    target = tmp_path / "site"
    makers.freeze_into(target)
    return target


@pytest.fixture(scope="session", autouse=True)
def _static_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder for the admin's static files, which the origin expects to be there."""
    with override_settings(STATIC_ROOT=tmp_path_factory.mktemp("static")):
        yield


@pytest.fixture(autouse=True)
def _nobody_has_asked_yet() -> None:
    """The budget of requests is counted in the cache."""
    cache.clear()
