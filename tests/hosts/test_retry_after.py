"""Parity waits as `Retry-After` says, so that it can run at a host that enforces the budget."""

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import monotonic

import pytest

from api.contract import BUDGET
from site_mirror.hosts import http_client
from site_mirror.hosts.http_client import (
    BaseAddress,
    HostRequest,
    HostResponse,
    HttpClient,
    pause_seconds,
)
from tests.freeze import processes
from tests.hosts import servers
from tests.hosts.conftest import FrozenSite

BY_THE_CLOCK = pytest.mark.exhaustive("measures pauses by the clock")

SITE = "http://studio.example"
REQUEST = HostRequest("/api/v1/apps")


@contextmanager
def serve_refusals(times: int, seconds: str = "1") -> Iterator[tuple[HttpClient, list[str]]]:
    """Serve 429 for the first requests; yield a client and the list of client addresses."""
    clients: list[str] = []

    class RefusingHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            clients.append(str(self.client_address[0]))
            self.send_response(429 if len(clients) <= times else 200)
            self.send_header("Retry-After", seconds)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *words: object) -> None:
            """Write no log."""

    with ThreadingHTTPServer(("127.0.0.1", 0), RefusingHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with HttpClient(BaseAddress.at(SITE, ("127.0.0.1", server.server_port))) as http:
            yield http, clients
        server.shutdown()


@BY_THE_CLOCK
def test_a_refused_request_is_sent_again_after_the_pause() -> None:
    with serve_refusals(times=2) as (http, clients):
        started = monotonic()
        answer = http.ask(REQUEST)

    assert (answer.status, len(clients)) == (200, 3)
    assert monotonic() - started >= 2


def test_a_client_pauses_once_for_a_host_that_always_refuses() -> None:
    with serve_refusals(times=1000, seconds="0") as (http, clients):
        first, second = http.ask(REQUEST), http.ask(REQUEST)

    assert (first.status, second.status) == (429, 429)
    assert len(clients) == 1 + http_client.MAX_PAUSES_PER_CLIENT + 1


@pytest.mark.parametrize(
    ("retry_after", "seconds"),
    [
        ("0", 0),
        ("7", 7),
        ("86400", http_client.MAX_PAUSE_SECONDS),
        ("", BUDGET.window_seconds),
        ("Sun, 22 Nov 2026 10:00:00 GMT", BUDGET.window_seconds),
    ],
)
def test_a_pause_follows_retry_after_within_limits(retry_after: str, seconds: float) -> None:
    assert pause_seconds(HostResponse(429, {"retry-after": retry_after}, b"")) == seconds


@BY_THE_CLOCK
def test_the_next_client_address_sends_a_refused_request_without_a_pause() -> None:
    with serve_refusals(times=1, seconds="30") as (http, clients):
        http.clients.addresses = ["127.0.0.2", "127.0.0.3"]
        started = monotonic()

        assert http.ask(REQUEST).status == 200
        assert clients == ["127.0.0.2", "127.0.0.3"]
        assert monotonic() - started < 10


@BY_THE_CLOCK
@pytest.mark.server
def test_two_runs_in_a_row_find_parity_at_a_host_with_a_budget(
    retired_site: FrozenSite, tmp_path: Path
) -> None:
    """The second run starts with a spent budget."""
    with servers.serve_host("nginx", retired_site.release, tmp_path) as server:
        runs = [run_parity(retired_site, server.port) for _ in range(2)]

    assert [run.returncode for run in runs] == [0, 0], runs[1].stdout


def run_parity(frozen: FrozenSite, port: int) -> subprocess.CompletedProcess[str]:
    """Run parity from one address, whose budget is enough for one run and not for two."""
    options = ("--connect", f"127.0.0.1:{port}", "--host", "nginx", "--client", "127.8.0.1")
    release = str(frozen.release.folder)
    return processes.run("manage.py", "parity", SITE, release, *options, database=frozen.database)
