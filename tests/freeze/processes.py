"""Processes that run `manage.py` as a shell does, with a database in a file."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from django.db.backends.sqlite3._functions import register

PROJECT = Path(__file__).resolve().parents[2]
PYTHON = [sys.executable]
TIMEOUT_SECONDS = 300
"""Time after which a process, or a child that it left behind, counts as stuck."""
PUBLISHED, FAILED, USAGE, UNCHANGED = 0, 1, 2, 3

FILL = """
import os, shutil, django
django.setup()
from django.core.management import call_command
from django.db import connection
from catalogue import shipped
call_command("migrate", verbosity=0)
if os.environ.get("SHIPPED"):
    shipped.load_fixtures()
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
    """Write a database with the tables, and with the shipped content if `shipped`.

    It is a copy of one that is made once in a run.
    """
    database.write_bytes(read_filled(shipped=shipped))


@cache
def read_filled(*, shipped: bool) -> bytes:
    with TemporaryDirectory() as folder:
        database = Path(folder) / "catalogue.sqlite3"
        make_database(database, shipped=shipped)
        return database.read_bytes()


def make_database(database: Path, *, shipped: bool) -> None:
    """Create the tables that a database lacks, and load the shipped content if `shipped`."""
    changes = {"SHIPPED": "1"} if shipped else {}
    made = run("-c", FILL, database=database, **changes)
    if made.returncode:
        raise RuntimeError(made.stderr)


def copy_database(database: Path, folder: Path) -> Path:
    """Copy a database into a folder."""
    copy = folder / "catalogue.sqlite3"
    shutil.copy(database, copy)
    return copy


@contextmanager
def open_database(database: Path) -> Iterator[sqlite3.Connection]:
    """Connect without waiting for locks; changes are committed at the end of the block."""
    connection = sqlite3.connect(database, timeout=0)
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
