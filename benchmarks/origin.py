"""Requests per second of the live origin beside nginx, which serves the same document as a file."""

import http.client
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from getpass import getuser
from pathlib import Path
from statistics import median

from benchmarks.freezing import Project
from benchmarks.running import (
    Command,
    CommandFailed,
    MissingProgram,
    find_program,
    quotient,
    run_command,
    started,
    table,
)

DOCUMENT = "/api/v1/apps/stashio"
CONNECTIONS = (1, 16, 64)
LOADS = [(count, conditional) for conditional in (False, True) for count in CONNECTIONS]
RATE = re.compile(r"^Requests/sec:\s+([0-9.]+)$", re.MULTILINE)
REFUSALS = re.compile(r"^\s*(Non-2xx or 3xx responses|Socket errors): .*$", re.MULTILINE)
START_SECONDS = 60
"""Time in which a server has to answer."""

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
  server {{
    listen 127.0.0.1:{port};
    root {folder}/snapshot/current/public;
  }}
}}
"""


@dataclass(frozen=True)
class Server:
    """A server with its command, its port and the path of the document."""

    name: str
    command: Command
    port: int
    path: str


def measure(folder: Path, seconds: int, rounds: int) -> list[str]:
    """Measure both servers in turn."""
    live, nginx = prepare_servers(folder)
    rates: dict[str, list[list[float]]] = {live.name: [], nginx.name: []}
    for number in range(1, rounds + 1):
        for server in (live, nginx):
            sys.stderr.write(f"{server.name}: round {number}\n")
            with running(server):
                tag = read_etag(server)
                send_load(server, 1, 16, "")  # Caches are filled.
                rates[server.name].append(
                    [send_load(server, seconds, count, tag * when) for count, when in LOADS]
                )
    medians = {
        name: [median(rate) for rate in zip(*rows, strict=True)] for name, rows in rates.items()
    }
    heads = [f"{count}, 304" if when else str(count) for count, when in LOADS]
    rows = [(name, *(f"{rate:,.0f}" for rate in found)) for name, found in medians.items()]
    ratios = map(quotient, medians[live.name], medians[nginx.name])
    rows.append((f"{live.name} over {nginx.name}", *ratios))
    return table(("requests a second by connections, median", *heads), rows)


def prepare_servers(folder: Path) -> tuple[Server, Server]:
    """Create a database with the shipped content, and a snapshot of it."""
    project = Project()
    project.prepare(folder, 0)
    run_command(project.command(folder / "snapshot"))
    live_port, port = free_port(), free_port()
    serve = project.python("manage.py", "serve", "--port", str(live_port))
    site = {"SITE_ROOT": f"http://127.0.0.1:{live_port}", "RATE_LIMIT": "0", "ACCESS_LOG": "0"}
    configuration = folder / "nginx.conf"
    configuration.write_text(NGINX.format(user=getuser(), folder=folder, port=port))
    words = (find_program("nginx"), "-c", str(configuration))
    return (
        Server(
            "live origin",
            Command(serve.words, serve.folder, {**serve.environment, **site}),
            live_port,
            DOCUMENT,
        ),
        Server("nginx, file", Command(words, folder), port, f"{DOCUMENT}.json"),
    )


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


@contextmanager
def running(server: Server) -> Iterator[None]:
    """Run a server for a block, from its first response on."""
    with tempfile.TemporaryFile("w+") as output, started(server.command, output.fileno()):
        until = time.monotonic() + START_SECONDS
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", server.port)) == 0:
                    break
            if time.monotonic() > until:
                output.seek(0)
                raise MissingProgram(f"{server.name} does not answer:\n{output.read()}")
            time.sleep(0.1)
        yield


def read_etag(server: Server) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("GET", server.path)
    answer = connection.getresponse()
    if answer.status != http.HTTPStatus.OK:
        raise CommandFailed(f"{server.name} answers {server.path} with {answer.status}.")
    connection.close()
    return answer.getheader("ETag", "")


def send_load(server: Server, seconds: int, connections: int, tag: str) -> float:
    """Return the requests per second, conditional ones if there is a tag."""
    words = [find_program("wrk"), "-t", str(min(2, connections)), "-c", str(connections)]
    words += ["-d", f"{seconds}s", *(["-H", f"If-None-Match: {tag}"] if tag else [])]
    words.append(f"http://127.0.0.1:{server.port}{server.path}")
    done = subprocess.run(  # noqa: S603  (the words are this package's own)
        words, capture_output=True, text=True, check=True, timeout=seconds + 60
    )
    found, refused = RATE.search(done.stdout), REFUSALS.search(done.stdout)
    if refused or found is None:
        raise CommandFailed(f"{server.name}: {refused[0].strip() if refused else done.stdout}")
    return float(found[1])
