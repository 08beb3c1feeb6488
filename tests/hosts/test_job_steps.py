"""Every step of a deploy job fails, or the job is killed there, five times with an edit pending.

The jobs are the shipped scripts. The releases are real, and so are the commands that handle them;
the host is a value, which serves what it has loaded last, as nginx and a bucket do.
"""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count, repeat
from pathlib import Path
from threading import Thread

import orjson
import pytest

from tests.freeze import commands, engine, processes, target_files

SCRIPTS = processes.PROJECT / "docs/deploy"
SITE = "https://studio.example"
DEPLOYED, STILL_SERVED, TAKEN_BACK, LOST = 0, 1, 4, 5
KEPT = 5
"""Releases that the jobs keep."""
ASK = """#!/bin/sh
printf '%s\\n' "$*" >{0}/asked
read -r code <{0}/answered
exit "$code"
"""
"""A command that a test answers, instead of `manage.py`, of a host's reload and of `sleep`."""

JOBS = {
    "deploy.sh": ("nginx", "{target}", "{folder}", SITE),
    "bucket.sh": ("{target}", "s3://studio.example", SITE),
}
STEPS = {
    "deploy.sh": ("migrate", "freeze", "snapshot", "host", "reload", "parity", "releases"),
    "bucket.sh": ("migrate", "freeze", "snapshot", "publish", "parity", "releases"),
}
TAKING_BACK = {
    "deploy.sh": ("rollback", "snapshot", "host", "reload"),
    "bucket.sh": ("rollback", "snapshot", "publish"),
}
"""Steps that may also fail after a failed comparison."""


class Rig:
    """A target, a host and a deploy job. `failing` steps fail; the job is killed in a `deadly` one.

    With `late` a step fails after it has had its effect. `once` is for the first time in a run.
    """

    def __init__(self, script: str, folder: Path, stack: ExitStack) -> None:
        self.script, self.folder, self.target = script, folder, folder / "site"
        self.failing: set[str] = set()
        self.deadly = ""
        self.late = self.once = False
        self.loaded = self.served = ""
        self.edits: Iterator[int] = count()
        self.steps = list[str]()
        os.mkfifo(folder / "asked")
        os.mkfifo(folder / "answered")
        # Open for both, so that no question is lost between two readers.
        self.asked, self.answered = (
            stack.enter_context((folder / name).open("r+b", buffering=0))
            for name in ("asked", "answered")
        )
        (folder / "bin").mkdir()
        for name in ("manage", "reload", "sleep"):
            (folder / "bin" / name).write_text(ASK.format(folder).replace('"$*"', f'"{name} $*"'))
            (folder / "bin" / name).chmod(0o755)

    @property
    def current(self) -> str:
        return (self.target / "current").readlink().name

    @property
    def deployed(self) -> str:
        return (self.target / "deployed").readlink().name

    def run(self) -> tuple[int, dict[str, str]]:
        """Run the job after an edit; return its exit code and its report."""
        self.steps = []
        words = [word.format(target=self.target, folder=self.folder) for word in JOBS[self.script]]
        search = f"{self.folder}/bin:{os.environ['PATH']}"
        process = subprocess.Popen(
            [str(SCRIPTS / self.script), *words],
            env={"PATH": search, "MANAGE": "manage", "RELOAD": "reload"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        waiting = Thread(target=self.wait, args=[process])
        waiting.start()
        for words in self.read_questions():
            if not self.answer(words):
                os.killpg(process.pid, signal.SIGKILL)
        waiting.join()
        return process.returncode, orjson.loads(self.output or b"{}")

    def wait(self, process: "subprocess.Popen[bytes]") -> None:
        self.output = process.communicate()[0]
        (self.folder / "asked").write_text("end\n")

    def read_questions(self) -> Iterator[list[str]]:
        while (line := self.asked.readline()) != b"end\n":
            yield line.decode().split()

    def answer(self, words: list[str]) -> bool:
        """Do a step and tell its exit code; return false if the job is to be killed."""
        step = words[1] if words[0] == "manage" else words[0]
        fails = step in self.failing and not (self.once and step in self.steps)
        self.steps.append(step)
        code = 0 if fails and not self.late else self.do(step, words)
        if step == self.deadly:
            return False
        self.answered.write(b"1\n" if fails else b"%d\n" % code)
        return True

    def do(self, step: str, words: list[str]) -> int:
        if step == "freeze":
            page = engine.make_document("/", f"Edit {next(self.edits)}".encode())
            engine.publish(self.target, page)
        elif step == "parity":
            return 0 if self.served == self.current else 1
        elif step == "host":
            self.loaded = self.current
        elif step == "reload":
            self.served = self.loaded
        elif step == "publish":
            self.served = self.current
        elif step in ("snapshot", "rollback", "releases"):
            return commands.run(*words[1:]).returncode
        return 0

    def expect_whole(self, release: str) -> None:
        assert target_files.list_discrepancies(self.target / "releases" / release) == []


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


def list_failures() -> Iterator[tuple[str, str]]:
    """Yield the steps that fail: each, and each of those that follow a failed comparison."""
    for script, steps in STEPS.items():
        yield from ((script, step) for step in steps)
        yield from ((script, f"parity {step}") for step in TAKING_BACK[script])


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


@pytest.mark.parametrize("once", [False, True], ids=["always", "once"])
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
    ("script", "step"), [(script, step) for script, steps in STEPS.items() for step in steps]
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
