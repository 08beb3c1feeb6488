"""A process that is killed at a step, whatever its steps are.

The interpreter announces every change of the file system before it makes it: each is a step.
"""

import itertools
import os
import signal
import sys
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from site_mirror.snapshot import releases
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from tests.freeze import plain

CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.freeze.steps"])
CHANGES = {
    "os.mkdir",
    "os.rename",
    "os.link",
    "os.symlink",
    "os.remove",
    "os.rmdir",
    "os.truncate",
}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def freeze_the_second(target: Path) -> None:
    plain.published(target, *plain.SECOND)


def freeze_and_keep_one(target: Path) -> None:
    plain.published(target, *plain.SECOND, keep=1)


def freeze_the_second_ahead(target: Path) -> None:
    plain.published_ahead(target, *plain.SECOND)


def go_back(target: Path) -> None:
    roll_back(Target(target), releases.folders(Target(target))[-1].name)


def keep_one(target: Path) -> None:
    place = Target(target)
    with place.locked():
        for release in releases.superfluous(place, 1):
            place.remove(release)


def status_of(action: Callable[[Path], None], target: Path, step: int) -> int | None:
    """How a process ended that was to be killed at a step: 0 if it has no such step."""
    process = CONTEXT.Process(target=killed, args=(action, target, step))
    process.start()
    process.join(60)
    return process.exitcode


def killed(action: Callable[[Path], None], target: Path, step: int) -> None:
    counted, own = itertools.count(1), os.getpid()

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if os.getpid() == own and is_change(event, arguments) and next(counted) == step:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.dont_write_bytecode = True
    sys.addaudithook(watch)
    action(target)


def is_change(event: str, arguments: tuple[Any, ...]) -> bool:
    if event == "open":
        flags = arguments[2]
        return isinstance(flags, int) and bool(flags & WRITING)
    return event in CHANGES
