"""A `migrate` that is killed at a statement, in a process and a database of its own."""

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
CONTEXT.set_forkserver_preload(["tests.catalogue.killed"])
READS = ("SELECT", "PRAGMA", "EXPLAIN", "SAVEPOINT", "RELEASE")
OF_TRIGGERS = ("CREATE TRIGGER", "DROP TRIGGER", "CREATE OR REPLACE FUNCTION")
SOME = 40
"""One in so many statements of triggers is tried: all of a kind are alike."""


def is_a_step(statement: str, number: int) -> bool:
    """Whether a process may be killed before a statement that it is about to execute."""
    told = statement.lstrip().upper()
    return not told.startswith(READS) and (not told.startswith(OF_TRIGGERS) or not number % SOME)


def migrate(target: str, step: int) -> None:
    """Migrate the catalogue; killed before a step, or never if the step is 0."""
    steps, numbers = itertools.count(1), itertools.count()

    def watch(execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        if is_a_step(sql, next(numbers)) and next(steps) == step:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(sql, *arguments)

    with connection.execute_wrapper(watch):
        call_command("migrate", *(["catalogue", target] if target else []), verbosity=0)


def in_a_process(act: Callable[..., None], name: str, *arguments: Any) -> int | None:
    """How a process ended that did something in the database of a name."""
    process = CONTEXT.Process(target=connected, args=(act, name, *arguments))
    process.start()
    process.join(300)
    return process.exitcode


def connected(act: Callable[..., None], name: str, *arguments: Any) -> None:
    connections.settings["default"]["NAME"] = settings.DATABASES["default"]["NAME"] = name
    connection.settings_dict["NAME"] = name
    act(*arguments)
    connection.close()


class Databases:
    """Databases of the kind that the tests run on, made and dropped."""

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
        """Outside of every transaction."""
        with connection._nodb_cursor() as cursor:  # type: ignore[attr-defined]
            cursor.execute(statement)

    @contextmanager
    def copy(self, original: str) -> Iterator[str]:
        name = self.copied(original)
        try:
            yield name
        finally:
            self.drop(name)
