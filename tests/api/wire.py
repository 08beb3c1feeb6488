"""Requests to the WSGI application itself: what a server would put on the wire."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


def call(method: str, path: str, **environ: Any) -> Answer:
    """Answer of the application to a path as it comes, undecoded and unchecked."""
    started: list[tuple[str, list[tuple[str, str]]]] = []

    def start_response(
        status: str, headers: list[tuple[str, str]], failure: object = None
    ) -> Callable[[bytes], object]:
        started.append((status, headers))
        return lambda body: None

    with connection_kept():
        chunks = WSGIHandler()({**request_environ(method, path), **environ}, start_response)
        body = b"".join(chunks)
        chunks.close()
    status, headers = started[0]
    return Answer(int(status[:3]), {name.lower(): value for name, value in headers}, body)


@contextmanager
def connection_kept() -> Iterator[None]:
    """A request ends without ending the test's transaction, as with Django's own client."""
    around = (request_started, request_finished)
    for signal in around:
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in around:
            signal.connect(close_old_connections)


def request_environ(method: str, path: str) -> dict[str, Any]:
    return {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": "",
        "SERVER_NAME": "studio.example",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "studio.example",
        "REMOTE_ADDR": "192.0.2.1",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(),
        "wsgi.errors": BytesIO(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
