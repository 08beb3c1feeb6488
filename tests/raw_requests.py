"""Requests by the bytes of their target, as `manage.py serve` receives them."""

from collections.abc import Iterable
from typing import Any

from site_mirror.live.requested import environ_of
from tests.api.wsgi_client import Answer, call_application

HOST = (b"host", b"studio.example")


def asgi_scope(
    target: bytes, method: str = "GET", headers: Iterable[tuple[bytes, bytes]] = ()
) -> dict[str, Any]:
    """Return the ASGI scope of a request."""
    path, _, query = target.partition(b"?")
    return {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "server": ("127.0.0.1", 8000),
        "client": ("192.0.2.1", 50000),
        "raw_path": path,
        "query_string": query,
        "headers": [HOST, *headers],
    }


def send_target(
    target: bytes, method: str = "GET", headers: Iterable[tuple[bytes, bytes]] = ()
) -> Answer:
    """Return the response of the origin, in this thread and in the transaction of the test."""
    environ = environ_of(asgi_scope(target, method, headers))
    return call_application(method, environ["PATH_INFO"], **environ)
