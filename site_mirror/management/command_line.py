"""Arguments, exit codes and JSON output that several commands share."""

from argparse import ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError

from site_mirror.snapshot.errors import FreezeError

DIFFERENCES_FOUND = 1
NOTHING_CHANGED = 3
MAX_PORT = 65_535


def target_folder(value: str) -> Path:
    """Return a folder by its name; an empty name is an unset variable of a deploy job."""
    if not value.strip():
        raise ArgumentTypeError("name the folder that holds the releases; the name is empty")
    return Path(value)


def parse_count(value: str) -> int:
    """Return a whole number above 0."""
    if not value.isdecimal() or int(value) < 1:
        raise ArgumentTypeError(f"{value!r} is not a whole number above 0: use 1 or more")
    return int(value)


def as_json(members: Any) -> str:
    return orjson.dumps(members).decode()


def failure_members(error: FreezeError) -> dict[str, Any]:
    return {"outcome": "failed", "error": str(error)} | error.members()


@contextmanager
def report_failures(command: BaseCommand, *, json: bool) -> Iterator[None]:
    """Report a `FreezeError` as a sentence with exit code 1, and as JSON if `json` is true."""
    try:
        yield
    except FreezeError as error:
        if json:
            command.stdout.write(as_json(failure_members(error)))
        raise CommandError(str(error)) from error
