"""Processes that are killed just before a change of the file system.

The interpreter raises an audit event before every such change: each one is a step.
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
from tests.freeze import engine

CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.freeze.killed_processes"])
CHANGE_EVENTS = {
    "os.mkdir",
    "os.rename",
    "os.link",
    "os.symlink",
    "os.remove",
    "os.rmdir",
    "os.truncate",
}
WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def publish_second(target: Path) -> None:
    engine.publish(target, *engine.SECOND)


def publish_second_into_nothing(target: Path) -> None:
    publish_second(target)


def publish_second_and_keep_one(target: Path) -> None:
    engine.publish(target, *engine.SECOND, keep=1)


def publish_second_with_digests(target: Path) -> None:
    engine.publish(target, *engine.SECOND, with_digests=True)


def publish_first_again(target: Path) -> None:
    engine.publish(target, *engine.FIRST, with_digests=True)


def roll_back_to_previous(target: Path) -> None:
    roll_back(Target(target), releases.release_folders(Target(target))[-1].name)


def prune_to_one(target: Path) -> None:
    place = Target(target)
    with place.locked():
        for release in releases.superfluous_releases(place, 1):
            place.remove(release)


def run_until_kill(action: Callable[[Path], None], target: Path, step: int) -> int | None:
    """Run an action and kill it at a step; return its exit code, 0 if it has fewer steps."""
    process = CONTEXT.Process(target=kill_at_step, args=(action, target, step))
    process.start()
    process.join(60)
    return process.exitcode


def kill_at_step(action: Callable[[Path], None], target: Path, step: int) -> None:
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
        return isinstance(flags, int) and bool(flags & WRITE_FLAGS)
    return event in CHANGE_EVENTS
