"""The live origin as it is deployed: the real server, over a real socket."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.server


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server with the shipped content."""
    port = free_port()
    database = tmp_path_factory.mktemp("server") / "catalogue.sqlite3"
    environment = os.environ | {
        "SECRET_KEY": "a key for this test alone " * 3,
        "SITE_ROOT": f"http://127.0.0.1:{port}",
        "DATABASE_URL": f"sqlite:///{database}",
        "RATE_LIMIT": "1",
    }
    environment.pop("ALLOWED_HOSTS", None)
    for arguments in (["migrate", "--verbosity", "0"], ["load_content"]):
        command = [sys.executable, "manage.py", *arguments]
        subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        wait_for(port)
        yield port
    finally:
        server.terminate()
        server.wait(timeout=20)


def wait_for(port: int) -> None:
    for _ in range(400):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError(port)


def exchange(port: int, *requests: str) -> bytes:
    """Everything that comes back over one connection for some requests."""
    host = f"Host: 127.0.0.1:{port}\r\n"
    wire = "".join(f"{request}\r\n{host}\r\n" for request in requests[:-1])
    wire += f"{requests[-1]}\r\n{host}Connection: close\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(wire.encode())
        return b"".join(iter(lambda: connection.recv(65536), b""))


def head_and_body(answer: bytes) -> tuple[str, bytes]:
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.decode().lower(), body


PATHS = ["/api/v1/", "/api/v1/apps", "/openapi.json", "/", "/blog/a-pendulum-in-your-pocket.md"]


@pytest.mark.parametrize("path", [*PATHS, "/api/v1/nope", "/nope"])
def test_a_head_has_the_headers_of_a_get_and_no_byte_of_its_body(port: int, path: str) -> None:
    got, body = head_and_body(exchange(port, f"GET {path} HTTP/1.1"))
    asked, nothing = head_and_body(exchange(port, f"HEAD {path} HTTP/1.1"))

    assert nothing == b""
    assert f"content-length: {len(body)}" in asked
    assert without_date(asked) == without_date(got)


def without_date(head: str) -> list[str]:
    return sorted(line for line in head.splitlines() if not line.startswith("date:"))


def test_answers_without_a_body_leave_the_connection_usable(port: int) -> None:
    answer = exchange(
        port,
        "HEAD /api/v1/apps HTTP/1.1",
        "GET /api/v1/apps HTTP/1.1\r\nIf-None-Match: *",
        "OPTIONS /api/v1/apps HTTP/1.1",
        "GET /api/v1/health HTTP/1.1",
    )

    assert answer.count(b"HTTP/1.1 200") == 2
    assert answer.count(b"HTTP/1.1 304") == 1
    assert answer.count(b"HTTP/1.1 204") == 1
    assert answer.endswith(b'{"status":"ok","apiVersion":"1.0.0"}\n')


@pytest.mark.parametrize("status", ["304", "204"])
def test_an_answer_that_has_no_content_has_no_length(port: int, status: str) -> None:
    request = {"304": "GET /api/v1/apps HTTP/1.1\r\nIf-None-Match: *", "204": "OPTIONS / HTTP/1.1"}
    head, _ = head_and_body(exchange(port, request[status]))

    assert head.startswith(f"http/1.1 {status}")
    assert "content-length" not in head
    assert "transfer-encoding" not in head


@pytest.mark.parametrize(
    "target",
    ["/api/%00", "/api/%ff", "/api/v1/apps/%00", "/api/v1/apps/%c3%28", "/api/" + "a" * 6000],
)
def test_a_hostile_path_is_a_problem(port: int, target: str) -> None:
    head, _ = head_and_body(exchange(port, f"GET {target} HTTP/1.1"))

    assert head.startswith("http/1.1 404")
    assert "content-type: application/problem+json" in head


@pytest.mark.parametrize("method", ["POST", "DELETE", "TRACE", "BREW", "get", "head"])
def test_a_method_that_writes_is_refused(port: int, method: str) -> None:
    head, _ = head_and_body(exchange(port, f"{method} /api/v1/apps HTTP/1.1\r\nContent-Length: 0"))

    assert head.startswith("http/1.1 405")
    assert "allow: get, head, options" in head


def test_no_answer_sets_a_cookie(port: int) -> None:
    brought = ("", "\r\nCookie: sessionid=abc; csrftoken=1; messages=x")
    answers = [
        exchange(port, f"{method} {path} HTTP/1.1{cookie}")
        for method in ("GET", "HEAD", "POST")
        for path in (*PATHS, "/api/v1/nope", "/nope", "/about/", "/icons/nope.svg")
        for cookie in brought
    ]

    assert [answer for answer in answers if b"set-cookie" in answer.lower()] == []
