"""`manage.py serve` replaces lost workers, ends on SIGTERM and refuses wrong options."""

import json
import os
import signal
import socket
import sys
import time
from http.client import HTTPException
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from site_mirror.management.commands import serve
from tests.live_origins import Origin, serve_origin
from tests.ports import free_port


def kill_workers(origin: Origin) -> int:
    """Kill the workers and return the status of a request to their replacements."""
    for worker in origin.workers():
        os.kill(worker, signal.SIGKILL)
    for _ in range(1200):
        try:
            return origin.status()
        except (OSError, HTTPException):
            time.sleep(0.1)
    raise TimeoutError


@pytest.mark.server
def test_a_killed_worker_is_replaced_and_sigterm_ends_all(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with serve_origin(tmp_path, LOG_FORMAT="json") as origin:
        killed = origin.workers()
        assert kill_workers(origin) == 200
        workers = origin.workers()
        origin.process.terminate()
        assert origin.process.wait(timeout=60) == 0

    assert workers
    assert workers.isdisjoint(killed)
    assert not [worker for worker in workers if Path(f"/proc/{worker}").exists()]
    output, log = capfd.readouterr()
    records = [json.loads(line) for line in log.splitlines()]
    assert output == ""
    assert {"time", "level", "logger"} <= set.intersection(*map(set, records))
    assert ["/api/v1/health", 200] in [[each.get("path"), each.get("status")] for each in records]
    assert ["ERROR", "Unexpected exit from worker-1"] in [
        [record["level"], record.get("message")] for record in records
    ]


@pytest.mark.server
def test_ctrl_c_ends_the_server_without_killing_a_worker(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A terminal sends SIGINT to the server and to its workers."""
    with serve_origin(tmp_path) as origin:
        for process in (*origin.workers(), origin.process.pid):
            os.kill(process, signal.SIGINT)
        assert origin.process.wait(timeout=60) == 0

    assert "Killing" not in capfd.readouterr().err


@pytest.mark.server
def test_the_workers_of_a_killed_server_end(tmp_path: Path) -> None:
    """They would keep the port, so that no other server could start."""
    with serve_origin(tmp_path) as origin:
        origin.process.kill()
        until = time.monotonic() + 60
        with pytest.raises(ConnectionRefusedError):
            while time.monotonic() < until:
                origin.status()
                time.sleep(0.1)


def test_a_long_content_type_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    from site_mirror import wsgi  # It runs the checks of the origin.

    passed = list[dict[str, object]]()
    monkeypatch.setattr(wsgi, "django", lambda environ, start: passed.append(environ) or [])
    for length in (256, 257):
        wsgi.limit_content_type({"CONTENT_TYPE": ";" * length}, lambda *words: print)

    assert passed == [{"CONTENT_TYPE": ";" * 256}, {}]


def test_a_taken_port_is_refused_with_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]

        with pytest.raises(CommandError, match=f"port {taken}: the port is in use"):
            call_command("serve", "--port", str(taken))


@pytest.mark.parametrize(
    ("option", "word"),
    [("--port", "0"), ("--port", "65536"), ("--workers", "0"), ("--threads", "x")],
)
def test_a_wrong_number_is_refused(option: str, word: str) -> None:
    with pytest.raises(CommandError, match=f"argument {option}"):
        call_command("serve", option, word)


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("limited", [True, False])
@pytest.mark.parametrize("workers", [1, 2])
def test_a_limit_counted_by_each_worker_is_reported(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    workers: int,
    limited: bool,
    shared: bool,
) -> None:
    monkeypatch.setattr("django.conf.settings.SHARED_CACHE", shared)
    monkeypatch.setattr("django.conf.settings.RATE_LIMIT", limited)
    monkeypatch.setattr(serve.MPServer, "serve", lambda self, **options: None)

    call_command("serve", "--port", str(free_port()), "--workers", str(workers))

    warned = "2 times the budget" in capsys.readouterr().err
    assert warned is (workers == 2 and limited and not shared)


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux keeps a process to a core.")
def test_each_worker_keeps_to_a_core_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    cores = os.sched_getaffinity(0)
    monkeypatch.setattr(serve, "CORE_NAME", f"\0{os.getpid()}-core-")
    found, reservations = list[set[int]](), list[int | None]()
    try:
        for _ in (*cores, "one more"):
            reservations.append(serve.keep_to_one_core())
            found.append(os.sched_getaffinity(0))
            os.sched_setaffinity(0, cores)
    finally:
        os.sched_setaffinity(0, cores)
        for each in filter(None, reservations):
            os.close(each)

    assert found == [*({core} for core in sorted(cores)), cores]
