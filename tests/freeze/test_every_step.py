"""A kill at every step of whatever changes a target, one step after the other."""

import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from site_mirror.snapshot import releases
from site_mirror.snapshot.engine import Outcome
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from site_mirror.snapshot.verification import findings, subject
from tests.freeze import makers, plain, steps

Action = Callable[[Path], None]
MOST = 400
FEWEST = {
    steps.freeze_the_second: 20,
    steps.freeze_the_second_ahead: 20,
    steps.freeze_and_keep_one: 40,
    steps.go_back: 4,
    steps.keep_one: 10,
}


def known(action: Action) -> bool:
    """Whether documents tell what they are made of."""
    return action is steps.freeze_the_second_ahead


def before(action: Action, target: Path) -> Path:
    """A target as an action finds it: two releases where it goes back, or tidies up."""
    plain.published(target, *plain.FIRST, moment=makers.MOMENT, known=known(action))
    if action in (steps.go_back, steps.keep_one):
        steps.freeze_the_second(target)
    return target


def whole(target: Path) -> dict[str, list[str]]:
    """What is wrong with each release of a target."""
    return {
        folder.name: [str(finding) for finding in findings(subject(folder))]
        for folder in releases.folders(Target(target))
    }


@pytest.mark.parametrize("action", FEWEST, ids=lambda action: action.__name__)
def test_a_kill_at_any_step_leaves_whole_releases_and_one_that_is_served(
    action: Action, tmp_path: Path
) -> None:
    start = before(action, tmp_path / "start")
    served = {makers.published(start)[0]}
    done = Path(shutil.copytree(start, tmp_path / "done", symlinks=True))
    action(done)
    served.add(makers.published(done)[0])
    lasting = whole(start).keys() & whole(done).keys()

    for step in range(1, MOST):
        target = Path(shutil.copytree(start, tmp_path / str(step), symlinks=True))
        status = steps.status_of(action, target, step)
        if status == 0:
            break
        assert (step, status) == (step, -signal.SIGKILL)
        assert (step, makers.published(target)[0] in served) == (step, True)
        assert (step, lasting - whole(target).keys()) == (step, set())
        assert (step, {name: [] for name in whole(target)}) == (step, whole(target))
        assert (step, makers.published(target)[0].partition("/")[2] in whole(target)) == (
            step,
            True,
        )

        goes_on(target, step, known=known(action))
        shutil.rmtree(target)

    assert FEWEST[action] < step < MOST - 1


def goes_on(target: Path, step: int, *, known: bool = False) -> None:
    """The next freeze publishes by itself, leaves nothing behind, and can be undone."""
    published = whole(target).keys()
    report = plain.published(target, *plain.SECOND, known=known)

    assert (step, published - whole(target).keys()) == (step, set())
    assert (step, report.outcome in (Outcome.PUBLISHED, Outcome.UNCHANGED)) == (step, True)
    assert (step, makers.leftovers(target)) == (step, set())
    assert (step, {name: [] for name in whole(target)}) == (step, whole(target))
    for release in whole(target):
        roll_back(Target(target), release)
        assert (step, makers.published(target)[0]) == (step, f"releases/{release}")


def test_a_kill_at_any_step_of_the_first_freeze_leaves_no_half_of_it(tmp_path: Path) -> None:
    for step in range(1, MOST):
        target = tmp_path / str(step)
        if steps.status_of(steps.freeze_the_second, target, step) == 0:
            break
        assert (step, {name: [] for name in whole(target)}) == (step, whole(target))
        assert (step, (target / "current").exists() <= bool(whole(target))) == (step, True)

        goes_on(target, step)

    assert FEWEST[steps.freeze_the_second] < step < MOST - 1
