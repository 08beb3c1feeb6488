"""Options, exit codes and errors that several commands share."""

import os
from argparse import ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import (
    BaseCommand,
    CommandError,
    CommandParser,
    OutputWrapper,
)

from site_mirror.snapshot.errors import FreezeError

DIFFERENCES_FOUND = 1
NOTHING_CHANGED = 3
MAX_PORT = 65_535


def add_target(parser: CommandParser) -> None:
    parser.add_argument("target", type=target_folder, help="folder that holds the releases")


def add_json(parser: CommandParser) -> None:
    parser.add_argument("--json", action="store_true", help="report as JSON on standard output")


def target_folder(value: str) -> Path:
    """Return a folder by its name; an empty name is an unset variable of a deploy job."""
    if not value.strip():
        raise ArgumentTypeError("name the folder that holds the releases; the name is empty")
    return Path(value)


def parse_count(value: str) -> int:
    if not value.isdecimal() or int(value) < 1:
        raise ArgumentTypeError(f"{value!r} is not a whole number above 0: use 1 or more")
    return int(value)


def write_report(command: BaseCommand, members: Any, text: str, *, json: bool) -> None:
    write_line(command.stdout, orjson.dumps(members).decode() if json else text)


def write_line(stream: OutputWrapper, text: str) -> None:
    """Write a line; that nobody reads it, as in `freeze TARGET | true`, is no failure."""
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        # Python writes the rest at its end, and would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextmanager
def report_failures(command: BaseCommand, *, json: bool) -> Iterator[None]:
    """Report a `FreezeError` as a sentence with exit code 1, and as JSON if `json` is true."""
    try:
        yield
    except FreezeError as error:
        if json:
            members = {"outcome": "failed", "error": str(error)} | error.members()
            write_report(command, members, "", json=True)
        raise CommandError(str(error)) from error
