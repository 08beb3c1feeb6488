"""Every step of a deploy job fails, or the job is killed there, five times with an edit pending."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest

from tests.freeze import engine, target_files
from tests.hosts.job_rig import JOBS, SCRIPTS, SITE, Rig

DEPLOYED, STILL_SERVED, TAKEN_BACK, LOST = 0, 1, 4, 5
KEPT = 5
"""Releases that the jobs keep."""
STEPS = {
    "deploy.sh": ("migrate", "freeze", "snapshot", "host", "reload", "parity", "releases"),
    "bucket.sh": ("migrate", "freeze", "snapshot", "publish", "parity", "releases"),
}
TAKING_BACK = {
    "deploy.sh": ("rollback", "snapshot", "host", "reload"),
    "bucket.sh": ("rollback", "snapshot", "publish"),
}
"""Steps that may also fail after a failed comparison."""
QUICK = {
    *(("deploy.sh", step) for step in ("reload", "parity", "releases", "parity rollback")),
    ("bucket.sh", "publish"),
}
OTHER_STEPS = pytest.mark.exhaustive("runs a job seven times for each step")


@pytest.fixture
def make_rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Rig]]:
    """Yield a function that makes a rig whose first release is deployed."""
    for name in ("disks.sync_disk", "target.sync_path"):
        monkeypatch.setattr(f"site_mirror.snapshot.{name}", ignore)

    def make(script: str) -> Rig:
        rig = Rig(script, tmp_path, stack)
        assert rig.run()[0] == DEPLOYED
        assert rig.served == rig.current != ""
        return rig

    with ExitStack() as stack:
        yield make


def ignore(*arguments: object) -> None:
    """Write nothing to disk at once: no power is cut here."""


def list_failures() -> Iterator[Any]:
    """Yield the steps that fail: each, and each of those that follow a failed comparison."""
    for script, steps in STEPS.items():
        for step in (*steps, *(f"parity {step}" for step in TAKING_BACK[script])):
            marks = () if (script, step) in QUICK else OTHER_STEPS
            yield pytest.param(script, step, marks=marks)


def expect_recovery(rig: Rig, good: str) -> None:
    """Check that the next refused release is taken back, and that the one after it is deployed."""
    rig.failing, rig.deadly, rig.once = {"parity"}, "", True
    assert (rig.run()[0], rig.served, rig.current) == (TAKEN_BACK, good, good)

    rig.failing = set()
    code, report = rig.run()
    assert (code, report["before"]) == (DEPLOYED, good)
    assert rig.served == rig.current == report["release"]
    # What was refused is gone, and what was good stays.
    assert target_files.list_releases(rig.target) >= {f"releases/{good}", f"releases/{rig.current}"}
    assert len(target_files.list_releases(rig.target)) <= KEPT


@pytest.mark.parametrize(
    "once", [False, pytest.param(True, marks=OTHER_STEPS)], ids=["always", "once"]
)
@pytest.mark.parametrize(("script", "failing"), list(list_failures()))
def test_a_step_that_fails_five_times_takes_nothing_from_readers(
    script: str, failing: str, make_rig: Callable[[str], Rig], *, once: bool
) -> None:
    rig = make_rig(script)
    good = rig.served
    for rig.late in (False, True, False, True, False):
        rig.failing, rig.once = set(failing.split()), once
        code, report = rig.run()

        assert report["release"] == rig.current
        if code == LOST:  # Nobody can tell what the site answers.
            assert "parity" in failing
        elif code == DEPLOYED:
            assert failing == "releases"
            good = rig.deployed
        else:
            assert rig.served == good
        rig.expect_whole(good)
        rig.expect_whole(rig.served)
    expect_recovery(rig, good)


@pytest.mark.parametrize(
    ("script", "step"),
    [each for each in list_failures() if " " not in each.values[1]],
)
def test_a_job_that_is_killed_five_times_takes_nothing_from_readers(
    script: str, step: str, make_rig: Callable[[str], Rig]
) -> None:
    rig = make_rig(script)
    good = rig.served
    for rig.late in (False, True, False, True, False):
        rig.deadly = step
        assert rig.run()[0] == -signal.SIGKILL

        good = rig.deployed if step == "releases" else good
        rig.expect_whole(good)
        rig.expect_whole(rig.served)
    expect_recovery(rig, good)


@pytest.mark.parametrize(("script", "step"), [("deploy.sh", "reload"), ("bucket.sh", "publish")])
def test_a_host_that_does_not_load_the_same_release_again_still_serves_it(
    script: str, step: str, make_rig: Callable[[str], Rig]
) -> None:
    rig = make_rig(script)
    rig.edits = repeat(0)
    rig.failing = {step}

    code, report = rig.run()

    assert (code, report["release"], report["before"]) == (STILL_SERVED, rig.served, rig.served)


@pytest.mark.parametrize("script", STEPS)
def test_a_first_release_that_no_host_loads_is_reported(script: str, tmp_path: Path) -> None:
    with ExitStack() as stack:
        rig = Rig(script, tmp_path, stack)
        rig.failing = {"reload", "publish"}
        code, report = rig.run()

    assert (code, report["outcome"], report["before"]) == (LOST, "failed", "")


@pytest.mark.parametrize("script", STEPS)
def test_a_job_for_another_site_sends_nothing(
    script: str, make_rig: Callable[[str], Rig], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it freezes that site or its URL is wrong, and whether a release is served or not."""
    rig = make_rig(script)
    good = rig.served
    for site, url in (("http://127.0.0.1:8000", SITE), (SITE, "https://elsewhere.example")):
        monkeypatch.setattr(engine, "ROOT", site)
        monkeypatch.setitem(JOBS, script, (*JOBS[script][:-1], url))
        code, report = rig.run()

        assert (code, report["step"]) == (STILL_SERVED, "verify")
        assert rig.served == rig.current == good
        assert not {"host", "reload", "publish"}.intersection(rig.steps)


@pytest.mark.parametrize("script", STEPS)
def test_a_job_whose_report_nobody_reads_has_the_exit_code_of_what_it_did(
    script: str, tmp_path: Path
) -> None:
    reader, output = os.pipe()
    os.close(reader)
    words = [word.format(target=tmp_path, folder=tmp_path) for word in JOBS[script]]
    variables = {"PATH": os.environ["PATH"], "MANAGE": "false", "RELOAD": "true"}
    job = subprocess.run([str(SCRIPTS / script), *words], env=variables, stdout=output, check=False)
    os.close(output)

    assert job.returncode == STILL_SERVED
