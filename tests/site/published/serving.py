"""The release and its live origin, each behind a port of its own."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from tests.freeze.processes import PROJECT, environment
from tests.site.published.release import ROOT
from tests.test_server import free_port, wait_for

SUFFIXES = ("", ".html", ".json", "/index.html", "/index.json")


class FileServer(SimpleHTTPRequestHandler):
    """Answers an address with the file of that name, with a suffix where it has none."""

    def translate_path(self, path: str) -> str:
        named = super().translate_path(path).rstrip("/")
        suffixes = SUFFIXES[3:] if path.endswith("/") else SUFFIXES
        candidates = (named + suffix for suffix in suffixes)
        return next((file for file in candidates if Path(file).is_file()), "")

    def log_message(self, *arguments: Any) -> None:
        """Say nothing."""


@contextmanager
def file_server(folder: Path) -> Iterator[int]:
    """The port at which a folder is served."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(FileServer, directory=str(folder))) as found:
        Thread(target=found.serve_forever, daemon=True).start()
        yield found.server_port
        found.shutdown()


@contextmanager
def live_origin(database: Path) -> Iterator[int]:
    """The port of the live origin of a database, as it is deployed."""
    port = free_port()
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    server = subprocess.Popen(command, cwd=PROJECT, env=environment(database, SITE_ROOT=ROOT))
    try:
        wait_for(port)
        yield port
    finally:
        server.terminate()
        server.wait(timeout=20)
