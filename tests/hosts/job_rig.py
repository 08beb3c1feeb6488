"""A deploy job, a target and a host, of which any step can fail.

The job is a shipped script or workflow. The releases are real, and so are the commands that handle
them; the host is a value, which serves what it has loaded last, as nginx and a bucket do.
"""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import TypeVar

import orjson
from django.core.management import CommandError, get_commands, load_command_class

from tests.freeze import commands, engine, processes, target_files

T = TypeVar("T")
SCRIPTS = processes.PROJECT / "docs/deploy"
SITE = "https://studio.example"
JOBS = {
    "deploy.sh": ("nginx", "{target}", "{folder}", SITE),
    "bucket.sh": ("{target}", "s3://studio.example", SITE),
}
ASK = """#!/bin/sh
printf '%s\\n' "$*" >{0}/asked
read -r code <{0}/answered
exit "$code"
"""
"""A command that a test answers, instead of `manage.py`, of a host's reload and of `sleep`."""


def is_accepted(name: str, *words: str) -> bool:
    """Whether the parser of a command of `manage.py` accepts its words."""
    try:
        load_command_class(get_commands()[name], name).create_parser("", name).parse_args(words)
    except CommandError:
        return False
    return True


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

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PATH": f"{self.folder}/bin:{os.environ['PATH']}",
            "MANAGE": "manage",
            "RELOAD": "reload",
        }

    def run(self) -> tuple[int, dict[str, str]]:
        """Run the job after an edit; return its exit code and its report."""
        words = [word.format(target=self.target, folder=self.folder) for word in JOBS[self.script]]
        self.process = subprocess.Popen(
            [str(SCRIPTS / self.script), *words],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        output, _ = self.attend(self.process.communicate)
        return self.process.returncode, orjson.loads(output or b"{}")

    def attend(self, work: Callable[[], T]) -> T:
        """Answer the commands of a job while it runs in a thread, and return its result."""
        self.steps = []
        with ThreadPoolExecutor(1) as pool:
            future = pool.submit(work)
            future.add_done_callback(lambda _: (self.folder / "asked").write_text("end\n"))
            while (line := self.asked.readline()) != b"end\n":
                self.answer(line.decode().split())
            return future.result()

    def answer(self, words: list[str]) -> None:
        """Do a step and tell its exit code, or kill the job."""
        step = words[1] if words[0] == "manage" else words[0]
        fails = self.fails(step)
        code = 0 if fails and not self.late else self.do(step, words)
        if words[0] == "manage" and not is_accepted(*words[1:]):
            code = processes.USAGE
        if step == self.deadly:
            os.killpg(self.process.pid, signal.SIGKILL)
        else:
            self.answered.write(b"1\n" if fails else b"%d\n" % code)

    def fails(self, step: str) -> bool:
        self.steps.append(step)
        return step in self.failing and not (self.once and self.steps.count(step) > 1)

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
