"""Requests by the bytes of their target, as `manage.py serve` receives them."""

from collections.abc import Iterable
from typing import Any

from site_mirror.requested import environ_of
from tests.api.wire import Answer, call

HOST = (b"host", b"studio.example")


def scope(
    target: bytes, method: str = "GET", headers: Iterable[tuple[bytes, bytes]] = ()
) -> dict[str, Any]:
    """The ASGI scope of a request."""
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


def ask(target: bytes, method: str = "GET", headers: Iterable[tuple[bytes, bytes]] = ()) -> Answer:
    """The answer of the origin, in this thread and in the test's transaction."""
    environ = environ_of(scope(target, method, headers))
    return call(method, environ["PATH_INFO"], **environ)
