"""PostgreSQL servers of their own for tests."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from tests import requirements
from tests.ports import free_port

INSTALLED = Path("/usr/lib/postgresql")
OWNER = "postgres"


@contextmanager
def run_server() -> Iterator[str]:
    """Run a server and yield its address without a database: append one to it."""
    with run_controlled_server() as (address, _):
        yield address


@contextmanager
def run_controlled_server() -> Iterator[tuple[str, Callable[[str], None]]]:
    """Run a server and yield its address, and a function that takes "start" or "stop"."""
    binaries = sorted(INSTALLED.glob("*/bin"), key=lambda path: float(path.parent.name))
    if not binaries:
        requirements.missing("NOT TESTED ON POSTGRESQL: it is missing (Debian package postgresql).")
    home = Path(mkdtemp())
    if os.geteuid() == 0:
        shutil.chown(home, OWNER)
    port = free_port()

    def run(program: str, *words: str) -> None:
        command = [str(binaries[-1] / program), "--pgdata", str(home / "data"), *words]
        uid = {"user": pwd.getpwnam(OWNER).pw_uid} if os.geteuid() == 0 else {}
        with (home / "log").open("ab") as log:
            subprocess.run(command, cwd=home, stdout=log, stderr=log, check=True, **uid)

    def control(action: str) -> None:
        settings = f"-p {port} -k {home} -c listen_addresses=127.0.0.1 -c fsync=off"
        options = {"start": ["--options", settings], "stop": ["--mode", "immediate"]}
        run("pg_ctl", "--wait", *options[action], action)

    try:
        run("initdb", "--username", "catalogue", "--auth", "trust", "--encoding", "UTF8")
        control("start")
        yield f"postgres://catalogue@127.0.0.1:{port}", control
    finally:
        control("stop")
        shutil.rmtree(home)
