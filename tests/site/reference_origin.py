"""The live origin with the shipped content, at the address that its pages say it has."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.freeze.processes import PROJECT, PYTHON, environment, fill
from tests.test_server import free_port, wait_for


@contextmanager
def live_origin(folder: Path) -> Iterator[str]:
    """The root of the site, such as http://127.0.0.1:9000."""
    database, port = folder / "catalogue.sqlite3", free_port()
    fill(database, shipped=True)
    root = f"http://127.0.0.1:{port}"
    command = [*PYTHON, "manage.py", "serve", "--port", str(port)]
    variables = environment(database, SITE_ROOT=root)
    with subprocess.Popen(command, cwd=PROJECT, env=variables) as server:
        try:
            wait_for(port)
            yield root
        finally:
            server.terminate()
