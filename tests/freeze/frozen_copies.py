"""Copies of frozen sites, each of which is frozen once in a process, with its rows.

The database of a test gets the rows and the revision of that freeze, and the release of a copy
counts as published: the next freeze trusts its files and its cache.
"""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db import connection
from msgspec.structs import replace

from site_mirror.snapshot.cache import read_result, write_result
from site_mirror.snapshot.checksums import public_files_of
from site_mirror.snapshot.layout import BATCHES
from site_mirror.snapshot.published import digest_metadata
from site_mirror.snapshot.state import read_state, write_state

Make = Callable[[Path], object]
CopySite = Callable[[Make], Path]
Rows = dict[str, list[tuple[Any, ...]]]
WRITTEN_BY_TRIGGERS = ("catalogue_revision",)

known: dict[Make, tuple[Path, Rows]] = {}
"""The target and the rows that each function made: by statements that insert them."""


def make_site(make: Make, folder: Path) -> Path:
    """Return a target that must not be written; its rows are in the database of the test.

    `make` creates the rows and freezes them into the target. Only SQLite gets copies of rows.
    """
    if make in known:
        target, rows = known[make]
        insert_rows(rows)
        return target
    make(folder)
    if connection.vendor == "sqlite":
        known[make] = folder, read_rows()
    return folder


def copy_site(make: Make, folder: Path, copy: Path) -> Path:
    """Return a copy of a target, which may be written."""
    target = make_site(make, folder)
    shutil.copytree(target, copy, symlinks=True)
    for release in (copy / "releases").iterdir():
        record_metadata(release)
    return copy


def record_metadata(release: Path) -> None:
    """Record the inodes and dates of a copied release, as a freeze does."""
    state = read_state(release)
    assert state is not None
    for name in list_batches(release):
        result = read_result(release, name)
        assert result is not None
        metadata = digest_metadata(release, public_files_of(result.checksums))
        write_result(release, replace(result, metadata=metadata))
    write_state(release, state.inputs, state.report)


def list_batches(release: Path) -> set[str]:
    """Return the digests of the batches in the build cache of a release."""
    return {path.name for path in (release / BATCHES).iterdir()}


def read_rows() -> Rows:
    """Return the rows of all tables of the catalogue, those that triggers write last."""
    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
        tables = [name for name in names if name.startswith("catalogue_")]
        return dict(read_table(cursor, name) for name in sorted(tables, key=is_written_by_triggers))


def is_written_by_triggers(table: str) -> bool:
    return table in WRITTEN_BY_TRIGGERS


def read_table(cursor: Any, table: str) -> tuple[str, list[tuple[Any, ...]]]:
    """Return the statement that inserts rows into a table, and its rows."""
    columns = [
        f'"{name}"'
        for _, name, *_, hidden in cursor.execute(f"PRAGMA table_xinfo({table})").fetchall()
        if not hidden
    ]
    listed, values = ", ".join(columns), ", ".join(["%s"] * len(columns))
    rows = cursor.execute(f"SELECT {listed} FROM {table}").fetchall()  # noqa: S608
    return f"INSERT OR REPLACE INTO {table} ({listed}) VALUES ({values})", rows  # noqa: S608


def insert_rows(rows: Rows) -> None:
    with connection.cursor() as cursor:
        for statement, values in rows.items():
            cursor.executemany(statement, values)
