"""The small site, a release of it, and copies of that release."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import transaction

from tests.freeze.incremental import corpus, freezes, programs


@pytest.fixture(scope="module")
def base(open_database: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A target with a release of the small site in the test database. Copy it before you write."""
    corpus.make_site()
    target = tmp_path_factory.mktemp("base")
    freezes.freeze(target)
    return target


@pytest.fixture
def target(base: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of the target; edits of the database are rolled back after the test."""
    with transaction.atomic():
        yield freezes.copy_target(base, tmp_path / "again")
        transaction.set_rollback(True)


@pytest.fixture(scope="session")
def small_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with the small site, for other processes. Copy it before you write."""
    file = tmp_path_factory.mktemp("database") / "small.sqlite3"
    programs.fill_database(file)
    return file


@pytest.fixture(scope="session")
def before(small_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of the small site by this program. Copy it before you write."""
    target = tmp_path_factory.mktemp("before") / "site"
    programs.THIS_PROGRAM.freeze(target, small_database)
    return target
