"""Runs `migrate` in a process with its own database, and kills it at a statement."""

import itertools
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "site_mirror.settings")
django.setup()

CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.catalogue.killed_migrations"])
READ_STATEMENTS = ("SELECT", "PRAGMA", "EXPLAIN", "SAVEPOINT", "RELEASE")
TRIGGER_STATEMENTS = ("CREATE TRIGGER", "DROP TRIGGER", "CREATE OR REPLACE FUNCTION")
STATEMENTS_PER_STEP = 40
"""A kill is tried at one of so many statements about triggers, which are all alike."""


def is_step(statement: str, number: int) -> bool:
    """Tell whether a process is killed before a statement with a number."""
    text = statement.lstrip().upper()
    return not text.startswith(READ_STATEMENTS) and (
        not text.startswith(TRIGGER_STATEMENTS) or not number % STATEMENTS_PER_STEP
    )


def migrate(target: str, step: int) -> None:
    """Migrate the catalogue, and kill this process before a step; step 0 kills never."""
    steps, numbers = itertools.count(1), itertools.count()

    def watch(execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        if is_step(sql, next(numbers)) and next(steps) == step:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(sql, *arguments)

    with connection.execute_wrapper(watch):
        call_command("migrate", *(["catalogue", target] if target else []), verbosity=0)


def run_in_process(act: Callable[..., None], name: str, *arguments: Any) -> int | None:
    """Call a function in a process with a database, and return the exit code."""
    process = CONTEXT.Process(target=run_connected, args=(act, name, *arguments))
    process.start()
    process.join(300)
    return process.exitcode


def run_connected(act: Callable[..., None], name: str, *arguments: Any) -> None:
    connections.settings["default"]["NAME"] = settings.DATABASES["default"]["NAME"] = name
    connection.settings_dict["NAME"] = name
    act(*arguments)
    connection.close()


class Databases:
    """Creates and drops databases of the same kind as that of the tests."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.names = folder, (f"killed_{os.getpid()}_{n}" for n in itertools.count())

    def empty(self) -> str:
        return self.made(lambda name: None, "")

    def copied(self, original: str) -> str:
        return self.made(lambda name: shutil.copy(original, name), f" TEMPLATE {original}")

    def made(self, on_sqlite: Callable[[str], object], on_postgresql: str) -> str:
        name = next(self.names)
        if connection.vendor == "sqlite":
            on_sqlite(str(self.folder / name))
            return str(self.folder / name)
        self.administer(f"CREATE DATABASE {name}{on_postgresql}")
        return name

    def drop(self, name: str) -> None:
        if connection.vendor == "sqlite":
            for path in self.folder.glob(f"{Path(name).name}*"):
                path.unlink()
        else:
            self.administer(f"DROP DATABASE {name} WITH (FORCE)")

    def administer(self, statement: str) -> None:
        """Execute a statement outside of transactions."""
        with connection._nodb_cursor() as cursor:  # type: ignore[attr-defined]
            cursor.execute(statement)

    @contextmanager
    def copy(self, original: str) -> Iterator[str]:
        name = self.copied(original)
        try:
            yield name
        finally:
            self.drop(name)
