"""Requests to the WSGI application, without Django's test client."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from wsgiref.util import setup_testing_defaults

from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


def call_application(
    method: str, path: str, application: "WSGIApplication | None" = None, **environ: Any
) -> Answer:
    """Return Django's response to a path that is neither decoded nor validated, or another's.

    A variable that is `None` is left out.
    """
    started: list[tuple[str, list[tuple[str, str]]]] = []

    def start_response(
        status: str, headers: list[tuple[str, str]], failure: object = None
    ) -> Callable[[bytes], object]:
        started.append((status, headers))
        return lambda body: None

    with keep_connection():
        variables = {**request_environ(method, path), **environ}
        sent = {name: value for name, value in variables.items() if value is not None}
        chunks = (application or WSGIHandler())(sent, start_response)
        body = b"".join(chunks)
        if hasattr(chunks, "close"):
            chunks.close()
    status, headers = started[0]
    return Answer(int(status[:3]), {name.lower(): value for name, value in headers}, body)


@contextmanager
def keep_connection() -> Iterator[None]:
    """Keep the database connection after a request, so that the test's transaction goes on."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in signals:
            signal.connect(close_old_connections)


def request_environ(method: str, path: str) -> dict[str, Any]:
    environ = {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": "",
        "HTTP_HOST": "studio.example",
        "REMOTE_ADDR": "192.0.2.1",
    }
    setup_testing_defaults(environ)
    return environ
