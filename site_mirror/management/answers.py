"""How the commands of the snapshot take arguments and give answers."""

from argparse import ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError

from site_mirror.snapshot.errors import FreezeError

NOTHING_CHANGED = 3


def folder(value: str) -> Path:
    """A folder by its name; an unset variable of a deploy job is not one."""
    if not value.strip():
        raise ArgumentTypeError("name the folder that holds the releases; the name is empty")
    return Path(value)


def at_least_one(value: str) -> int:
    """How many releases stay: the current one always does."""
    if not value.isdecimal() or int(value) < 1:
        raise ArgumentTypeError(f"{value!r} is not a number of releases: use 1 or more")
    return int(value)


def as_json(members: Any) -> str:
    return orjson.dumps(members).decode()


def failed(error: FreezeError) -> dict[str, Any]:
    return {"outcome": "failed", "error": str(error)} | error.members()


@contextmanager
def failures_told(command: BaseCommand, *, json: bool) -> Iterator[None]:
    """What fails is a sentence and exit code 1; in JSON, too, if that was asked for."""
    try:
        yield
    except FreezeError as error:
        if json:
            command.stdout.write(as_json(failed(error)))
        raise CommandError(str(error)) from error
