"""Runs `manage.py freeze` and stops it at a point: `stopped_freeze POINT kill|wait TARGET …`.

The process, the kill and the wait are real; one function is wrapped to detect the point.
"""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django
from django.core.management import call_command

from site_mirror.snapshot import build, disks
from site_mirror.snapshot.release_writer import ReleaseWriter

LINKS_BEFORE_STOP = 20


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def wait() -> None:
    """Write a line to standard output, and go on after a line on standard input."""
    sys.stdout.write("stopped\n")
    sys.stdout.flush()
    sys.stdin.readline()


def stop_before(owner: Any, name: str, stop: Callable[[], None], calls: int = 1) -> None:
    """Stop before the call of a function with the number `calls`."""
    original = getattr(owner, name)
    counted = iter(range(calls - 1))

    def wrapped(*arguments: Any, **options: Any) -> Any:
        if next(counted, None) is None:
            stop()
        return original(*arguments, **options)

    setattr(owner, name, wrapped)


def stop_after(owner: Any, name: str, stop: Callable[[], None]) -> None:
    """Stop when a function returns."""
    original = getattr(owner, name)

    def wrapped(*arguments: Any, **options: Any) -> None:
        original(*arguments, **options)
        stop()

    setattr(owner, name, wrapped)


POINTS: dict[str, Callable[[Callable[[], None]], None]] = {
    "while-rendering": lambda stop: stop_before(build, "write_documents", stop),
    "while-others-render": lambda stop: stop_before(ReleaseWriter, "add", stop),
    "while-linking": lambda stop: stop_before(os, "link", stop, LINKS_BEFORE_STOP),
    "staged": lambda stop: stop_before(disks, "sync_disk", stop),
    "before-the-rename": lambda stop: stop_before(Path, "rename", stop),
    "before-the-swap": lambda stop: stop_before(Path, "replace", stop),
    "after-the-swap": lambda stop: stop_after(Path, "replace", stop),
}


def main(point: str, how: str, target: str, *options: str) -> None:
    POINTS[point]({"kill": kill, "wait": wait}[how])
    call_command("freeze", target, *options)


if __name__ == "__main__":
    django.setup()
    main(*sys.argv[1:])
