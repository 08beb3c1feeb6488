"""Live origins, started by `manage.py serve`."""

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

from tests.freeze.processes import PROJECT, environment, filled_database
from tests.ports import free_port, run_server


class Origin:
    """A running server: its process and its port."""

    def __init__(self, process: subprocess.Popen[bytes], port: int) -> None:
        self.process = process
        self.port = port

    def workers(self) -> set[int]:
        """Return the process ids of the workers."""
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return {int(word) for word in path.read_text().split()}

    def wait_for_dates(self) -> None:
        """Wait until responses have a `Last-Modified`, a second after the start."""
        while "last-modified" not in self.ask("/about").headers:
            time.sleep(0.1)

    def status(self, path: str = "/api/v1/health", timeout: float = 60) -> int:
        return self.ask(path, timeout).status

    def ask(self, path: str, timeout: float = 60, since: str = "") -> HTTPResponse:
        """Return the response to GET, asked on condition of a date if there is one."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        headers = {"Connection": "close"} | ({"If-Modified-Since": since} if since else {})
        connection.request("GET", path, headers=headers)
        return connection.getresponse()


@contextmanager
def serve_origin(
    folder: Path, *options: str, shipped: bool = False, filled: Path | None = None, **variables: str
) -> Iterator[Origin]:
    """Run `manage.py serve` with a database in a folder, until the end of the block.

    It is a copy of `filled`, or is empty or has the shipped content.
    """
    database, port = folder / "catalogue.sqlite3", free_port()
    shutil.copyfile(filled or filled_database(shipped=shipped), database)
    surroundings = environment(database, SITE_ROOT=f"http://127.0.0.1:{port}", **variables)
    command = [sys.executable, "manage.py", "serve", "--port", str(port), *options]
    with run_origin(command, port, surroundings) as origin:
        yield origin


@contextmanager
def run_origin(command: list[str], port: int, surroundings: dict[str, str]) -> Iterator[Origin]:
    with run_server(command, port, cwd=PROJECT, env=surroundings) as process:
        yield Origin(process, port)
