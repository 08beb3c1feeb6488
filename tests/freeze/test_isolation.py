"""A freeze reads one state of the database: it has a concurrent edit completely or not at all."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection, connections
from django.db.backends.sqlite3._functions import register

from tests.freeze import processes, sites, target_files

EVERYTHING = (
    "UPDATE catalogue_app SET name = 'A later name'",
    "UPDATE catalogue_post SET title_en = 'A later title', slug = slug || '-after'",
    "UPDATE catalogue_studio SET name = 'A later name'",
    (
        "UPDATE catalogue_apiversion SET status = 'deprecated', announced = CURRENT_TIMESTAMP, "
        "deprecation = '2026-02-01 00:00:00', sunset = '2099-12-31 00:00:00'"
    ),
)


@pytest.fixture
def file_connection(empty_database: Path, tmp_path: Path, django_db_blocker: Any) -> Iterator[Path]:
    """The connection of this process, to a database file in WAL mode as in production."""
    database = processes.copy_database(empty_database, tmp_path)
    usual = connections["default"]
    connections["default"] = usual.copy()
    connections["default"].settings_dict = {**usual.settings_dict, "NAME": str(database)}
    with django_db_blocker.unblock():
        yield database
        connections["default"].close()
    connections["default"] = usual


@pytest.fixture
def second_connection(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A second connection, which commits its changes."""
    if connection.vendor == "sqlite":
        database = request.getfixturevalue("file_connection")
        editor: Any = sqlite3.connect(database, timeout=0)
        register(editor)
    else:
        parameters = connection.get_connection_params()
        names = ("host", "port", "user", "password", "dbname")
        editor = psycopg.connect(**{name: parameters[name] for name in names if name in parameters})
    with closing(editor):
        yield editor


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_an_edit_committed_while_a_freeze_reads_is_in_the_next_one_only(
    second_connection: Any, tmp_path: Path
) -> None:
    """The edit is committed when the first document is built, so that it is before all others."""
    sites.make_site()
    sites.freeze_into(tmp_path / "untouched")
    edits = 0

    def count(built: int) -> None:
        nonlocal edits
        if built and not edits:
            for statement in EVERYTHING:
                second_connection.execute(statement)
            second_connection.commit()
            edits += 1

    sites.freeze_into(tmp_path / "site", progress=count)

    assert edits == 1
    assert target_files.find_differences(tmp_path / "site", tmp_path / "untouched") == set()

    sites.freeze_into(tmp_path / "site")
    sites.freeze_into(tmp_path / "full")
    # A second release of one moment has no `Last-Modified`, so the manifests differ.
    incremental, full = (
        (tmp_path / name / "current/public").resolve() for name in ("site", "full")
    )
    assert target_files.read_tree(incremental) == target_files.read_tree(full)
    after = target_files.read_entries(tmp_path / "site")
    assert {"/blog/newer-after", "/blog/older-after"} < after.keys()
    assert "Sunset" in after["/api/v1/apps"].headers
