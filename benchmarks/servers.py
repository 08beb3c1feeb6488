"""The servers that are compared with the live origin, and their commands."""

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

from benchmarks.contestants import PROJECT_FOLDER, MissingPeer
from benchmarks.running import Command, start_command

TIMEOUT_SECONDS = 60
"""Time in which a server has to answer."""

NGINX_CONFIGURATION = """\
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

CADDY_CONFIGURATION = """\
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
    """A server with its command, its port and the path of the document."""

    name: str
    command: Command
    port: int
    path: str

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}{self.path}"


@dataclass(frozen=True, slots=True)
class Site:
    """The site of the project on this machine: its settings and its snapshot."""

    folder: Path
    first_port: int
    document: str
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def public(self) -> Path:
        return self.folder / "snapshot" / "current" / "public"

    @property
    def file(self) -> str:
        """The path of the document's file on a file server."""
        return f"{self.document}.json"

    def servers(self) -> tuple[Server, ...]:
        """Return the live origin, and then the servers with which it is compared."""
        port = self.first_port
        return (
            Server("live origin", self.live(port), port, self.document),
            Server("nginx, file", self.nginx(port + 1), port + 1, self.file),
            Server("Caddy, file", self.caddy(port + 2), port + 2, self.file),
            Server("DRF retrieve", self.ordinary(port + 3), port + 3, "/apps/1"),
        )

    def live(self, port: int) -> Command:
        """Return the command of `make serve`."""
        words = (find_program("make"), "--silent", "serve", f"PORT={port}")
        return Command(
            (*words, f"BIN={Path(sys.executable).parent}"), PROJECT_FOLDER, self.settings
        )

    def ordinary(self, port: int) -> Command:
        """Return a command that starts the ordinary view as `make serve` starts the live origin."""
        words = [sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1"]
        words += ["--port", str(port), "--workers", "1", "--blocking-threads", "4"]
        words += ["--log-level", "warning", "benchmarks.ordinary:application"]
        return Command(tuple(words), PROJECT_FOLDER, self.settings)

    def nginx(self, port: int) -> Command:
        file = self.write_configuration("nginx.conf", NGINX_CONFIGURATION, port)
        return Command((find_program("nginx"), "-c", str(file)), self.folder)

    def caddy(self, port: int) -> Command:
        file = self.write_configuration("Caddyfile", CADDY_CONFIGURATION, port)
        homes = {"XDG_DATA_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)}
        words = (find_program("caddy"), "run", "--adapter", "caddyfile", "--config", str(file))
        return Command(words, self.folder, homes)

    def write_configuration(self, name: str, template: str, port: int) -> Path:
        file = self.folder / name
        values = {"user": getuser(), "folder": self.folder, "public": self.public}
        file.write_text(template.format(port=port, **values))
        return file


def find_program(program: str) -> str:
    found = shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        raise MissingPeer(f"{program} is missing: apt-get install {program}.")
    return found


@contextmanager
def run_server(server: Server) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server for a block, from its first response on.

    Raises `MissingPeer`.
    """
    with tempfile.TemporaryFile("w+") as output:
        process = start_command(server.command, output.fileno())
        try:
            if not wait_for_answer(process, server.port):
                output.seek(0)
                raise MissingPeer(f"{server.name} does not answer:\n{output.read()}")
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=TIMEOUT_SECONDS)


def wait_for_answer(process: subprocess.Popen[bytes], port: int) -> bool:
    until = time.monotonic() + TIMEOUT_SECONDS
    while time.monotonic() < until and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return True
        time.sleep(0.1)
    return False
