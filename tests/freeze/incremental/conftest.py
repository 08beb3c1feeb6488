"""The small site, frozen once, and targets that go on from there."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import transaction

from tests.freeze.incremental import corpus, freezes, programs


@pytest.fixture(scope="module")
def base(open_database: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A target with a release of the small site, which is in the database. Copy it."""
    corpus.make()
    target = tmp_path_factory.mktemp("base")
    freezes.freeze(target)
    return target


@pytest.fixture
def target(base: Path, tmp_path: Path) -> Iterator[Path]:
    """A target of the test's own; its edits are undone in the end."""
    with transaction.atomic():
        yield freezes.copied(base, tmp_path / "again")
        transaction.set_rollback(True)


@pytest.fixture(scope="session")
def small_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the small site, for other processes. Copy it before you write."""
    file = tmp_path_factory.mktemp("database") / "small.sqlite3"
    programs.fill(file)
    return file


@pytest.fixture(scope="session")
def before(small_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of it by the program as it is. Copy it before you write."""
    target = tmp_path_factory.mktemp("before") / "site"
    programs.PRESENT.freeze(target, small_database)
    return target
