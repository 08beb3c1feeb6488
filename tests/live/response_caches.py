"""Caches of responses whose state a test decides."""

import math
import threading
from typing import TYPE_CHECKING

from django.core.handlers.wsgi import WSGIHandler

from api.throttling import allows_request
from site_mirror.live.response_cache import ResponseCache, State

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


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


def make_response_cache(
    application: "WSGIApplication | None" = None,
    content: Content | None = None,
    budget: int = 1 << 27,
) -> ResponseCache:
    read = (content or Content()).read
    return ResponseCache(application or WSGIHandler(), read, allows_request, budget)
