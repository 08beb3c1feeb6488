"""Start the live origin: the server granian with the limits of this project."""

import errno
import socket
from argparse import ArgumentTypeError
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.mp import MPServer

from site_mirror.live import limits
from site_mirror.live.gateway import Gateway
from site_mirror.management.command_line import MAX_PORT

APPLICATION = "site_mirror.wsgi:application"
"""The application of the gateway; granian shows it as the name of the process."""


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
            default=limits.WORKERS,
            type=parse_positive,
            help="processes; several need CACHE_URL to count the budget together",
        )
        parser.add_argument(
            "--threads",
            default=limits.THREADS,
            type=parse_positive,
            help="requests that a process answers at the same time",
        )

    def handle(self, *, host: str, port: int, workers: int, threads: int, **options: Any) -> None:
        refuse_taken_port(host, port)
        if workers > 1 and settings.RATE_LIMIT and not settings.SHARED_CACHE:
            self.stderr.write(
                f"Each of the {workers} workers counts requests by itself, so a client can send "
                f"{workers} times the budget. Set CACHE_URL, or RATE_LIMIT=0 behind an edge."
            )
        connections.close_all()
        loader = partial(load_gateway, threads)
        make_server(host, port, workers).serve(target_loader=loader, wrap_loader=False)


def load_gateway(threads: int) -> Gateway:
    """Return the application of a worker, or end the worker if a setting is wrong."""
    from site_mirror.wsgi import application  # noqa: PLC0415  (runs the checks, in the worker)

    return Gateway(application, threads)


def make_server(host: str, port: int, workers: int) -> MPServer:
    """Return the server with all limits set; it does not listen yet."""
    return MPServer(
        APPLICATION,
        address=host,
        port=port,
        interface=Interfaces.ASGINL,
        workers=workers,
        blocking_threads=1,
        runtime_blocking_threads=1,
        http=HTTPModes.http1,
        websockets=False,
        backlog=limits.MAX_WAITING_CONNECTIONS,
        backpressure=limits.MAX_CONNECTIONS,
        http1_settings=HTTP1Settings(
            header_read_timeout=limits.HEADER_READ_SECONDS * 1000,
            max_buffer_size=limits.SERVER_BUFFER_BYTES,
        ),
        log_level=LogLevels.warning,
        log_dictconfig=settings.LOGGING,
        respawn_failed_workers=True,
        workers_kill_timeout=limits.GRACEFUL_STOP_SECONDS,
    )


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
    number = parse_positive(word)
    if number > MAX_PORT:
        raise ArgumentTypeError(f"{word} is not a port")
    return number


def parse_positive(word: str) -> int:
    if not (word.isascii() and word.isdigit() and int(word[:6]) > 0):
        raise ArgumentTypeError(f"{word} is not a whole number above 0")
    return int(word)
