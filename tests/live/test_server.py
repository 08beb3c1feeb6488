"""The live origin as it is deployed: the real server, over a real socket."""

import re
import socket
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from api.contract import API_VERSION
from tests.live_origins import serve_origin

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server with the shipped content and a limit of requests."""
    folder = tmp_path_factory.mktemp("server")
    with serve_origin(folder, shipped=True, RATE_LIMIT="1") as origin:
        origin.wait_for_dates()
        yield origin.port


def send_requests(port: int, *requests: str) -> bytes:
    """Send requests over one connection and return all response bytes."""
    host = f"Host: 127.0.0.1:{port}\r\n"
    wire = "".join(f"{request}\r\n{host}\r\n" for request in requests[:-1])
    wire += f"{requests[-1]}\r\n{host}Connection: close\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=120) as connection:
        connection.sendall(wire.encode())
        return b"".join(iter(lambda: connection.recv(65536), b""))


def split_answer(answer: bytes) -> tuple[str, bytes]:
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.decode().lower(), body


PATHS = ["/api/v1/", "/api/v1/apps", "/openapi.json", "/", "/blog/a-pendulum-in-your-pocket.md"]


def test_a_head_has_the_headers_of_a_get_and_no_byte_of_its_body(port: int) -> None:
    for path in (*PATHS, "/api/v1/nope", "/nope"):
        got, body = split_answer(send_requests(port, f"GET {path} HTTP/1.1"))
        asked, nothing = split_answer(send_requests(port, f"HEAD {path} HTTP/1.1"))

        assert nothing == b""
        assert f"content-length: {len(body)}" in asked
        assert remove_date(asked) == remove_date(got)


def test_a_kept_response_is_on_the_wire_as_the_one_of_django(port: int) -> None:
    """A request with `If-Match` is never answered from memory."""
    for path, method in product((*PATHS, "/api/v1/nope", "/nope", "/about/"), ("GET", "HEAD")):
        found = {
            re.sub(
                rb"\r\ndate: [^\r]+", b"", send_requests(port, f"{method} {path} HTTP/1.1{more}")
            )
            for more in ("", "", "\r\nIf-Match: *")
        }
        assert len(found) == 1, (method, path, found)


def remove_date(head: str) -> list[str]:
    return sorted(line for line in head.splitlines() if not line.startswith("date:"))


def test_a_connection_is_usable_after_a_response_without_a_body(port: int) -> None:
    answer = send_requests(
        port,
        "HEAD /api/v1/apps HTTP/1.1",
        "GET /api/v1/apps HTTP/1.1\r\nIf-None-Match: *",
        "OPTIONS /api/v1/apps HTTP/1.1",
        "GET /api/v1/health HTTP/1.1",
    )

    assert re.findall(rb"^HTTP/1.1 (\d+)", answer, re.MULTILINE) == [b"200", b"304", b"204", b"200"]
    assert answer.endswith(b'{"status":"ok","apiVersion":"%b"}\n' % API_VERSION.encode())
    without_content = answer.partition(b"HTTP/1.1 304")[2].partition(b"HTTP/1.1 200")[0].lower()
    assert b"content-length" not in without_content
    assert b"transfer-encoding" not in without_content


TARGETS = {
    **{f"/api/{path}": 404 for path in ("%00", "%ff", "v1/apps/%c3%28", "a" * 6000)},
    **{f"/api/v1/apps/?{query}": 308 for query in ("%00", "é", "a" * 6000)},
    "//evil.example/api/v1/apps/": 308,
    "/api/v1/apps%2F": 308,
    "/" + "a" * 17_000: 431,
}


def test_a_hostile_target_is_a_problem_or_redirects_within_the_site(port: int) -> None:
    for target, status in TARGETS.items():
        head, _ = split_answer(send_requests(port, f"GET {target} HTTP/1.1"))

        assert head.startswith(f"http/1.1 {status}"), target
        assert status != 404 or "content-type: application/problem+json" in head
        assert status != 308 or f"location: http://127.0.0.1:{port}/" in head
