"""Every operation on a target survives a kill at each of its steps.

The interpreter raises an audit event before every change of the file system: each one is a step.
"""

import itertools
import os
import shutil
import signal
import sys
from collections.abc import Callable
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from site_mirror.management.commands.releases import prune_releases
from site_mirror.snapshot import releases
from site_mirror.snapshot.report import Outcome
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from tests.freeze import engine, target_files

Action = Callable[[Path], object]
MAX_STEPS = 400
CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.freeze.test_every_step"])
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


def publish(target: Path, name: str, **options: Any) -> None:
    """Publish the documents of the first or the second release."""
    documents, moment = {
        "first": (engine.FIRST, engine.MOMENT),
        "second": (engine.SECOND, engine.LATER),
    }[name]
    engine.publish(target, *documents, moment=moment, **options)


def roll_back_to_previous(target: Path) -> None:
    roll_back(Target(target), releases.release_folders(Target(target))[-1].name)


def prune_to_one(target: Path) -> None:
    prune_releases(Target(target), 1, deployed=True)


def run_until_kill(action: Action, target: Path, step: int) -> int | None:
    """Run an action and kill it at a step; return its exit code, 0 if it has fewer steps."""
    process = CONTEXT.Process(target=kill_at_step, args=(action, target, step))
    process.start()
    process.join(60)
    return process.exitcode


def kill_at_step(action: Action, target: Path, step: int) -> None:
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


WITH_DIGESTS = {"name": "first", "with_digests": True}
ACTIONS: dict[str, tuple[Action, Action, int]] = {
    "a rollback": (roll_back_to_previous, engine.publish_two_releases, 4),
    "a removal": (prune_to_one, engine.publish_two_releases, 10),
    "a freeze": (partial(publish, name="second"), partial(publish, name="first"), 20),
    "a first freeze": (partial(publish, name="second"), Path.mkdir, 20),
    "a freeze that reuses files": (
        partial(publish, name="second", with_digests=True),
        partial(publish, **WITH_DIGESTS),
        20,
    ),
    "a freeze that changes nothing": (
        partial(publish, **WITH_DIGESTS),
        partial(publish, **WITH_DIGESTS),
        20,
    ),
}
"""What is done, what was done before, and the least number of steps."""
QUICK = ("a rollback", "a removal")
ALL_ACTIONS = pytest.mark.exhaustive("kills a process at each of up to a hundred steps")


def find_faults(target: Path) -> dict[str, list[str]]:
    """Return the discrepancies of each release of a target."""
    return {
        folder.name: target_files.list_discrepancies(folder)
        for folder in releases.release_folders(Target(target))
    }


def read_served(target: Path) -> str:
    """Return the name of the release that is served; empty if there is none."""
    return (target / "current").resolve().name if (target / "current").exists() else ""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in QUICK else ALL_ACTIONS) for name in ACTIONS],
)
def test_a_kill_at_any_step_leaves_intact_releases_and_one_of_them_served(
    name: str, tmp_path: Path
) -> None:
    start, done, (action, prepare, least) = tmp_path / "start", tmp_path / "done", ACTIONS[name]
    prepare(start)
    shutil.copytree(start, done, symlinks=True)
    action(done)
    served = {read_served(start), read_served(done)}
    lasting = find_faults(start).keys() & find_faults(done).keys()

    for step in range(1, MAX_STEPS):
        target = Path(shutil.copytree(start, tmp_path / str(step), symlinks=True))
        status = run_until_kill(action, target, step)
        if status == 0:
            break
        faults = find_faults(target)
        assert (step, status) == (step, -signal.SIGKILL)
        assert (step, read_served(target) in served & {"", *faults}) == (step, True)
        assert (step, lasting - faults.keys()) == (step, set())
        assert (step, faults) == (step, {name: [] for name in faults})

        check_next_freeze(target, step)
        shutil.rmtree(target)

    assert least < step < MAX_STEPS - 1


def check_next_freeze(target: Path, step: int) -> None:
    """Check that the next freeze publishes, leaves no leftovers, and can be rolled back."""
    served = read_served(target)
    report = engine.publish(target, *engine.SECOND, with_digests=True)

    faults = find_faults(target)
    assert (step, report.outcome in (Outcome.PUBLISHED, Outcome.UNCHANGED)) == (step, True)
    assert (step, served in {"", *faults}) == (step, True)
    assert (step, faults) == (step, {name: [] for name in faults})
    assert (step, target_files.find_leftovers(target)) == (step, set())
    for release in faults:
        roll_back(Target(target), release)
        assert (step, read_served(target)) == (step, release)
