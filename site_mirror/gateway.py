"""The bridge between the server, which speaks in an event loop, and Django, which runs in threads.

The server speaks ASGI 3.0 and Django WSGI (PEP 3333). The event loop reads the body of a request
before a thread is asked, and sends the response after the thread has made it, so that a slow
client occupies a connection and never a thread. ASGI also has the path as it was requested.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from site_mirror import limits
from site_mirror.requested import REFUSAL, environ_of, sends_a_body

HEALTH = "/api/v1/health"

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class ClientGone(Exception):
    """The client has closed the connection, or takes the response too slowly."""


class Gateway:
    """An ASGI application that answers by a WSGI application in a number of threads."""

    def __init__(self, application: Application, threads: int) -> None:
        self.application = application
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix="request")
        self.for_health = ThreadPoolExecutor(1, thread_name_prefix="health")

    def threads_for(self, path: str) -> ThreadPoolExecutor:
        """A monitor must not wait in the queue of all other requests, so it has its own thread."""
        return self.for_health if path == HEALTH else self.threads

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        environ = environ_of(scope)
        with SpooledTemporaryFile(limits.BODY_IN_MEMORY) as body:
            try:
                if sends_a_body(environ):
                    await read_body(environ, receive, body)
                else:
                    environ["CONTENT_LENGTH"] = "0"
                environ |= {"wsgi.input": body, "wsgi.errors": sys.stderr}
                await self.respond(Exchange(self.application, environ), send)
            except ClientGone:
                return

    async def respond(self, exchange: "Exchange", send: Send) -> None:
        """Send what the application answers, a portion at a time."""
        loop = asyncio.get_running_loop()
        threads = self.threads_for(exchange.environ["PATH_INFO"])
        try:
            portion, is_last = await loop.run_in_executor(threads, exchange.begin)
            await send(exchange.head())
            while not is_last:
                await send_in_time(send, portion)
                portion, is_last = await loop.run_in_executor(threads, exchange.portion)
            await send({"type": "http.response.body", "body": portion})
        finally:
            if not exchange.closed:
                await loop.run_in_executor(threads, exchange.close)


class Exchange:
    """One call of a WSGI application; its methods run in a thread."""

    def __init__(self, application: Application, environ: dict[str, Any]) -> None:
        self.application = application
        self.environ = environ
        self.status = HTTPStatus.INTERNAL_SERVER_ERROR.value
        self.headers: list[tuple[str, str]] = []
        self.closed = False

    def begin(self) -> tuple[bytes, bool]:
        """Call the application; return its first portion and whether it is the last."""
        self.result = self.application(self.environ, self.start)
        self.chunks = iter(self.result)
        return self.portion()

    def start(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> None:
        """`start_response` of PEP 3333, without the obsolete `write`."""
        self.status = int(status.split(" ", 1)[0])
        self.headers = headers

    def portion(self) -> tuple[bytes, bool]:
        """At least `PORTION` bytes, or the rest, which may be empty."""
        chunks, size = list[bytes](), 0
        for chunk in self.chunks:
            chunks.append(chunk)
            size += len(chunk)
            if size >= limits.PORTION:
                return b"".join(chunks), False
        self.close()
        return b"".join(chunks), True

    def close(self) -> None:
        """Release what the request holds, in the thread, where its database connection is."""
        self.closed = True
        if hasattr(self, "result") and hasattr(self.result, "close"):
            self.result.close()

    def head(self) -> Message:
        headers = [
            (name.encode("latin-1"), value.encode("latin-1")) for name, value in self.headers
        ]
        return {"type": "http.response.start", "status": self.status, "headers": headers}


async def read_body(environ: dict[str, Any], receive: Receive, body: IO[bytes]) -> None:
    """Write the body of a request to a file; note a refusal if it is too long or too slow.

    Raises `ClientGone`.
    """
    length = int(environ.get("CONTENT_LENGTH") or 0)
    if length <= limits.REQUEST_BODY:
        try:
            async with asyncio.timeout(limits.BODY_READ_TIME):
                length = await collect(receive, body)
        except TimeoutError:
            environ[REFUSAL] = HTTPStatus.REQUEST_TIMEOUT
    if length > limits.REQUEST_BODY:
        environ[REFUSAL] = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    body.seek(0)
    environ["CONTENT_LENGTH"] = str(length)


async def collect(receive: Receive, body: IO[bytes]) -> int:
    """Write a body as it arrives, until it is too long; return the number of its bytes."""
    length, more = 0, True
    while more and length <= limits.REQUEST_BODY:
        message = await receive()
        if message["type"] != "http.request":
            raise ClientGone
        length += body.write(message.get("body", b""))
        more = message.get("more_body", False)
    return length


async def send_in_time(send: Send, portion: bytes) -> None:
    """Send a part of a body; raise `ClientGone` if the client takes it too slowly."""
    for start in range(0, len(portion), limits.PORTION):
        part = portion[start : start + limits.PORTION]
        try:
            async with asyncio.timeout(limits.PORTION_SEND_TIME):
                await send({"type": "http.response.body", "body": part, "more_body": True})
        except TimeoutError:
            raise ClientGone from None
