"""Two hundred slow clients do not delay other requests: bodies behind nginx, all else at once."""

import os
import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPConnection
from pathlib import Path
from statistics import median

import pytest

from tests import requirements
from tests.live_origins import Origin, serve_origin
from tests.ports import free_port, run_server

pytestmark = pytest.mark.server

ROOT = Path(__file__).resolve().parents[2]
SLOW_CLIENTS = 200
MAX_SECONDS = 1.0
"""The longest response time of `/api/v1/health`; four held threads would never answer."""
HEALTH_REQUESTS = 9
"""Number of requests to it; the median is judged, since a busy machine delays one of them only."""
COOKIE = b"csrftoken=" + b"x" * 32
"""Django reads the body of a form only if it has such a cookie."""
FORM = (
    b"POST /admin/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nCookie: " + COOKIE + b"\r\n\r\n"
)
PUBLIC_FORM = FORM.replace(b"/admin/login/", b"/api/v1/apps")
NGINX = """
pid nginx.pid;
error_log stderr emerg;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    client_body_temp_path bodies;
    proxy_temp_path answers;
    server {{
        listen 127.0.0.1:{port};
        location / {{ proxy_pass http://127.0.0.1:{origin}; }}
        {admin}
    }}
}}
"""


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Origin]:
    folder = tmp_path_factory.mktemp("slow")
    with serve_origin(folder, shipped=True, ALLOWED_HOSTS="127.0.0.1", RATE_LIMIT="0") as origin:
        yield origin


@pytest.fixture(scope="module")
def nginx(origin: Origin, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of an nginx that passes requests to the admin as docs/deploy installs it."""
    program = requirements.needs_program("nginx", "nginx")
    folder, port = tmp_path_factory.mktemp("nginx"), free_port()
    installed = (ROOT / "docs/deploy/nginx-site.conf").read_text()
    admin = re.findall(
        r"^    location ~ \^/\(\?:admin.*?^    }", installed, re.MULTILINE | re.DOTALL
    )
    configuration = NGINX.format(port=port, origin=origin.port, admin=admin[0])
    (folder / "nginx.conf").write_text(configuration.replace("@PORT@", str(origin.port)))
    user = "user root;" if os.geteuid() == 0 else ""
    command = [program, "-p", str(folder), "-c", "nginx.conf", "-g", f"daemon off; {user}"]
    with run_server(command, port):
        yield port


def connect(port: int, stack: ExitStack, sent: bytes) -> socket.socket:
    """Open a connection with a small receive buffer and send something."""
    connection = stack.enter_context(socket.socket())
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(60)
    connection.connect(("127.0.0.1", port))
    connection.sendall(sent)
    return connection


def measure_health(port: int) -> float:
    begun = time.monotonic()
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", "/api/v1/health")
    assert connection.getresponse().status == 200
    connection.close()
    return time.monotonic() - begun


def measure_median_health(port: int) -> float:
    return median(measure_health(port) for _ in range(HEALTH_REQUESTS))


@pytest.mark.parametrize("started", [FORM, FORM + b"username=", PUBLIC_FORM + b"x"])
def test_slow_bodies_behind_nginx_delay_nobody(origin: Origin, nginx: int, started: bytes) -> None:
    with ExitStack() as stack:
        slow = [connect(nginx, stack, started) for _ in range(SLOW_CLIENTS)]
        for connection in slow:
            with suppress(ConnectionError):  # A public address has answered already.
                connection.send(b"x")

        assert measure_median_health(nginx) < MAX_SECONDS
        assert measure_median_health(origin.port) < MAX_SECONDS


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
        b"GET /licence HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        PUBLIC_FORM,
    ],
    ids=["no byte", "a header that stops", "a slow reader", "a body for the API"],
)
def test_slow_clients_of_public_addresses_delay_nobody(origin: Origin, sent: bytes) -> None:
    with ExitStack() as stack:
        for _ in range(SLOW_CLIENTS):
            connect(origin.port, stack, sent)
        for _ in range(SLOW_CLIENTS // 4):  # Until the answers of these requests are ready.
            if measure_health(origin.port) < MAX_SECONDS / 4:
                break

        assert measure_median_health(origin.port) < MAX_SECONDS


def test_a_body_is_refused_if_it_is_long_or_for_a_public_address(
    origin: Origin, nginx: int
) -> None:
    with ExitStack() as stack:
        for port, length in ((origin.port, b"5000000"), (nginx, b"26000000")):
            long = connect(port, stack, FORM.replace(b"100000", length))
            assert long.recv(4096).startswith(b"HTTP/1.1 413")
        form = FORM.replace(b"100000", b"4000000").removesuffix(b"\r\n")
        longest = connect(nginx, stack, form + b"Expect: 100-continue\r\n\r\n")
        assert longest.recv(4096).startswith(b"HTTP/1.1 100")
        answer = connect(origin.port, stack, PUBLIC_FORM).recv(4096)

    assert answer.startswith(b"HTTP/1.1 405")
    assert b"allow: GET, HEAD, OPTIONS" in answer
    assert b"application/problem+json" in answer
