"""Start the live origin: the server granian with the limits of this project."""

import errno
import os
import signal
import socket
import subprocess
import sys
import time
from argparse import ArgumentTypeError
from contextlib import suppress
from functools import partial
from multiprocessing import Process
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.mp import MPServer

from site_mirror.desk.publishing import INTERVAL, TIMER, create_request
from site_mirror.management import command_line
from site_mirror.management.desk_job import SUCCESSES

MAX_CONNECTIONS = 1024
"""Open connections of a worker; further ones wait in the backlog of the kernel."""
MAX_REQUESTS = 256
"""Requests that a worker has begun, most of which may wait for the same document."""
MAX_HEAD_BYTES = 16 * 1024
"""The limit of a request's line and headers; beyond it the server answers 431."""
HEADER_READ_SECONDS = 10
"""The time for the headers of a request, and for a pause between two requests of a connection."""
GRACEFUL_STOP_SECONDS = 10
"""The time in which a worker completes its requests after SIGTERM; then it is killed."""
SWITCH_SECONDS = 0.001
"""The time after which a thread that computes lets another one run; Python's own is 0.005."""
REQUEST_SECONDS = 0.05
"""The pause between two looks for the request file of the desk."""
CORE_NAME = "\0studio-catalogue-core-"
"""The beginning of the name of a socket by which a worker reserves a core."""


class Command(BaseCommand):
    help = (
        "Start the live origin. A worker that is lost is replaced within seconds; SIGTERM ends "
        "the server after the requests that it has begun. docs/limits.md lists the limits."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
        parser.add_argument("--port", default=8000, type=parse_port, help="port to listen on")
        parser.add_argument(
            "--workers",
            default=1,
            type=command_line.parse_count,
            help="processes; several need CACHE_URL to count the budget together",
        )
        parser.add_argument(
            "--threads",
            default=32,
            type=command_line.parse_count,
            help="threads of a process that run Django",
        )
        parser.add_argument(
            "--metrics",
            type=parse_port,
            help="port for Prometheus, on 127.0.0.1 (docs/monitoring.md)",
        )
        parser.add_argument(
            "--snapshot", type=Path, metavar="TARGET", help="the snapshot whose age is a metric"
        )
        parser.add_argument(
            "--publish",
            action="store_true",
            help="publish the snapshot (SNAPSHOT) when the desk asks for it, and every 15 minutes",
        )

    def handle(
        self,
        *,
        host: str,
        port: int,
        workers: int,
        threads: int,
        metrics: int | None,
        snapshot: Path | None,
        publish: bool,
        **options: Any,
    ) -> None:
        refuse_taken_port(host, port)
        if publish:
            # A thread could start a job while the server forks a worker, which would then keep the
            # pipe open on which Python waits for the start of the job.
            Process(target=publish_on_request, args=[os.getpid()], daemon=True).start()
        with TemporaryDirectory() as folder:
            if metrics:
                refuse_taken_port("127.0.0.1", metrics)
                # The library reads the variable when it is imported, here and in the workers.
                os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
                from site_mirror.live.metrics import serve_metrics  # noqa: PLC0415

                serve_metrics("127.0.0.1", metrics, snapshot)
            self.serve(host, port, workers, threads)

    def serve(self, host: str, port: int, workers: int, threads: int) -> None:
        if workers > 1 and settings.RATE_LIMIT and not settings.SHARED_CACHE:
            self.stderr.write(
                f"Each of the {workers} workers counts requests by itself, so a client can send "
                f"{workers} times the budget. Set CACHE_URL, or RATE_LIMIT=0 behind an edge."
            )
        server = MPServer(
            settings.WSGI_APPLICATION,
            address=host,
            port=port,
            interface=Interfaces.WSGI,
            workers=workers,
            blocking_threads=MAX_REQUESTS,
            http=HTTPModes.http1,
            websockets=False,
            backpressure=MAX_CONNECTIONS,
            http1_settings=HTTP1Settings(
                header_read_timeout=HEADER_READ_SECONDS * 1000, max_buffer_size=MAX_HEAD_BYTES
            ),
            log_level=LogLevels.warning,
            log_dictconfig=settings.LOGGING,
            respawn_failed_workers=True,
            workers_kill_timeout=GRACEFUL_STOP_SECONDS,
        )
        server.serve(target_loader=partial(load_application, threads), wrap_loader=False)


def publish_on_request(server: int) -> None:
    """Run a job whenever somebody asks for one, and ask for one every 15 minutes.

    Each job is a process of its own, which outlives the server. One that cannot begin, for example
    beside that of a killed server, leaves the request.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # A terminal sends it to all processes.
    job = ("freeze", str(settings.SNAPSHOT), "--desk", "deploy")
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *job]
    due = 0.0
    while os.getppid() == server:
        if time.monotonic() >= due:
            due = time.monotonic() + INTERVAL.total_seconds()
            create_request()
            with suppress(OSError):  # A full disk must not end the loop.
                settings.PUBLISH_REQUEST.with_suffix(TIMER).touch()
        if settings.PUBLISH_REQUEST.exists():
            ended = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)  # noqa: S603
            time.sleep(0 if ended.returncode in SUCCESSES else 1)
        time.sleep(REQUEST_SECONDS)


def load_application(threads: int) -> Any:
    """Return the application of a worker, or end the worker if a setting is wrong."""
    # A terminal sends Ctrl+C to all processes, and granian's worker hangs if SIGTERM follows.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    keep_to_one_core()
    if sys.platform == "linux":
        # A thread that is woken does not interrupt the running one. Else each kept response would
        # cost two switches: to the thread that sends it, and back to the one that makes the next.
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    # A page that waits for each of its queries would wait for a long rendering each time.
    sys.setswitchinterval(SWITCH_SECONDS)
    Thread(target=end_with_server, args=[os.getppid()], daemon=True).start()
    from site_mirror.live.threads import Threads  # noqa: PLC0415
    from site_mirror.wsgi import application, response_cache  # noqa: PLC0415  (runs the checks)

    return Threads(application, response_cache, threads)


def end_with_server(server: int) -> None:
    """End this worker if its server is killed; otherwise it would keep the port."""
    while os.getppid() == server:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)


def keep_to_one_core() -> int | None:
    """Let this process run only on one core, which no other worker of the machine has.

    One thread at a time runs Python. If the next one waits on another core, waking it costs more
    than a response from the cache: with 32 threads, two cores made a worker slower by half.
    Returns the file descriptor that reserves the core, or `None` if all cores are taken.
    """
    if sys.platform != "linux":
        return None
    for core in sorted(os.sched_getaffinity(0)):
        with socket.socket(socket.AF_UNIX) as reservation, suppress(OSError):
            reservation.bind(f"{CORE_NAME}{core}")  # Another worker may have the core.
            os.sched_setaffinity(0, {core})
            # The name is free again when the process ends, also after SIGKILL.
            return reservation.detach()
    return None


def refuse_taken_port(host: str, port: int) -> None:
    """Raise `CommandError` unless the address is free.

    granian sets SO_REUSEPORT, so the kernel would distribute connections over two servers.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        reason = "the port is in use" if taken else (error.strerror or str(error))
        raise CommandError(f"Cannot listen on {host}, port {port}: {reason}.") from error


def parse_port(word: str) -> int:
    number = command_line.parse_count(word)
    if number > command_line.MAX_PORT:
        raise ArgumentTypeError(f"{word} is not a port: use 1 to {command_line.MAX_PORT}")
    return number
