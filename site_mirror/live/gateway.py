"""A bridge from the ASGI server, which has an event loop, to the WSGI application, Django.

The event loop reads the body of a request before it passes the request to a thread, and sends the
response after the thread has produced it, so that a slow client occupies a connection and never a
thread. ASGI 3.0 also has the path as the client sent it, which WSGI (PEP 3333) lacks.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from site_mirror.live import limits
from site_mirror.live.requested import REFUSAL, environ_of, has_readable_body

HEALTH = "/api/v1/health"

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class ClientGone(Exception):
    """The client closed the connection, or reads the response too slowly."""


class Gateway:
    """An ASGI application that runs a WSGI application in a pool of threads."""

    def __init__(self, application: Application, threads: int) -> None:
        self.application = application
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix="request")
        self.health_thread = ThreadPoolExecutor(1, thread_name_prefix="health")

    def threads_for(self, path: str) -> ThreadPoolExecutor:
        """Return the pool for a path: monitors must not wait behind other requests."""
        return self.health_thread if path == HEALTH else self.threads

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        environ = environ_of(scope)
        with SpooledTemporaryFile(limits.MAX_BODY_BYTES_IN_MEMORY) as body:
            try:
                if has_readable_body(environ):
                    await read_body(environ, receive, body)
                else:
                    environ["CONTENT_LENGTH"] = "0"
                environ |= {"wsgi.input": body, "wsgi.errors": sys.stderr}
                await self.respond(Exchange(self.application, environ), send)
            except ClientGone:
                return

    async def respond(self, exchange: "Exchange", send: Send) -> None:
        """Send the response of the application, a chunk at a time."""
        loop = asyncio.get_running_loop()
        threads = self.threads_for(exchange.environ["PATH_INFO"])
        try:
            chunk, is_last = await loop.run_in_executor(threads, exchange.begin)
            await send(exchange.head())
            while not is_last:
                await send_in_time(send, chunk)
                chunk, is_last = await loop.run_in_executor(threads, exchange.next_chunk)
            await send({"type": "http.response.body", "body": chunk})
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
        """Call the application; return its first chunk and whether it is the last."""
        self.result = self.application(self.environ, self.start)
        self.chunks = iter(self.result)
        return self.next_chunk()

    def start(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> None:
        """`start_response` of PEP 3333, without the obsolete `write`."""
        self.status = int(status.split(" ", 1)[0])
        self.headers = headers

    def next_chunk(self) -> tuple[bytes, bool]:
        """Return at least `CHUNK_BYTES` or the rest, and whether it is the last chunk."""
        chunks, size = list[bytes](), 0
        for chunk in self.chunks:
            chunks.append(chunk)
            size += len(chunk)
            if size >= limits.CHUNK_BYTES:
                return b"".join(chunks), False
        self.close()
        return b"".join(chunks), True

    def close(self) -> None:
        """Close the response in the thread that has the database connection."""
        self.closed = True
        if hasattr(self, "result") and hasattr(self.result, "close"):
            self.result.close()

    def head(self) -> Message:
        headers = [
            (name.encode("latin-1"), value.encode("latin-1")) for name, value in self.headers
        ]
        return {"type": "http.response.start", "status": self.status, "headers": headers}


async def read_body(environ: dict[str, Any], receive: Receive, body: IO[bytes]) -> None:
    """Write the body of a request to a file; set `REFUSAL` if it is too long or too slow.

    Raises `ClientGone`.
    """
    length = int(environ.get("CONTENT_LENGTH") or 0)
    if length <= limits.MAX_BODY_BYTES:
        try:
            async with asyncio.timeout(limits.BODY_READ_SECONDS):
                length = await receive_body(receive, body)
        except TimeoutError:
            environ[REFUSAL] = HTTPStatus.REQUEST_TIMEOUT
    if length > limits.MAX_BODY_BYTES:
        environ[REFUSAL] = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    body.seek(0)
    environ["CONTENT_LENGTH"] = str(length)


async def receive_body(receive: Receive, body: IO[bytes]) -> int:
    """Write a body as it arrives, until it exceeds the limit; return the number of its bytes."""
    length, more = 0, True
    while more and length <= limits.MAX_BODY_BYTES:
        message = await receive()
        if message["type"] != "http.request":
            raise ClientGone
        length += body.write(message.get("body", b""))
        more = message.get("more_body", False)
    return length


async def send_in_time(send: Send, chunk: bytes) -> None:
    """Send a chunk of a body; raise `ClientGone` if the client reads it too slowly."""
    for start in range(0, len(chunk), limits.CHUNK_BYTES):
        part = chunk[start : start + limits.CHUNK_BYTES]
        try:
            async with asyncio.timeout(limits.CHUNK_SEND_SECONDS):
                await send({"type": "http.response.body", "body": part, "more_body": True})
        except TimeoutError:
            raise ClientGone from None
