"""`manage.py serve` replaces lost workers, ends on SIGTERM and sets every limit."""

import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from granian.constants import HTTPModes

from site_mirror.live import limits
from site_mirror.management.commands import serve
from tests.live_origins import Origin, serve_origin
from tests.ports import free_port

SECONDS_TO_RESPAWN = 10


@pytest.fixture
def origin(tmp_path: Path) -> Iterator[Origin]:
    with serve_origin(tmp_path) as origin:
        yield origin


def kill_workers(origin: Origin, seconds: float = 120) -> int:
    """Kill the workers and return the status of a request to their replacements."""
    for worker in origin.workers():
        os.kill(worker, signal.SIGKILL)
    until = time.monotonic() + seconds
    status = 0
    while status != 200 and time.monotonic() < until:
        try:
            status = origin.status()
        except (OSError, HTTPException):
            time.sleep(0.1)
    return status


@pytest.mark.exhaustive("limits the seconds of a start and of an end")
@pytest.mark.server
def test_a_killed_worker_is_replaced_within_seconds(origin: Origin) -> None:
    before = origin.workers()

    assert kill_workers(origin, SECONDS_TO_RESPAWN) == 200
    assert origin.workers().isdisjoint(before)
    assert origin.process.poll() is None


@pytest.mark.server
def test_records_of_the_server_have_the_format_of_the_log(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with serve_origin(tmp_path, LOG_FORMAT="json") as origin:
        kill_workers(origin)
    output, log = capfd.readouterr()
    records = [json.loads(line) for line in log.splitlines()]

    assert output == ""
    assert {"time", "level", "logger"} <= set.intersection(*map(set, records))
    assert ["ERROR", "Unexpected exit from worker-1"] in [
        [record["level"], record.get("message")] for record in records
    ]


@pytest.mark.exhaustive("limits the seconds of a start and of an end")
@pytest.mark.server
def test_sigterm_ends_the_server_and_its_workers(origin: Origin) -> None:
    workers = origin.workers()
    assert origin.status() == 200
    origin.process.terminate()

    assert origin.process.wait(timeout=limits.GRACEFUL_STOP_SECONDS) == 0
    assert workers
    assert not [worker for worker in workers if Path(f"/proc/{worker}").exists()]


def test_a_taken_port_is_refused_with_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]

        with pytest.raises(CommandError, match=f"port {taken}: the port is in use"):
            call_command("serve", "--port", str(taken))


@pytest.mark.parametrize(
    ("option", "word"),
    [("--port", "0"), ("--port", "65536"), ("--workers", "0"), ("--threads", "x"), ("--port", "٣")],
)
def test_a_wrong_number_is_refused(option: str, word: str) -> None:
    with pytest.raises(CommandError, match=f"argument {option}"):
        call_command("serve", option, word)


def test_the_server_has_every_limit_of_the_project() -> None:
    server = serve.make_server("127.0.0.1", 8000, 2)

    assert server.http is HTTPModes.http1
    assert server.respawn_failed_workers
    assert (server.workers, server.blocking_threads, server.runtime_blocking_threads) == (2, 1, 1)
    assert server.http1_settings is not None
    assert server.http1_settings.header_read_timeout == limits.HEADER_READ_SECONDS * 1000
    assert server.http1_settings.max_buffer_size == limits.SERVER_BUFFER_BYTES
    assert server.backlog == limits.MAX_WAITING_CONNECTIONS
    assert server.backpressure == limits.MAX_CONNECTIONS
    assert server.workers_kill_timeout == limits.GRACEFUL_STOP_SECONDS


@pytest.mark.parametrize(
    ("workers", "shared", "limited", "warned"),
    [
        (1, False, True, False),
        (2, False, True, True),
        (2, True, True, False),
        (2, False, False, False),
    ],
)
def test_a_limit_counted_by_each_worker_is_reported(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    workers: int,
    shared: bool,
    limited: bool,
    warned: bool,
) -> None:
    monkeypatch.setattr("django.conf.settings.SHARED_CACHE", shared)
    monkeypatch.setattr("django.conf.settings.RATE_LIMIT", limited)
    monkeypatch.setattr(serve.MPServer, "serve", lambda self, **options: None)

    call_command("serve", "--port", str(free_port()), "--workers", str(workers))

    assert ("2 times the budget" in capsys.readouterr().err) is warned
