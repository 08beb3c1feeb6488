"""Parity waits as `Retry-After` says, so that it can run at a host that enforces the budget."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from api.contract import BUDGET
from site_mirror.hosts import http_client
from site_mirror.hosts.http_client import HostRequest, HttpClient

REQUEST = HostRequest("/api/v1/apps")
FIRST, SECOND = "127.0.0.2", "127.0.0.3"


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that the client waits, without waiting."""
    pauses = list[float]()
    monkeypatch.setattr(http_client, "sleep", pauses.append)
    return pauses


@contextmanager
def serve_refusals(
    times: int, retry_after: str, addresses: Sequence[str]
) -> Iterator[tuple[HttpClient, list[str]]]:
    """Serve 429 for the first requests; yield a client and the list of client addresses."""
    clients = list[str]()

    class RefusingHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            clients.append(str(self.client_address[0]))
            self.send_response(429 if len(clients) <= times else 200)
            self.send_header("Retry-After", retry_after)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *words: object) -> None:
            """Write no log."""

    with ThreadingHTTPServer(("127.0.0.1", 0), RefusingHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        endpoint = ("127.0.0.1", server.server_port)
        with closing(HttpClient("http://studio.example", endpoint, clients=addresses)) as http:
            yield http, clients
        server.shutdown()


@pytest.mark.parametrize(
    ("retry_after", "addresses", "clients", "paused"),
    [
        ("7", [FIRST], [FIRST] * 3, [7] * 2),
        ("86400", [FIRST], [FIRST] * 3, [http_client.MAX_PAUSE_SECONDS] * 2),
        ("", [FIRST], [FIRST] * 3, [BUDGET.window_seconds] * 2),
        ("Sun, 22 Nov 2026 10:00:00 GMT", [FIRST], [FIRST] * 3, [BUDGET.window_seconds] * 2),
        # The next address sends the request without a pause; the client waits after the last one.
        ("7", [FIRST, SECOND], [FIRST, SECOND, FIRST], [7]),
    ],
)
def test_a_refused_request_is_sent_again(
    retry_after: str,
    addresses: list[str],
    clients: list[str],
    paused: list[float],
    pauses: list[float],
) -> None:
    with serve_refusals(2, retry_after, addresses) as (http, asked_by):
        assert http.ask(REQUEST).status == 200

    assert (asked_by, pauses) == (clients, paused)


def test_a_client_waits_for_one_request_of_a_host_that_always_refuses(pauses: list[float]) -> None:
    with serve_refusals(1000, "7", [FIRST]) as (http, _):
        statuses = [http.ask(REQUEST).status for _ in range(2)]

    assert statuses == [429, 429]
    assert len(pauses) == http_client.MAX_PAUSES
