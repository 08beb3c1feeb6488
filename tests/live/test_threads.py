"""One thread of the server waits for requests, and a document that renders holds up no other."""

import queue
import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from site_mirror.live.threads import Threads
from tests.api.wsgi_client import request_environ
from tests.live.response_caches import Content, Counting, make_response_cache

THREADS_OF_SERVER, THREADS_OF_DJANGO = 10, 2


class Request:
    """A request, and what the server knows of it when its response is sent."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.sent = threading.Event()
        self.body, self.thread = b"", ""


class Server:
    """Threads that take requests from a queue, as those of granian do."""

    def __init__(self) -> None:
        self.content = Content()
        self.django = Counting(self.content)
        self.cache = make_response_cache(self.django, self.content)
        self.cache.admit = None
        self.application = Threads(self.cache, self.cache, THREADS_OF_DJANGO)
        self.requests, self.taken = queue.SimpleQueue[Request | None](), threading.Semaphore(0)
        for _ in range(THREADS_OF_SERVER):
            threading.Thread(target=self.take_requests, daemon=True).start()

    def take_requests(self) -> None:
        while request := self.requests.get():
            self.taken.release()
            response = self.application(
                request_environ("GET", request.path), lambda *words: lambda body: None
            )
            request.body = b"".join(response)
            request.thread = threading.current_thread().name
            request.sent.set()
            if not isinstance(response, list):
                response.close()  # type: ignore[attr-defined]

    def send(self, path: str) -> Request:
        request = Request(path)
        self.requests.put(request)
        return request

    def ask(self, path: str) -> Request:
        request = self.send(path)
        assert request.sent.wait(30), f"{path} is not answered"
        return request

    def send_slow(self, *paths: str) -> list[Request]:
        """Send requests that Django does not answer yet; each occupies a thread of the server."""
        self.django.may_end.clear()
        while self.taken.acquire(blocking=False):
            pass
        requests = [self.send(path) for path in paths]
        for _ in requests:
            assert self.taken.acquire(timeout=30)
        return requests


@pytest.fixture
def server() -> Iterator[Server]:
    """A server in which one thread waits for requests, and all others for the turn."""
    server = Server()
    slow = server.send_slow(*(f"/{number}" for number in range(THREADS_OF_SERVER)))
    server.django.may_end.set()
    assert all(request.sent.wait(30) for request in slow)
    server.ask("/kept")
    yield server
    server.django.may_end.set()


def test_one_thread_sends_kept_responses(server: Server) -> None:
    threads = Counter(server.ask("/kept").thread for _ in range(100))

    assert [count for count in threads.values() if count > 1] == [101 - len(threads)]
    assert Counter(server.django.paths)["/kept"] == 1


def test_a_kept_response_is_sent_while_documents_render(server: Server) -> None:
    slow = server.send_slow(*(f"/slow/{number}" for number in range(THREADS_OF_SERVER - 1)))

    assert {server.ask("/kept").body for _ in range(50)} == {b"1".ljust(10)}
    assert not any(request.sent.is_set() for request in slow)
    server.django.may_end.set()
    assert all(request.sent.wait(30) for request in slow)
    assert len(server.django.threads) == THREADS_OF_DJANGO


def test_a_page_is_sent_by_one_thread_although_requests_have_a_budget(server: Server) -> None:
    server.cache.admit = lambda environ: True
    threads = Counter(server.ask("/kept").thread for _ in range(100))
    of_api = {server.ask("/api/v1/apps").thread for _ in range(THREADS_OF_SERVER)}

    assert [count for count in threads.values() if count > 1] == [101 - len(threads)]
    assert len(of_api) > 1


def test_the_turn_of_a_thread_that_ends_is_free(server: Server) -> None:
    for _ in range(THREADS_OF_SERVER - 1):
        server.requests.put(None)
        server.ask("/kept")


def test_requests_for_one_document_leave_the_threads_to_others(server: Server) -> None:
    slow = server.send_slow(*["/slow"] * (THREADS_OF_SERVER - 2))
    server.django.slow = {"/slow"}

    assert server.ask("/other").body
    assert not any(request.sent.is_set() for request in slow)
    server.django.may_end.set()
    assert all(request.sent.wait(30) for request in slow)
    assert Counter(server.django.paths)["/slow"] == 1


def ask_together(threads: Threads, content: Content, application: Counting) -> None:
    """Let twenty threads ask while the state is read, which takes a moment."""
    content.may_be_read.clear()

    def ask() -> Any:
        return list(threads.answer(request_environ("GET", "/a"), lambda *words: lambda body: None))

    asking = [threading.Thread(target=ask) for _ in range(20)]
    for thread in asking:
        thread.start()
    application.begun.wait(0.2)
    content.may_be_read.set()
    for thread in asking:
        thread.join()


def test_one_thread_renders_a_document_that_many_ask_for() -> None:
    content = Content()
    application = Counting(content)
    cache = make_response_cache(application, content)
    threads = Threads(cache, cache, 20)
    ask_together(threads, content, application)
    assert application.paths == ["/a"]

    content.revision, content.until = 2, 0.0
    cache.read()
    content.until = float("inf")
    application.begun.clear()
    ask_together(threads, content, application)
    assert application.paths == ["/a", "/a"]
