"""Processes that run `manage.py` as a shell does, with a database in a file."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db.backends.sqlite3._functions import register

from tests.shared_results import make_once

PROJECT = Path(__file__).resolve().parents[2]
PYTHON = [sys.executable]
TIMEOUT_SECONDS = 300
"""Time after which a process, or a child that it left behind, counts as stuck."""
PUBLISHED, FAILED, USAGE, UNCHANGED = 0, 1, 2, 3

LOAD = """
import django
django.setup()
from django.db import connection
from catalogue import shipped
shipped.load_fixtures()
connection.close()
"""


MAKE_SITE = """
import django
django.setup()
from django.db import connection
from tests.freeze import sites
sites.{}()
connection.close()
"""


def environment(database: Path, **changes: str) -> dict[str, str]:
    """Return the variables of a deploy job; of this process only `PATH` is inherited."""
    return {
        "PATH": os.environ["PATH"],
        "SECRET_KEY": "tests only " * 8,
        "SITE_ROOT": "https://studio.example",
        "DATABASE_URL": f"sqlite:///{database}",
        "SNAPSHOT": str(database.absolute().parent / "snapshot"),
        "PUBLISH_REQUEST": str(database.absolute().parent / "publish-request"),
        "DJANGO_SETTINGS_MODULE": "site_mirror.settings",
        "TERM": "xterm",
        **changes,
    }


def run(
    *words: str, database: Path, program: Path = PROJECT, **changes: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PYTHON, *words],
        cwd=program,
        env=environment(database, **changes),
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_SECONDS,
    )


def freeze(
    target: Path, *options: str, database: Path, program: Path = PROJECT, **changes: str
) -> subprocess.CompletedProcess[str]:
    words = ("manage.py", "freeze", str(target), *options)
    return run(*words, database=database, program=program, **changes)


def fill_database(database: Path, *, shipped: bool) -> None:
    """Write a database with the tables, and with the shipped content if `shipped`."""
    shutil.copyfile(filled_database(shipped=shipped), database)


def filled_database(*, shipped: bool) -> Path:
    """Return such a database, which is made once in a run. Copy it before you write."""
    if shipped:
        return make_once("shipped.sqlite3", make_shipped)
    return make_once("empty.sqlite3", make_empty)


def make_empty(database: Path) -> None:
    run_well("manage.py", "migrate", "--verbosity", "0", database=database)


def small_database(make: str) -> Path:
    """Return a database with a small site, of which `make` is the name in `tests.freeze.sites`."""

    def fill(database: Path) -> None:
        fill_database(database, shipped=False)
        run_well("-c", MAKE_SITE.format(make), database=database)

    return make_once(f"{make}.sqlite3", fill)


def make_shipped(database: Path) -> None:
    fill_database(database, shipped=False)
    run_well("-c", LOAD, database=database)


def run_well(*words: str, database: Path) -> None:
    ended = run(*words, database=database)
    if ended.returncode:
        raise RuntimeError(ended.stderr)


def copy_database(database: Path, folder: Path) -> Path:
    """Copy a database into a folder."""
    copy = folder / "catalogue.sqlite3"
    shutil.copy(database, copy)
    return copy


@contextmanager
def open_database(database: Path) -> Iterator[sqlite3.Connection]:
    """Connect; changes are committed at the end of the block."""
    connection = sqlite3.connect(database, timeout=TIMEOUT_SECONDS)
    register(connection)
    try:
        with connection:
            yield connection
    finally:
        connection.close()


def edit_everything(database: Path) -> None:
    """Rename every app, post and page, so that the next freeze writes most files."""
    with open_database(database) as connection:
        connection.execute("UPDATE catalogue_post SET title_en = title_en || ' (new)'")
        connection.execute("UPDATE catalogue_app SET name = name || ' (new)'")
        connection.execute("UPDATE catalogue_page SET title_en = title_en || ' (new)'")
