"""Copies of frozen sites, each of which is frozen once in a process, with its rows.

The database of a test gets the rows and the revision of that freeze, and the release of a copy
counts as published: the next freeze trusts its files and its cache.
"""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
from django.db import connection

from site_mirror.snapshot.cache import read_cached_batches, referenced_metadata
from site_mirror.snapshot.files import group_by_folder
from site_mirror.snapshot.integrity import metadata_digest
from site_mirror.snapshot.layout import STATE
from site_mirror.snapshot.metadata import metadata_of
from site_mirror.snapshot.state import trust_metadata
from site_mirror.snapshot.target import Target

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
    current = Target(copy).release
    assert current is not None
    trust_metadata(copy, current)
    return copy


def record_metadata(release: Path) -> None:
    """Record the inodes and times of a copied release, as a freeze does."""
    state = orjson.loads((release / STATE).read_bytes())
    state["files"] = referenced_metadata(release)
    state["touched"] = {name: metadata_of(f"{release}/{name}") for name in state["touched"]}
    state["metadata"] = {
        digest: metadata_digest(release, group_by_folder(batch.files_in(release)))
        for digest, batch in read_cached_batches(release).items()
    }
    (release / STATE).write_bytes(orjson.dumps(state))


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
