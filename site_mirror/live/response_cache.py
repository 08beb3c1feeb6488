"""A cache of finished responses in front of Django.

What is kept: the responses 200, 308 and 404 to GET, of which those to HEAD and 304 are made, too.

Under which key: the path, and the form of the body that `Accept` and `Accept-Encoding` prefer.
Nothing else of a request changes a public response, except conditions, which are decided here for
tags or one date, and the query, which is part of the key of a 308 and a 404, because they repeat
it. All other requests are passed to Django.

What ends it: the state of the content. A thread reads it twice a second; a process that has
answered a request that may write reads it before the response is sent. A new state empties the
cache, and so does the moment at which a state ends by itself, because scheduled content falls due.

Why no response is stale for longer than a second: a state that was not read again within a second,
because the database does not answer, is not trusted, and every request is passed to Django. A
response that was begun in one state is not kept in another.
"""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.db import Error
from django.http.request import split_domain_port, validate_host
from django.utils.http import parse_etags

from catalogue import addresses
from site_mirror.documents.encodings import preferred_encoding
from site_mirror.documents.headers import BODY_HEADERS
from site_mirror.live.admin_middleware import ADMIN_PREFIX
from site_mirror.live.middleware import UNPUBLISHED_PREFIXES
from site_mirror.live.negotiation import preferred_representation

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

PAUSE_SECONDS = 0.5
"""The pause between two readings of the state."""
TRUST_SECONDS = 1.0
"""The time in which a state that was read is trusted."""
ENTRY_BYTES = 2048
"""An estimate of what an entry occupies in memory beside its body."""
MAX_PATH_BYTES = 256
"""The path of a kept response, and its query, are not longer: the estimate contains them."""
PART_OF_OTHERS = 16
"""The part of the budget for redirects and errors, because clients may invent addresses."""
KEPT = ("200", "308", "404")
READING = ("GET", "HEAD")
CONDITIONS = ("HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE")
KEPT_ENTRY, FOUND_ENTRY = "catalogue.kept", "catalogue.found"
"""Variables of a request that a kept response answers, or will if its client has budget left."""

Key = tuple[str, ...]
log = logging.getLogger(__name__)


class State(NamedTuple):
    """The state of the content, and the moments (Unix time) between which it lasts."""

    revision: Any
    since: float
    until: float


class KeptResponse:
    """A response, and the headers of the 304 that is made of it."""

    __slots__ = ("body", "etag", "headers", "last_modified", "not_modified", "status")

    def __init__(self, status: str, headers: list[tuple[str, str]], body: bytes) -> None:
        fields = dict(headers)
        self.status, self.headers, self.body = status, headers, body
        self.etag, self.last_modified = fields.get("ETag"), fields.get("Last-Modified")
        self.not_modified = [field for field in headers if field[0] not in BODY_HEADERS]


class Entries:
    """Entries up to a number of bytes; the least recently used leave first."""

    def __init__(self, budget: int) -> None:
        self.budget, self.used = budget, 0
        self.entries = OrderedDict[Key, KeptResponse]()
        self.lock = threading.Lock()

    def get(self, key: Key) -> KeptResponse | None:
        try:
            self.entries.move_to_end(key)
            return self.entries[key]
        except KeyError:  # Another thread may have removed it between the two.
            return None

    def put(self, key: Key, entry: KeptResponse) -> None:
        with self.lock:
            if replaced := self.entries.pop(key, None):
                self.used -= len(replaced.body) + ENTRY_BYTES
            self.entries[key] = entry
            self.used += len(entry.body) + ENTRY_BYTES
            while self.used > self.budget:
                _, oldest = self.entries.popitem(last=False)
                self.used -= len(oldest.body) + ENTRY_BYTES


