"""Caches of responses whose state a test decides."""

import math
import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.core.handlers.wsgi import WSGIHandler

from api.throttling import allows_request
from site_mirror.live.response_cache import ResponseCache, State

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


OLD_DATE = "Thu, 01 Jan 2026 00:00:00 GMT"


class Content:
    """The state of a content that changes when `revision` is set."""

    revision = 1
    until = math.inf

    def __init__(self) -> None:
        self.may_be_read = threading.Event()
        self.may_be_read.set()

    def read(self, known: State | None) -> State:
        self.may_be_read.wait(30)
        return State(self.revision, 0.0, self.until)


class Counting:
    """An application that notes its requests, and answers with the revision of the content.

    While `may_end` is not set, requests wait: those for the paths `slow`, or all.
    """

    def __init__(self, content: Content, size: int = 10) -> None:
        self.content, self.size, self.paths = content, size, list[str]()
        self.begun, self.may_end = threading.Event(), threading.Event()
        self.may_end.set()
        self.slow: set[str] | None = None
        self.threads = set[str]()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path, body = environ["PATH_INFO"], b"%d" % self.content.revision
        self.paths.append(path)
        self.threads.add(threading.current_thread().name)
        self.begun.set()
        if self.slow is None or path in self.slow:
            self.may_end.wait(30)
        if path.startswith("/missing"):
            start_response("404 Not Found", [("Content-Length", "1")])
        else:
            start_response("200 OK", [("ETag", '"a"'), ("Last-Modified", OLD_DATE)])
        return [body.ljust(self.size)]


def make_response_cache(
    application: "WSGIApplication | None" = None,
    content: Content | None = None,
    budget: int = 1 << 27,
) -> ResponseCache:
    read = (content or Content()).read
    return ResponseCache(application or WSGIHandler(), read, allows_request, budget)
