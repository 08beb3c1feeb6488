"""A PostgreSQL server of a test's own."""

import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from tests import needs

INSTALLED = Path("/usr/lib/postgresql")
OWNER = "postgres"


@contextmanager
def server() -> Iterator[str]:
    """The address of a new server's database, without its name: append one to it."""
    binaries = sorted(INSTALLED.glob("*/bin"), key=lambda path: float(path.parent.name))
    if not binaries:
        needs.missing("NOT TESTED ON POSTGRESQL: it is missing (Debian package postgresql).")
    home = Path(mkdtemp())
    if os.geteuid() == 0:
        shutil.chown(home, OWNER)
    port = free_port()

    def run(program: str, *words: str) -> None:
        command = [str(binaries[-1] / program), "--pgdata", str(home / "data"), *words]
        uid = {"user": pwd.getpwnam(OWNER).pw_uid} if os.geteuid() == 0 else {}
        with (home / "log").open("ab") as log:
            subprocess.run(command, cwd=home, stdout=log, stderr=log, check=True, **uid)

    try:
        run("initdb", "--username", "catalogue", "--auth", "trust", "--encoding", "UTF8")
        settings = f"-p {port} -k {home} -c listen_addresses=127.0.0.1 -c fsync=off"
        run("pg_ctl", "--wait", "--options", settings, "start")
        yield f"postgres://catalogue@127.0.0.1:{port}"
    finally:
        run("pg_ctl", "--mode", "fast", "stop")
        shutil.rmtree(home)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
