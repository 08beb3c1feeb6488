"""Every operation on a target survives a kill at each of its steps."""

import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from site_mirror.snapshot import releases
from site_mirror.snapshot.report import Outcome
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from site_mirror.snapshot.verify import find_discrepancies, find_files_to_verify
from tests.freeze import engine, killed_processes, target_files

Action = Callable[[Path], None]
MAX_STEPS = 400


def prepare_nothing(target: Path) -> None:
    target.mkdir()


def publish_first(target: Path) -> None:
    engine.publish(target, *engine.FIRST, moment=engine.MOMENT)


def publish_first_with_digests(target: Path) -> None:
    engine.publish(target, *engine.FIRST, moment=engine.MOMENT, with_digests=True)


def publish_two(target: Path) -> None:
    engine.publish_two_releases(target)


ACTIONS: dict[Action, tuple[Action, int]] = {
    killed_processes.roll_back_to_previous: (publish_two, 4),
    killed_processes.prune_to_one: (publish_two, 10),
    killed_processes.publish_second: (publish_first, 20),
    killed_processes.publish_second_into_nothing: (prepare_nothing, 20),
    killed_processes.publish_second_with_digests: (publish_first_with_digests, 20),
    killed_processes.publish_first_again: (publish_first_with_digests, 20),
    killed_processes.publish_second_and_keep_one: (publish_first, 40),
}
"""What is done, what was done before, and the least number of steps."""
QUICK = (killed_processes.roll_back_to_previous, killed_processes.prune_to_one)
ALL_ACTIONS = pytest.mark.exhaustive("kills a process at each of up to a hundred steps")


def find_faults(target: Path) -> dict[str, list[str]]:
    """Return the discrepancies of each release of a target."""
    return {
        folder.name: [str(finding) for finding in find_discrepancies(find_files_to_verify(folder))]
        for folder in releases.release_folders(Target(target))
    }


def read_served(target: Path) -> str:
    """Return the name of the release that is served; empty if there is none."""
    return (target / "current").resolve().name if (target / "current").exists() else ""


@pytest.mark.parametrize(
    "action",
    [
        pytest.param(action, id=action.__name__, marks=() if action in QUICK else ALL_ACTIONS)
        for action in ACTIONS
    ],
)
def test_a_kill_at_any_step_leaves_intact_releases_and_one_of_them_served(
    action: Action, tmp_path: Path
) -> None:
    start, done, (prepare, least) = tmp_path / "start", tmp_path / "done", ACTIONS[action]
    prepare(start)
    shutil.copytree(start, done, symlinks=True)
    action(done)
    served = {read_served(start), read_served(done)}
    lasting = find_faults(start).keys() & find_faults(done).keys()

    for step in range(1, MAX_STEPS):
        target = Path(shutil.copytree(start, tmp_path / str(step), symlinks=True))
        status = killed_processes.run_until_kill(action, target, step)
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
