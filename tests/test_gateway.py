"""The gateway passes requests to a fixed number of threads."""

import asyncio
import threading
from collections.abc import Callable, Iterable
from typing import Any

from site_mirror.live.gateway import HEALTH, Gateway

THREADS = 2


def scope(path: str) -> dict[str, Any]:
    """The ASGI scope of a GET request."""
    return {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"studio.example")],
        "client": ("203.0.113.1", 1000),
        "server": ("127.0.0.1", 8000),
    }


async def status_of(gateway: Gateway, path: str) -> int:
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    await gateway(scope(path), receive, send)
    return int(sent[0]["status"])


def test_health_answers_while_every_thread_is_busy() -> None:
    release = threading.Event()

    def application(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] != HEALTH:
            assert release.wait(30)
        start("200 OK", [])
        return [b""]

    async def ask() -> list[int]:
        gateway = Gateway(application, THREADS)
        others = [asyncio.create_task(status_of(gateway, "/")) for _ in range(3 * THREADS)]
        health = await asyncio.wait_for(status_of(gateway, HEALTH), 10)
        waiting = sum(not other.done() for other in others)
        release.set()
        return [health, waiting, *await asyncio.gather(*others)]

    try:
        health, waiting, *others = asyncio.run(ask())
    finally:
        release.set()

    assert (health, waiting) == (200, 3 * THREADS)
    assert others == [200] * (3 * THREADS)
