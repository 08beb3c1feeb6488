"""Runs `manage.py freeze` and stops it at a point: `stopped.py POINT kill|wait TARGET …`.

The process, the kill and the wait are real; only one function is wrapped, to know the point.
"""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django
from django.core.management import call_command

from site_mirror.snapshot import batches, disks
from site_mirror.snapshot.collecting import Collector

SOME_DOCUMENTS = 20


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def wait() -> None:
    """Say so on standard output, and go on when standard input says so."""
    sys.stdout.write("stopped\n")
    sys.stdout.flush()
    sys.stdin.readline()


def before(owner: Any, name: str, stop: Callable[[], None], calls: int = 1) -> None:
    """Stop when a function is about to be called for the n-th time."""
    original = getattr(owner, name)
    counted = iter(range(calls - 1))

    def wrapped(*arguments: Any, **options: Any) -> Any:
        if next(counted, None) is None:
            stop()
        return original(*arguments, **options)

    setattr(owner, name, wrapped)


def after(owner: Any, name: str, stop: Callable[[], None]) -> None:
    """Stop when a function has done its work."""
    original = getattr(owner, name)

    def wrapped(*arguments: Any, **options: Any) -> None:
        original(*arguments, **options)
        stop()

    setattr(owner, name, wrapped)


POINTS: dict[str, Callable[[Callable[[], None]], None]] = {
    "while-rendering": lambda stop: before(batches, "stage", stop, SOME_DOCUMENTS),
    "while-others-render": lambda stop: before(Collector, "portion", stop),
    "while-linking": lambda stop: before(os, "link", stop, SOME_DOCUMENTS),
    "staged": lambda stop: before(disks, "sync", stop),
    "before-the-rename": lambda stop: before(Path, "rename", stop),
    "before-the-swap": lambda stop: before(Path, "replace", stop),
    "after-the-swap": lambda stop: after(Path, "replace", stop),
}


def main(point: str, how: str, target: str, *options: str) -> None:
    POINTS[point]({"kill": kill, "wait": wait}[how])
    call_command("freeze", target, *options)


if __name__ == "__main__":
    django.setup()
    main(*sys.argv[1:])
