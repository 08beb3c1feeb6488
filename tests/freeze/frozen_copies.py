"""Frozen sites, each of which is frozen once in a process, with its rows.

The database of a test gets the rows and the revision of that freeze, and the release of a copy
counts as published: the next freeze trusts its files and its cache.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
from django.db import connection
from msgspec.structs import replace

from site_mirror.snapshot.cache import read_result, write_result
from site_mirror.snapshot.checksums import public_files_of
from site_mirror.snapshot.layout import BATCHES, STATE
from site_mirror.snapshot.published import digest_metadata
from site_mirror.snapshot.state import ReleaseState, write_state
from tests.copied_rows import Rows, insert_rows, read_rows
from tests.freeze import sites

Make = Callable[[], object]
Freeze = Callable[[Path], object]
CopySite = Callable[[Make], Path]

known: dict[tuple[Make, Freeze], tuple[Path, Rows]] = {}
"""The target and the rows that each function made."""


def make_site(make: Make, folder: Path, freeze: Freeze = sites.freeze_into) -> Path:
    """Return a target that must not be written; its rows are in the database of the test.

    `make` creates the rows. Only SQLite gets copies of rows.
    """
    if (make, freeze) in known:
        target, rows = known[make, freeze]
        insert_rows(rows)
        return target
    make()
    freeze(folder)
    if connection.vendor == "sqlite":
        known[make, freeze] = folder, read_rows()
    return folder


def copy_release(made: Path, folder: Path) -> Path:
    """Copy a target with its releases, of which each counts as published in the copy."""
    copy = Path(shutil.copytree(made, folder, symlinks=True))
    for release in (copy / "releases").iterdir():
        record_metadata(release)
    return copy


def record_metadata(release: Path) -> None:
    """Record the inodes and dates of a copied release, as a freeze does."""
    state = msgspec.json.decode((release / STATE).read_bytes(), type=ReleaseState)
    for name in list_batches(release):
        result = read_result(release, name)
        assert result is not None
        metadata = digest_metadata(release, public_files_of(result.checksums))
        write_result(release, replace(result, metadata=metadata))
    write_state(release, state.inputs, state.report)


def list_batches(release: Path) -> set[str]:
    """Return the digests of the batches in the build cache of a release."""
    return {path.name for path in (release / BATCHES).iterdir()}
