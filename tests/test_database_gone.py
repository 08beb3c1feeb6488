"""The real server while its database is gone, and after it is back."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.needs import missing
from tests.test_server import free_port, wait_for

ROOT = Path(__file__).resolve().parent.parent
POSTGRESQL = Path("/usr/lib/postgresql")
pytestmark = pytest.mark.server

WITHOUT_CONTENT = [
    ("OPTIONS", "/api/v1/apps", 204),
    ("POST", "/api/v1/apps", 405),
    ("GET", "/api/v1/nope", 404),
    ("GET", "/api/v1/apps/", 308),
    ("GET", "/nope", 404),
]


@contextmanager
def served(database: str) -> Iterator[int]:
    """The port of a server with the shipped content in a database."""
    port = free_port()
    environment = os.environ | {
        "SECRET_KEY": "a key for this test alone " * 3,
        "SITE_ROOT": f"http://127.0.0.1:{port}",
        "DATABASE_URL": database,
        "RATE_LIMIT": "0",
    }
    environment.pop("ALLOWED_HOSTS", None)
    for arguments in (["migrate", "--verbosity", "0"], ["load_content"]):
        command = [sys.executable, "manage.py", *arguments]
        subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--blocking-threads", "4", "site_mirror.wsgi:application"]
    server = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        wait_for(port)
        yield port
    finally:
        server.terminate()
        server.wait(timeout=20)


def ask(port: int, method: str, path: str) -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=40)
    connection.request(method, path)
    answer = connection.getresponse()
    headers = {name.lower(): value for name, value in answer.getheaders()}
    found = answer.status, headers, answer.read()
    connection.close()
    return found


def assert_is_gone(port: int) -> None:
    for path in ("/api/v1/", "/api/v1/apps", "/api/v1/health", "/openapi.json"):
        status, headers, body = ask(port, "GET", path)
        assert status == json.loads(body)["status"] == 503
        assert headers["content-type"] == "application/problem+json"
        assert headers["retry-after"] == "30"
        assert headers["cache-control"] == "no-store"
    for path in ("/", "/about.md", "/llms.txt"):
        status, headers, body = ask(port, "GET", path)
        assert status == 503
        assert headers["content-type"] == "text/markdown; charset=utf-8"
        assert body.startswith(b"# 503 Service Unavailable\n")
    for method, path, expected in WITHOUT_CONTENT:
        status, headers, body = ask(port, method, path)
        assert status == expected
        assert status == 204 or headers["content-length"] == str(len(body))
        assert "transfer-encoding" not in headers


def assert_is_back(port: int) -> None:
    for path in ("/api/v1/health", "/api/v1/apps", "/", "/about.md"):
        assert ask(port, "GET", path)[0] == 200


def moved_away(file: Path) -> Callable[[], object]:
    kept = file.with_name("kept")
    file.rename(kept)
    return lambda: kept.replace(file)


def replaced_by_noise(file: Path) -> Callable[[], object]:
    kept = file.with_name("kept")
    file.rename(kept)
    file.write_bytes(b"This is not a database. " * 1000)
    return lambda: kept.replace(file)


def replaced_by_a_folder(file: Path) -> Callable[[], object]:
    kept = file.with_name("kept")
    file.rename(kept)
    file.mkdir()

    def back() -> None:
        file.rmdir()
        kept.rename(file)

    return back


def test_the_origin_survives_every_fault_of_an_sqlite_file(tmp_path: Path) -> None:
    file = tmp_path / "catalogue.sqlite3"
    with served(f"sqlite:///{file}") as port:
        assert_is_back(port)
        for fault in (moved_away, replaced_by_noise, replaced_by_a_folder):
            back = fault(file)
            assert_is_gone(port)
            back()
            assert_is_back(port)


@contextmanager
def postgresql(folder: Path) -> Iterator[tuple[str, Callable[..., None]]]:
    """The address of a PostgreSQL server, and what controls it: `start`, `stop`."""
    found = sorted(POSTGRESQL.glob("*/bin/initdb"))
    if not found:
        missing("NOT TESTED ON POSTGRESQL: initdb is missing (Debian package postgresql).")
    binaries, data, port = found[-1].parent, folder / "data", free_port()
    as_postgres = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if as_postgres:
        subprocess.run(["chown", "postgres", folder], check=True)

    def run(*words: str | Path) -> None:
        command = [*as_postgres, *map(str, words)]
        subprocess.run(command, cwd="/", check=True, capture_output=True)

    def control(action: str) -> None:
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        more = ["--options", options, "--log", folder / "log"] if action == "start" else []
        mode = ["--mode", "immediate"] if action == "stop" else []
        run(binaries / "pg_ctl", "--pgdata", data, "--silent", "--wait", *more, *mode, action)

    run(binaries / "initdb", "--pgdata", data, "--username", "catalogue", "--auth", "trust")
    control("start")
    try:
        yield f"postgres://catalogue@127.0.0.1:{port}/postgres", control
    finally:
        control("stop")


def test_the_origin_survives_a_postgresql_that_stops_and_starts() -> None:
    folder = Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())
    with postgresql(folder) as (database, control), served(database) as port:
        assert_is_back(port)
        control("stop")
        assert_is_gone(port)
        control("start")
        assert_is_back(port)


def test_a_postgresql_that_never_answers_is_given_up(tmp_path: Path) -> None:
    """A server that accepts a connection and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"postgres://catalogue@127.0.0.1:{silent.getsockname()[1]}/postgres"
        begun = time.monotonic()
        asked = subprocess.run(
            [sys.executable, "-c", PATIENCE],
            cwd=ROOT,
            env=os.environ | {"DATABASE_URL": address, "DJANGO_SETTINGS_MODULE": SETTINGS},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert asked.stdout.split() == ["503", "30"], asked.stderr
        assert time.monotonic() - begun < 30


SETTINGS = "site_mirror.settings"
PATIENCE = """
import django
django.setup()
from django.test import Client
found = Client(raise_request_exception=False).get("/api/v1/health")
print(found.status_code, found["Retry-After"])
"""
