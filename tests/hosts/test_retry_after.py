"""Parity waits as `Retry-After` says, so that a host with the budget on can be asked again."""

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import monotonic

import pytest

from api.contract import BUDGET
from site_mirror.hosts import wire
from site_mirror.hosts.wire import Answer, Request, Site, Wire, pause
from tests.freeze import processes
from tests.hosts import servers
from tests.hosts.conftest import Frozen

pytestmark = pytest.mark.server

SITE = "http://studio.example"
ASKED = Request("/api/v1/apps")


@contextmanager
def refusing(times: int, seconds: str = "1") -> Iterator[tuple[Wire, list[str]]]:
    """A server that refuses the first requests; the list has the client of each."""
    clients: list[str] = []

    class Refusing(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            clients.append(str(self.client_address[0]))
            self.send_response(429 if len(clients) <= times else 200)
            self.send_header("Retry-After", seconds)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *words: object) -> None:
            """Nothing on standard error."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with Wire(Site.at(SITE, ("127.0.0.1", server.server_port))) as asking:
            yield asking, clients
        server.shutdown()


def test_a_refused_request_is_sent_again_after_the_pause() -> None:
    with refusing(times=2) as (asking, clients):
        started = monotonic()
        answer = asking.ask(ASKED)

    assert (answer.status, len(clients)) == (200, 3)
    assert monotonic() - started >= 2


def test_a_host_that_goes_on_refusing_is_waited_for_once() -> None:
    with refusing(times=1000, seconds="0") as (asking, clients):
        first, second = asking.ask(ASKED), asking.ask(ASKED)

    assert (first.status, second.status) == (429, 429)
    assert len(clients) == 1 + wire.RETRIES + 1


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        ("0", 0),
        ("7", 7),
        ("86400", wire.LONGEST_PAUSE),
        ("", BUDGET.window_seconds),
        ("Sun, 22 Nov 2026 10:00:00 GMT", BUDGET.window_seconds),
    ],
)
def test_a_pause_is_the_hosts_within_bounds(told: str, seconds: float) -> None:
    assert pause(Answer(429, {"retry-after": told}, b"")) == seconds


def test_one_of_several_clients_does_not_wait_while_another_may_ask() -> None:
    with refusing(times=1, seconds="30") as (asking, clients):
        asking.clients.addresses = ["127.0.0.2", "127.0.0.3"]
        started = monotonic()

        assert asking.ask(ASKED).status == 200
        assert clients == ["127.0.0.2", "127.0.0.3"]
        assert monotonic() - started < 10


def test_two_runs_in_a_row_find_parity_where_requests_are_counted(
    retired: Frozen, tmp_path: Path
) -> None:
    """The second run begins with the budget that the first one has spent."""
    with servers.serving("nginx", retired.release, tmp_path) as server:
        runs = [parity(retired, server.port) for _ in range(2)]

    assert [run.returncode for run in runs] == [0, 0], runs[1].stdout


def parity(frozen: Frozen, port: int) -> subprocess.CompletedProcess[str]:
    """From one address, whose budget is enough for one run and not for two."""
    where = ("--connect", f"127.0.0.1:{port}", "--host", "nginx", "--client", "127.8.0.1")
    release = str(frozen.release.folder)
    return processes.run("manage.py", "parity", SITE, release, *where, database=frozen.database)
