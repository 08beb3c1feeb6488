"""Servers of the release: a file server and the live origin."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from tests.freeze.processes import environment
from tests.live_origins import run_origin
from tests.ports import free_port
from tests.site.published.release import ROOT

SUFFIXES = ("", ".html", ".json", "/index.html", "/index.json")


class FileServer(SimpleHTTPRequestHandler):
    """Serves the file with the name of an address, or with that name and a suffix."""

    def translate_path(self, path: str) -> str:
        name = super().translate_path(path).rstrip("/")
        suffixes = SUFFIXES[3:] if path.endswith("/") else SUFFIXES
        candidates = (name + suffix for suffix in suffixes)
        return next((file for file in candidates if Path(file).is_file()), "")

    def log_message(self, *arguments: Any) -> None:
        """Write no log."""


@contextmanager
def serve_files(folder: Path) -> Iterator[int]:
    """Serve a folder and yield the port."""
    handler = partial(FileServer, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


@contextmanager
def serve_database(database: Path) -> Iterator[int]:
    """Run the live origin with a database and the root of the release, and yield the port."""
    port = free_port()
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    with run_origin(command, port, environment(database, SITE_ROOT=ROOT)):
        yield port
