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
from tests.freeze import engine, killed_processes, sites, target_files

Action = Callable[[Path], None]
MAX_STEPS = 400
MIN_STEPS = {
    killed_processes.publish_second: 20,
    killed_processes.publish_second_with_digests: 20,
    killed_processes.publish_first_again: 20,
    killed_processes.publish_second_and_keep_one: 40,
    killed_processes.roll_back_to_previous: 4,
    killed_processes.prune_to_one: 10,
}

QUICK = (killed_processes.roll_back_to_previous, killed_processes.prune_to_one)
ALL_ACTIONS = pytest.mark.exhaustive("kills a process at each of up to a hundred steps")


def has_digests(action: Action) -> bool:
    """Tell whether an action freezes batches with digests."""
    return action in (
        killed_processes.publish_second_with_digests,
        killed_processes.publish_first_again,
    )


def prepare_target(action: Action, target: Path) -> Path:
    """Publish one release, and a second one for a rollback or a prune."""
    engine.publish(target, *engine.FIRST, moment=sites.MOMENT, with_digests=has_digests(action))
    if action in (killed_processes.roll_back_to_previous, killed_processes.prune_to_one):
        killed_processes.publish_second(target)
    return target


def find_discrepancies_by_release(target: Path) -> dict[str, list[str]]:
    """Return the discrepancies of each release of a target."""
    return {
        folder.name: [str(finding) for finding in find_discrepancies(find_files_to_verify(folder))]
        for folder in releases.release_folders(Target(target))
    }


@pytest.mark.parametrize(
    "action",
    [
        pytest.param(action, id=action.__name__, marks=() if action in QUICK else ALL_ACTIONS)
        for action in MIN_STEPS
    ],
)
def test_a_kill_at_any_step_leaves_intact_releases_and_one_of_them_served(
    action: Action, tmp_path: Path
) -> None:
    start = prepare_target(action, tmp_path / "start")
    served = {target_files.read_published(start)[0]}
    done = Path(shutil.copytree(start, tmp_path / "done", symlinks=True))
    action(done)
    served.add(target_files.read_published(done)[0])
    lasting = (
        find_discrepancies_by_release(start).keys() & find_discrepancies_by_release(done).keys()
    )

    for step in range(1, MAX_STEPS):
        target = Path(shutil.copytree(start, tmp_path / str(step), symlinks=True))
        status = killed_processes.run_until_kill(action, target, step)
        if status == 0:
            break
        assert (step, status) == (step, -signal.SIGKILL)
        assert (step, target_files.read_published(target)[0] in served) == (step, True)
        assert (step, lasting - find_discrepancies_by_release(target).keys()) == (step, set())
        assert (step, {name: [] for name in find_discrepancies_by_release(target)}) == (
            step,
            find_discrepancies_by_release(target),
        )
        assert (
            step,
            target_files.read_published(target)[0].partition("/")[2]
            in find_discrepancies_by_release(target),
        ) == (
            step,
            True,
        )

        check_next_freeze(target, step, with_digests=has_digests(action))
        shutil.rmtree(target)

    assert MIN_STEPS[action] < step < MAX_STEPS - 1


def check_next_freeze(target: Path, step: int, *, with_digests: bool = False) -> None:
    """Check that the next freeze publishes, leaves no leftovers, and can be rolled back."""
    published = find_discrepancies_by_release(target).keys()
    report = engine.publish(target, *engine.SECOND, with_digests=with_digests)

    assert (step, published - find_discrepancies_by_release(target).keys()) == (step, set())
    assert (step, report.outcome in (Outcome.PUBLISHED, Outcome.UNCHANGED)) == (step, True)
    assert (step, target_files.find_leftovers(target)) == (step, set())
    assert (step, {name: [] for name in find_discrepancies_by_release(target)}) == (
        step,
        find_discrepancies_by_release(target),
    )
    for release in find_discrepancies_by_release(target):
        roll_back(Target(target), release)
        assert (step, target_files.read_published(target)[0]) == (step, f"releases/{release}")


def test_a_kill_at_any_step_of_the_first_freeze_leaves_no_partial_release(tmp_path: Path) -> None:
    for step in range(1, MAX_STEPS):
        target = tmp_path / str(step)
        if killed_processes.run_until_kill(killed_processes.publish_second, target, step) == 0:
            break
        assert (step, {name: [] for name in find_discrepancies_by_release(target)}) == (
            step,
            find_discrepancies_by_release(target),
        )
        assert (
            step,
            (target / "current").exists() <= bool(find_discrepancies_by_release(target)),
        ) == (step, True)

        check_next_freeze(target, step)

    assert MIN_STEPS[killed_processes.publish_second] < step < MAX_STEPS - 1
