"""The live origin while its database is unreachable, and after it is back."""

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

from tests.ports import free_port, wait_for
from tests.postgresql import run_controlled_server

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.server

WITHOUT_CONTENT = [
    ("OPTIONS", "/api/v1/apps", 204),
    ("POST", "/api/v1/apps", 405),
    ("GET", "/api/v1/nope", 404),
    ("GET", "/api/v1/apps/", 308),
    ("GET", "/nope", 404),
]


@contextmanager
def run_server(database: str) -> Iterator[int]:
    """Run a server with the shipped content in a database, and yield its port."""
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
        server.wait(timeout=120)


def send_request(port: int, method: str, path: str) -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=40)
    connection.request(method, path)
    answer = connection.getresponse()
    headers = {name.lower(): value for name, value in answer.getheaders()}
    found = answer.status, headers, answer.read()
    connection.close()
    return found


def assert_is_gone(port: int) -> None:
    for path in ("/api/v1/", "/api/v1/apps", "/api/v1/health", "/openapi.json"):
        status, headers, body = send_request(port, "GET", path)
        assert status == json.loads(body)["status"] == 503
        assert headers["content-type"] == "application/problem+json"
        assert headers["retry-after"] == "30"
        assert headers["cache-control"] == "no-store"
    for path in ("/", "/about.md", "/llms.txt"):
        status, headers, body = send_request(port, "GET", path)
        assert status == 503
        assert headers["content-type"] == "text/markdown; charset=utf-8"
        assert body.startswith(b"# 503 Service Unavailable\n")
    for method, path, expected in WITHOUT_CONTENT:
        status, headers, body = send_request(port, method, path)
        assert status == expected
        assert status == 204 or headers["content-length"] == str(len(body))
        assert "transfer-encoding" not in headers


def assert_is_back(port: int) -> None:
    for path in ("/api/v1/health", "/api/v1/apps", "/", "/about.md"):
        assert send_request(port, "GET", path)[0] == 200


def move_away(file: Path) -> Callable[[], object]:
    kept = file.with_name("kept")
    file.rename(kept)
    return lambda: kept.replace(file)


def replace_by_noise(file: Path) -> Callable[[], object]:
    kept = file.with_name("kept")
    file.rename(kept)
    file.write_bytes(b"This is not a database. " * 1000)
    return lambda: kept.replace(file)


def replace_by_folder(file: Path) -> Callable[[], object]:
    kept = file.with_name("kept")
    file.rename(kept)
    file.mkdir()

    def back() -> None:
        file.rmdir()
        kept.rename(file)

    return back


def test_the_origin_survives_every_fault_of_an_sqlite_file(tmp_path: Path) -> None:
    file = tmp_path / "catalogue.sqlite3"
    with run_server(f"sqlite:///{file}") as port:
        assert_is_back(port)
        for fault in (move_away, replace_by_noise, replace_by_folder):
            back = fault(file)
            assert_is_gone(port)
            back()
            assert_is_back(port)


def test_the_origin_survives_a_postgresql_that_stops_and_starts() -> None:
    with run_controlled_server() as (address, control), run_server(f"{address}/postgres") as port:
        assert_is_back(port)
        control("stop")
        assert_is_gone(port)
        control("start")
        assert_is_back(port)


@pytest.mark.exhaustive("measures by the clock how long a request waits")
def test_a_postgresql_that_does_not_answer_times_out(tmp_path: Path) -> None:
    """A server accepts the connection and sends nothing."""
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
