"""The parent process of the live origin starts jobs, which outlive it."""

import fcntl
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from site_mirror.desk.publishing import PROGRESS, read_progress
from site_mirror.snapshot.target import Target
from tests.live_origins import serve_origin


@contextmanager
def waiting_command(folder: Path) -> Iterator[str]:
    """Yield a command that tells that it has begun, and ends when it is let go."""
    for name in ("begun", "go"):
        os.mkfifo(folder / name)
    yield f"echo >{folder}/begun; read line <{folder}/go"


def test_a_job_outlives_a_killed_server(tmp_path: Path) -> None:
    target = Target(tmp_path / "snapshot")
    with (
        waiting_command(tmp_path) as command,
        serve_origin(tmp_path, "--publish", shipped=True, DEPLOY_COMMAND=command) as origin,
    ):
        (tmp_path / "begun").read_bytes()
        workers = origin.workers()  # The job is a child of one of them.
        for pid in (origin.process.pid, *workers):
            os.kill(pid, signal.SIGKILL)
        origin.process.wait()

        assert target.is_reserved
        (tmp_path / "go").write_text("go\n")
        folder = os.open(target.root, os.O_RDONLY)
        fcntl.flock(folder, fcntl.LOCK_EX)  # It waits for the end of the job.
        os.close(folder)

    progress = read_progress(target.root / PROGRESS)
    assert (progress["outcome"], target.deployed_release) == ("published", target.release)