class Generation:
    """The responses of one state of the content."""

    def __init__(self, state: State, budget: int) -> None:
        self.state = state
        self.others = Entries(budget // PART_OF_OTHERS)
        self.documents = Entries(budget - self.others.budget)

    def find(self, key: Key, query: str) -> KeptResponse | None:
        """Return the entry of a request, if there is one; only documents ignore the query."""
        return self.documents.get(key) or self.others.get((*key, query))

    def keep(self, key: Key, query: str, entry: KeptResponse) -> None:
        if entry.etag:  # Only a document has one.
            self.documents.put(key, entry)
        elif len(query) <= MAX_PATH_BYTES:
            self.others.put((*key, query), entry)


class ResponseCache:
    """A WSGI application that keeps the responses of another one.

    `read_state` asks the database; its argument is the state that it returned last. `admit` counts
    a request that a kept response answers, and says whether its client has budget left; without it,
    all have. `budget` is in bytes.
    """

    def __init__(
        self,
        application: "WSGIApplication",
        read_state: Callable[[State | None], State],
        admit: Callable[["WSGIEnvironment"], bool] | None,
        budget: int,
    ) -> None:
        self.application, self.read_state, self.admit = application, read_state, admit
        self.budget = budget
        self.generation: Generation | None = Generation(State(None, since=0.0, until=0.0), budget)
        self.reading = threading.Lock()
        self.ends, self.is_watching = 0.0, False

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        if entry := environ.get(KEPT_ENTRY):
            return send(entry, environ, start_response)
        key = key_of(environ)
        generation = self.current_generation() if key else None
        if key is None or generation is None:
            return self.pass_on(environ, start_response)
        entry = environ.get(FOUND_ENTRY) or generation.find(key, environ.get("QUERY_STRING", ""))
        if entry is None:
            return send(self.render(generation, key, environ), environ, start_response)
        if self.admit and not self.admit(environ):
            return self.application(environ, start_response)
        environ[KEPT_ENTRY] = entry
        return send(entry, environ, start_response)

    def find(self, environ: "WSGIEnvironment") -> KeptResponse | None:
        """Return the kept response to a request, without waiting for the state to be read."""
        key, generation = key_of(environ), self.generation
        if key is None or generation is None or not self.is_current():
            return None
        return generation.find(key, environ.get("QUERY_STRING", ""))

    def pass_on(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        writes = environ["REQUEST_METHOD"] not in READING
        response = self.application(environ, start_response)
        if writes and environ["PATH_INFO"].startswith(ADMIN_PREFIX):
            self.read()  # The editor's next request sees what this one saved.
        return response

    def render(self, generation: Generation, key: Key, environ: "WSGIEnvironment") -> KeptResponse:
        """Return the response to the request without its conditions, and keep it."""
        plain = {name: value for name, value in environ.items() if name not in CONDITIONS}
        entry = capture(self.application, plain | {"REQUEST_METHOD": "GET"})
        if entry.status[:3] in KEPT:
            generation.keep(key, environ.get("QUERY_STRING", ""), entry)
        return entry

    def current_generation(self) -> Generation | None:
        """Return the responses of the present state; `None` if the state is not known."""
        if self.is_current():
            return self.generation
        if self.generation:
            self.read(if_ended=True)  # It is not read yet, or has ended, or the thread is late.
        return self.generation if self.is_current() else None

    def is_current(self) -> bool:
        return self.generation is not None and time.monotonic() < self.ends

    def read_repeatedly(self) -> None:
        while True:
            time.sleep(PAUSE_SECONDS)
            self.read()

    def read(self, *, if_ended: bool = False) -> None:
        """Read the state, and begin a new generation if it is another one.

        The first call starts the thread that reads it again and again.
        With `if_ended`, a thread that reads it already is waited for, but not for long, because
        the database may not answer.
        """
        if not self.reading.acquire(timeout=TRUST_SECONDS if if_ended else -1):
            return
        try:
            if if_ended and (self.generation is None or self.is_current()):
                return
            if not self.is_watching:
                self.is_watching = True
                threading.Thread(target=self.read_repeatedly, daemon=True).start()
            began, now, known = time.monotonic(), time.time(), self.generation
            state = self.read_state(known.state if known else None)
            if known is None or state != known.state:
                self.generation = Generation(state, self.budget)
            self.ends = began + min(TRUST_SECONDS, state.until - now)
        except Error as error:
            if self.generation:
                log.warning("The content revision cannot be read: %s", error)
            self.generation = None
        finally:
            self.reading.release()


def key_of(environ: "WSGIEnvironment") -> Key | None:
    """Return the key of a request; `None` if its response is not kept."""
    path = environ["PATH_INFO"]
    if (
        environ["REQUEST_METHOD"] not in READING
        or len(path) > MAX_PATH_BYTES
        or f"{path}/".startswith(UNPUBLISHED_PREFIXES)
        or not (is_allowed_host(environ.get("HTTP_HOST", "")) or path == addresses.HEALTH)
        or "HTTP_IF_MATCH" in environ
        or "HTTP_IF_UNMODIFIED_SINCE" in environ
    ):
        return None
    return path, preferred_form(environ.get("HTTP_ACCEPT"), environ.get("HTTP_ACCEPT_ENCODING", ""))


@lru_cache(maxsize=256)
def preferred_form(accept: str | None, accept_encoding: str) -> str:
    """Return the media type and the content coding that a request prefers."""
    representation, encoding = preferred_representation(accept), preferred_encoding(accept_encoding)
    return f"{representation and representation.value} {encoding and encoding.name}"


@lru_cache(maxsize=256)
def is_allowed_host(host: str) -> bool:
    """Whether Django accepts a `Host`."""
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def capture(application: "WSGIApplication", environ: "WSGIEnvironment") -> KeptResponse:
    """Return the whole response of an application."""
    begun = list[tuple[str, list[tuple[str, str]]]]()

    def start_response(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
        begun.append((status, headers))

    parts = application(environ, start_response)
    try:
        body = b"".join([*parts, b""])  # A copy: each result of orjson occupies 4 kB or more.
    finally:
        if hasattr(parts, "close"):
            parts.close()  # Django ends the request here.
    return KeptResponse(*begun[-1], body)


def send(
    entry: KeptResponse, environ: "WSGIEnvironment", start_response: "StartResponse"
) -> Iterable[bytes]:
    if entry.etag and is_not_modified(entry, environ):
        start_response("304 Not Modified", entry.not_modified)
        return []
    start_response(entry.status, entry.headers)
    if not entry.body:  # granian would move the length of an empty list to the end of the headers.
        return (part for part in [entry.body])
    return [] if environ["REQUEST_METHOD"] == "HEAD" else [entry.body]


def is_not_modified(entry: KeptResponse, environ: "WSGIEnvironment") -> bool:
    """Whether the client has the document; a tag decides before a date (RFC 9110, 13.2.2)."""
    if known := known_tags(environ.get("HTTP_IF_NONE_MATCH", "")):
        return entry.etag in known or "*" in known
    date = environ.get("HTTP_IF_MODIFIED_SINCE")
    return bool(date) and date == entry.last_modified


@lru_cache(maxsize=256)
def known_tags(if_none_match: str) -> frozenset[str]:
    return frozenset(tag.removeprefix("W/") for tag in parse_etags(if_none_match))
