"""The threads that answer the requests of the live origin.

granian's threads take requests from a queue. If several of them wait there, each request wakes
another one, and with 32 a kept response costs twice the processor time that it costs with one. So
one of them waits, which has the *turn*. It sends kept responses itself. Before anything that takes
longer it passes the turn on, and after its response is sent it waits until the turn is free.

Django runs in a pool of threads, because each has a connection to the database. A request for a
document that is just rendered waits in its thread of granian, and leaves the pool to others.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from catalogue import addresses
from site_mirror.live.response_cache import FOUND_ENTRY, KEPT_ENTRY, ResponseCache, key_of

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


class Turn:
    """The right of a thread to wait for requests; it is free when this object is gone.

    It is free, too, when granian ends the thread.
    """

    def __init__(self, lock: threading.Lock) -> None:
        lock.acquire()
        self.lock = lock

    def __del__(self) -> None:
        self.lock.release()


class OfThread(threading.local):
    """What a thread of granian has."""

    turn: Turn | None = None


class Threads:
    """A WSGI application that calls another one, and the cache inside of it, by these rules."""

    def __init__(
        self, application: "WSGIApplication", cache: ResponseCache | None, threads: int
    ) -> None:
        self.application, self.cache = application, cache
        self.pool = ThreadPoolExecutor(threads, "django")
        self.turn, self.of_thread = threading.Lock(), OfThread()
        self.guard = threading.Lock()
        self.locks: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        if self.find_kept(environ):
            response = self.application(environ, start_response)
            if self.of_thread.turn:
                return response
        else:
            self.of_thread.turn = None
            response = self.answer(environ, start_response)
        if has_body(environ):
            # granian would close the connection, with what is left of the body, before the answer.
            return response
        return Response(response, self.take_turn)

    def take_turn(self) -> None:
        self.of_thread.turn = Turn(self.turn)

    def find_kept(self, environ: "WSGIEnvironment") -> bool:
        """Whether the request can be answered at once; if so, its variables name the response."""
        entry = self.cache.find(environ) if self.cache else None
        counted = self.cache and self.cache.admit and addresses.is_of_api(environ["PATH_INFO"])
        if entry is None or counted:  # The budget of a client may be in Redis.
            environ[FOUND_ENTRY] = entry
            return False
        environ[KEPT_ENTRY] = entry
        return True

    def answer(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Answer by the pool, but wait for the thread that renders the document, if one does."""
        cache = self.cache
        if not cache or not cache.generation or not key_of(environ) or environ.get(FOUND_ENTRY):
            return self.call(environ, start_response)  # Nothing would be kept, or something is.
        with self.lock_of(environ["PATH_INFO"]):
            return self.call(environ, start_response)

    def call(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        return self.pool.submit(self.application, environ, start_response).result()

    def lock_of(self, path: str) -> threading.Lock:
        with self.guard:
            return self.locks.setdefault(path, threading.Lock())


def has_body(environ: "WSGIEnvironment") -> bool:
    length = environ.get("CONTENT_LENGTH", "")
    return length not in ("", "0") or "HTTP_TRANSFER_ENCODING" in environ


class Response:
    """A response that calls a function after it is sent."""

    def __init__(self, parts: Iterable[bytes], then: Callable[[], None]) -> None:
        self.parts, self.then = parts, then

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.parts)

    def close(self) -> None:
        try:
            if hasattr(self.parts, "close"):
                self.parts.close()
        finally:
            self.then()
