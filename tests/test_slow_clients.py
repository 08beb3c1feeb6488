"""Two hundred slow clients of any kind do not delay other requests."""

import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from statistics import median

import pytest

from site_mirror.live import limits
from tests.freeze.processes import environment
from tests.live_origins import Origin, run_origin, serve_origin
from tests.ports import free_port

pytestmark = pytest.mark.server
BY_THE_CLOCK = pytest.mark.exhaustive("measures by the clock how long a client waits")

CLIENT_COUNT = 200
MAX_SECONDS = 1.0
"""The longest response time of `/api/v1/health`."""
HEALTH_REQUESTS = 9
"""Number of requests to it; the median is judged, since a busy machine delays one of them only."""

FORM = b"POST /admin/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n"
WAYS = {
    "no byte": (b"", b""),
    "headers that drip": (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ", b"x"),
    "a form that drips": (FORM + b"username=", b"x"),
    "a form that stops": (FORM, b""),
    "a form in chunks that drip": (
        FORM.replace(b"Content-Length: 1000", b"Transfer-Encoding: chunked"),
        b"1\r\nx\r\n",
    ),
    "a body for the API that drips": (FORM.replace(b"/admin/login/", b"/api/v1/apps"), b"x"),
    "a large upload that stops": (FORM.replace(b"1000", b"4000000") + b"x" * 30_000, b""),
}

STREAMING = """
from functools import partial
from site_mirror.live.gateway import Gateway
from site_mirror.management.commands.serve import make_server

BODY = b"x" * 20_000_000

def application(environ, start_response):
    start_response("200 OK", [])
    if environ["PATH_INFO"] == "/whole":
        return [BODY]
    if environ["PATH_INFO"] == "/stream":
        return (BODY[:50_000] for _ in range(400))
    return [b"ok"]

gateway = partial(Gateway, application, 4)
make_server("127.0.0.1", {port}, 1).serve(target_loader=gateway, wrap_loader=False)
"""


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Origin]:
    folder = tmp_path_factory.mktemp("slow")
    with serve_origin(folder, shipped=True, ALLOWED_HOSTS="127.0.0.1") as origin:
        yield origin


def connect(origin: Origin, stack: ExitStack) -> socket.socket:
    """Open a connection with a small receive buffer."""
    connection = stack.enter_context(socket.socket())
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", origin.port))
    return connection


def measure_health(origin: Origin, path: str = "/api/v1/health") -> float:
    begun = time.monotonic()
    assert origin.status(path, timeout=20) == 200
    return time.monotonic() - begun


@BY_THE_CLOCK
@pytest.mark.parametrize("way", WAYS)
def test_slow_senders_do_not_keep_others_waiting(origin: Origin, way: str) -> None:
    first, drip = WAYS[way]
    with ExitStack() as stack:
        slow = [connect(origin, stack) for _ in range(CLIENT_COUNT)]
        for connection in slow:
            connection.sendall(first)
        waited = []
        for _ in range(HEALTH_REQUESTS):
            for connection in slow:
                with suppress(ConnectionError):  # The origin may have answered already.
                    connection.send(drip)
            waited.append(measure_health(origin))
            time.sleep(0.1)

    assert median(waited) < MAX_SECONDS


@BY_THE_CLOCK
def test_slow_readers_of_pages_do_not_keep_others_waiting(origin: Origin) -> None:
    with ExitStack() as stack:
        for _ in range(CLIENT_COUNT):
            request = b"GET /licence HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            connect(origin, stack).sendall(request)
        wait_until_idle(origin)
        waited = [measure_health(origin) for _ in range(HEALTH_REQUESTS)]

    assert median(waited) < MAX_SECONDS


def wait_until_idle(origin: Origin, path: str = "/api/v1/health") -> None:
    """Wait until the responses are ready and the buffers of the kernel are full."""
    for _ in range(600):
        if measure_health(origin, path) < MAX_SECONDS / 4:
            return
        time.sleep(0.1)


@BY_THE_CLOCK
@pytest.mark.parametrize("path", ["/whole", "/stream"])
def test_slow_readers_of_large_answers_hold_no_thread(path: str) -> None:
    port = free_port()
    command = [sys.executable, "-c", STREAMING.replace("{port}", str(port))]
    surroundings = environment(Path("/nowhere"))
    with run_origin(command, port, surroundings) as origin, ExitStack() as stack:
        for _ in range(CLIENT_COUNT):
            request = f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
            connect(origin, stack).sendall(request)
        wait_until_idle(origin, "/health")
        waited = [measure_health(origin, "/health") for _ in range(HEALTH_REQUESTS)]

    assert median(waited) < MAX_SECONDS


@BY_THE_CLOCK
def test_a_body_that_takes_too_long_is_answered_with_408(origin: Origin) -> None:
    with ExitStack() as stack:
        connection = connect(origin, stack)
        connection.settimeout(limits.BODY_READ_SECONDS + 10)
        connection.sendall(FORM)

        assert connection.recv(4096).startswith(b"HTTP/1.1 408")


def test_a_body_that_is_too_long_is_answered_with_413(origin: Origin) -> None:
    for framing in (b"Content-Length: 5000000", b"Transfer-Encoding: chunked"):
        with ExitStack() as stack:
            connection = connect(origin, stack)
            connection.settimeout(120)
            connection.sendall(FORM.replace(b"Content-Length: 1000", framing))
            if b"chunked" in framing:
                connection.sendall(b"500000\r\n" + b"x" * 0x500000 + b"\r\n0\r\n\r\n")

            assert connection.recv(4096).startswith(b"HTTP/1.1 413")


@BY_THE_CLOCK
def test_a_connection_without_a_request_is_closed(origin: Origin) -> None:
    with ExitStack() as stack:
        connection = connect(origin, stack)
        connection.settimeout(limits.HEADER_READ_SECONDS + 10)

        assert connection.recv(4096) == b""
