"""Requests per second of the live origin beside nginx, which sends the same bodies as files."""

import http.client
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from getpass import getuser
from itertools import product
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from benchmarks.freezing import Project
from benchmarks.running import (
    Command,
    CommandFailed,
    MissingProgram,
    find_program,
    run_command,
    started,
    table,
)

CONNECTIONS = (1, 16, 64)
ENCODINGS = {"": "", "gzip": ".gz", "br": ".br"}
RATE = re.compile(r"^Requests(?:/sec| per second):\s+([0-9.]+)", re.MULTILINE)
ERRORS = re.compile(r"^\s*(?:Socket errors: .*|Failed requests: +[1-9].*)$", re.MULTILINE)
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
    """A server with its command and its port."""

    name: str
    command: Command
    port: int


@dataclass(frozen=True)
class Case:
    """A request to the live origin, and the file that nginx sends for the same response.

    A redirect and an error, which have no file, are compared with the file of the object.
    """

    name: str
    path: str
    file: str = ""
    status: int = 200
    method: str = "GET"
    encoding: str = ""

    def address(self, server: Server) -> str:
        file = self.file + ENCODINGS[self.encoding]
        return f"http://127.0.0.1:{server.port}{file if server.name == 'nginx' else self.path}"


OBJECT = Case("object", "/api/v1/apps/stashio", "/api/v1/apps/stashio.json")
DOCUMENTS = (
    OBJECT,
    Case("list", "/api/v1/apps", "/api/v1/apps.json"),
    Case("page", "/about", "/about.html"),
    Case("mirror", "/about.md", "/about.md"),
)
CASES = (
    *(replace(case, encoding=encoding) for case in DOCUMENTS for encoding in ENCODINGS),
    replace(OBJECT, name="304", status=304),
    replace(OBJECT, name="HEAD", method="HEAD"),
    Case("redirect", "/about/", status=308),
    Case("404", "/api/v1/apps/none", status=404),
)


def measure(folder: Path, seconds: int, rounds: int) -> list[str]:
    """Measure both servers in turn: a row for each kind of response."""
    servers = prepare_servers(folder)
    found: dict[tuple[str, Case, int], list[float]] = {}
    for number in range(1, rounds + 1):
        for server in servers:
            sys.stderr.write(f"{server.name}: round {number}\n")
            with running(server):
                for case, count in product(CASES, CONNECTIONS):
                    asked = case if case.file or server is servers[0] else OBJECT
                    rate = send_load(server, asked, seconds, count)
                    found.setdefault((server.name, case, count), []).append(rate)
    heads = [f"{count}: nginx | origin | ratio" for count in CONNECTIONS]
    rows = []
    for case in CASES:
        cells = []
        for count in CONNECTIONS:
            live, nginx = (median(found[server.name, case, count]) for server in servers)
            cells += [f"{nginx:,.0f}", f"{live:,.0f}", f"{live / nginx:.2f}"]
        rows.append((f"{case.name} {case.encoding}".strip(), *cells))
    titles = [title for head in heads for title in head.split(" | ")]
    return table(("requests a second by connections, median", *titles), rows)


def prepare_servers(folder: Path) -> tuple[Server, Server]:
    """Create a database with the shipped content, and a snapshot of it."""
    project = Project()
    project.prepare(folder, 0)
    run_command(project.command(folder / "snapshot"))
    live_port, port = free_port(), free_port()
    serve = project.python("manage.py", "serve", "--port", str(live_port), "--workers", "2")
    site = {"SITE_ROOT": f"http://127.0.0.1:{live_port}", "RATE_LIMIT": "0", "ACCESS_LOG": "0"}
    configuration = folder / "nginx.conf"
    configuration.write_text(NGINX.format(user=getuser(), folder=folder, port=port))
    words = (find_program("nginx"), "-c", str(configuration))
    live = Command(serve.words, serve.folder, {**serve.environment, **site})
    return Server("live origin", live, live_port), Server("nginx", Command(words, folder), port)


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


def wrk(connections: int, seconds: int) -> list[str]:
    threads = str(min(2, connections))
    return [find_program("wrk"), "-t", threads, "-c", str(connections), "-d", f"{seconds}s"]


def ab(connections: int, seconds: int) -> list[str]:
    """Return the command for HEAD: wrk waits for the body that `Content-Length` announces."""
    limits = ["-t", str(seconds), "-n", str(200_000 * seconds)]
    return [find_program("ab"), "-q", "-k", "-i", "-c", str(connections), *limits]


def send_load(server: Server, case: Case, seconds: int, connections: int) -> float:
    """Return the requests per second of a case."""
    headers = {"Accept-Encoding": case.encoding} if case.encoding else {}
    if case.status == http.HTTPStatus.NOT_MODIFIED:
        headers["If-None-Match"] = ask(server, replace(case, status=200), {})
    ask(server, case, headers)
    words = wrk(connections, seconds) if case.method == "GET" else ab(connections, seconds)
    for name, value in headers.items():
        words += ["-H", f"{name}: {value}"]
    words.append(case.address(server))
    done = subprocess.run(  # noqa: S603  (the words are this package's own)
        words, capture_output=True, text=True, check=True, timeout=seconds + 60
    )
    rate, errors = RATE.search(done.stdout), ERRORS.search(done.stdout)
    if errors or rate is None:
        raise CommandFailed(f"{server.name}: {errors[0].strip() if errors else done.stdout}")
    return float(rate[1])


def ask(server: Server, case: Case, headers: dict[str, str]) -> str:
    """Send a request once and return the ETag. Raises `CommandFailed` for another status."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request(case.method, urlsplit(case.address(server)).path, headers=headers)
    answer = connection.getresponse()
    connection.close()
    if answer.status != case.status:
        raise CommandFailed(f"{server.name} answers {case.address(server)} with {answer.status}.")
    return answer.getheader("ETag", "")
