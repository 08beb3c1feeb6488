"""The servers of the contest of origins, each as its maker or this project starts it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from getpass import getuser
from pathlib import Path

from benchmarks.contestants import HERE, MissingPeer
from benchmarks.running import Command, start

PATIENCE = 60
"""Seconds in which a server has to answer."""

NGINX = """\
daemon off;
user {user};
worker_processes auto;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{ worker_connections 1024; }}
http {{
  include /etc/nginx/mime.types;
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 10000000;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port};
    root {public};
  }}
}}
"""

CADDY = """\
{{
  admin off
  auto_https off
}}
http://127.0.0.1:{port} {{
  bind 127.0.0.1
  root * {public}
  file_server
}}
"""


@dataclass(frozen=True, slots=True)
class Server:
    """How one is started on its port, and at which path the document is."""

    name: str
    command: Command
    port: int
    path: str

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}{self.path}"


@dataclass(frozen=True, slots=True)
class Site:
    """The project's site on this machine: its settings, and where its snapshot lies."""

    folder: Path
    first_port: int
    document: str
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def public(self) -> Path:
        return self.folder / "snapshot" / "current" / "public"

    @property
    def file(self) -> str:
        """The path of the document's file, which a file server is asked for."""
        return f"{self.document}.json"

    def servers(self) -> tuple[Server, ...]:
        """The live origin first; the others are compared with it."""
        port = self.first_port
        return (
            Server("live origin", self.live(port), port, self.document),
            Server("nginx, file", self.nginx(port + 1), port + 1, self.file),
            Server("Caddy, file", self.caddy(port + 2), port + 2, self.file),
            Server("DRF retrieve", self.ordinary(port + 3), port + 3, "/apps/1"),
        )

    def live(self, port: int) -> Command:
        """The Makefile's own recipe."""
        words = (needed("make"), "--silent", "serve", f"PORT={port}")
        return Command((*words, f"BIN={Path(sys.executable).parent}"), HERE, self.settings)

    def ordinary(self, port: int) -> Command:
        """As the Makefile starts the live origin."""
        words = [sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1"]
        words += ["--port", str(port), "--workers", "1", "--blocking-threads", "4"]
        words += ["--log-level", "warning", "benchmarks.ordinary:application"]
        return Command(tuple(words), HERE, self.settings)

    def nginx(self, port: int) -> Command:
        file = self.written("nginx.conf", NGINX, port)
        return Command((needed("nginx"), "-c", str(file)), self.folder)

    def caddy(self, port: int) -> Command:
        file = self.written("Caddyfile", CADDY, port)
        homes = {"XDG_DATA_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)}
        words = (needed("caddy"), "run", "--adapter", "caddyfile", "--config", str(file))
        return Command(words, self.folder, homes)

    def written(self, name: str, template: str, port: int) -> Path:
        file = self.folder / name
        values = {"user": getuser(), "folder": self.folder, "public": self.public}
        file.write_text(template.format(port=port, **values))
        return file


def needed(program: str) -> str:
    found = shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        raise MissingPeer(f"{program} is missing: apt-get install {program}.")
    return found


@contextmanager
def running(server: Server) -> Iterator[subprocess.Popen[bytes]]:
    """The process of a server, from its first answer to the end of the block.

    Raises `MissingPeer`.
    """
    with tempfile.TemporaryFile("w+") as said:
        process = start(server.command, said.fileno())
        try:
            if not answers(process, server.port):
                said.seek(0)
                raise MissingPeer(f"{server.name} does not answer:\n{said.read()}")
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=PATIENCE)


def answers(process: subprocess.Popen[bytes], port: int) -> bool:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return True
        time.sleep(0.1)
    return False
