"""Frozen sites, each of which is frozen once in a process, with its rows.

The database of a test gets the rows and the revision of that freeze, and the release of a copy
counts as published: the next freeze trusts its files and its cache.
"""

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
from tests.freeze import sites

Make = Callable[[], object]
CopySite = Callable[[Make], Path]
Rows = dict[str, list[tuple[Any, ...]]]

known: dict[Make, tuple[Path, Rows]] = {}
"""The target and the rows that each function made: by statements that insert them."""


def make_site(make: Make, folder: Path) -> Path:
    """Return a target that must not be written; its rows are in the database of the test.

    `make` creates the rows. Only SQLite gets copies of rows.
    """
    if make in known:
        target, rows = known[make]
        with connection.cursor() as cursor:
            for statement, values in rows.items():
                cursor.executemany(statement, values)
        return target
    make()
    sites.freeze_into(folder)
    if connection.vendor == "sqlite":
        known[make] = folder, read_rows()
    return folder


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
    """Return the rows of the catalogue by the statement that inserts them.

    The revision is the last, because triggers change it with each other row.
    """
    rows: Rows = {}
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        for table in sorted(tables, key=lambda name: (name == "catalogue_revision", name)):
            if table.startswith("catalogue_"):
                details = cursor.execute(f"PRAGMA table_xinfo({table})").fetchall()
                columns = [f'"{name}"' for _, name, *_, hidden in details if not hidden]
                listed, values = ", ".join(columns), ", ".join(["%s"] * len(columns))
                statement = f"INSERT OR REPLACE INTO {table} ({listed}) VALUES ({values})"  # noqa: S608
                rows[statement] = cursor.execute(f"SELECT {listed} FROM {table}").fetchall()  # noqa: S608
    return rows
