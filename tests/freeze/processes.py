"""The command as a shell runs it: processes with a file database of their own."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db.backends.sqlite3._functions import register

PROJECT = Path(__file__).resolve().parents[2]
PYTHON = [sys.executable]
PATIENCE = 300
"""Seconds after which a process, or one that it has left behind, counts as stuck."""
PUBLISHED, FAILED, USAGE, UNCHANGED = 0, 1, 2, 3

FILL = """
import os, shutil, django
django.setup()
from django.core.management import call_command
from django.db import connection
from catalogue import shipped
call_command("migrate", verbosity=0)
if os.environ.get("SHIPPED"):
    shipped.load()
connection.close()
"""


def environment(database: Path, **changes: str) -> dict[str, str]:
    """Nothing of this process but its path: a deploy job's environment."""
    return {
        "PATH": os.environ["PATH"],
        "SECRET_KEY": "tests only " * 8,
        "SITE_ROOT": "https://studio.example",
        "DATABASE_URL": f"sqlite:///{database}",
        "DJANGO_SETTINGS_MODULE": "site_mirror.settings",
        "TERM": "xterm",
        **changes,
    }


def run(*words: str, database: Path, **changes: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PYTHON, *words],
        cwd=PROJECT,
        env=environment(database, **changes),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def freeze(
    target: Path, *options: str, database: Path, **changes: str
) -> subprocess.CompletedProcess[str]:
    return run("manage.py", "freeze", str(target), *options, database=database, **changes)


def fill(database: Path, *, shipped: bool) -> None:
    """Make a database with the tables, and with the shipped content if told."""
    changes = {"SHIPPED": "1"} if shipped else {}
    made = run("-c", FILL, database=database, **changes)
    if made.returncode:
        raise RuntimeError(made.stderr)


def copied(database: Path, folder: Path) -> Path:
    """A database of the caller's own."""
    copy = folder / "catalogue.sqlite3"
    shutil.copy(database, copy)
    return copy


@contextmanager
def edited(database: Path) -> Iterator[sqlite3.Connection]:
    """A connection that waits for nobody, whose changes are committed at the end."""
    connection = sqlite3.connect(database, timeout=0)
    register(connection)
    try:
        with connection:
            yield connection
    finally:
        connection.close()


def edit_everything(database: Path) -> None:
    """Change every text that a reader sees, so that the next freeze writes a lot."""
    with edited(database) as connection:
        connection.execute("UPDATE catalogue_post SET title_en = title_en || ' (new)'")
        connection.execute("UPDATE catalogue_app SET name = name || ' (new)'")
        connection.execute("UPDATE catalogue_page SET title_en = title_en || ' (new)'")
