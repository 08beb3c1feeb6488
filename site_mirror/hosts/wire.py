"""Requests as they go over the wire, and everything that comes back."""

import ssl
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path
from socket import create_connection, socket
from time import monotonic, sleep
from typing import Self
from urllib.parse import urlsplit

from msgspec import Struct, field

from api.contract import BUDGET
from site_mirror.hosts.release import API, scope_of

Endpoint = tuple[str, int]
PORTS = {"http": 80, "https": 443}
WITHOUT_A_BODY = (204, 304)
PATIENCE = 20.0
"""Seconds to wait for an answer."""

LONGEST_PAUSE = 2 * BUDGET.window_seconds
"""Seconds after which a refused request is sent again, even where `Retry-After` asks for more."""

RETRIES = 3
"""How often each client waits out a 429. A host that refuses still is not waited for again."""


class Unreachable(Exception):
    """Nobody answers."""

    def __init__(self, endpoint: Endpoint, reason: Exception) -> None:
        host, port = endpoint
        super().__init__(f"{host}:{port} cannot be asked: {reason or type(reason).__name__}.")


class Request(Struct, frozen=True):
    """What is asked: the target as it stands in the request line."""

    address: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        said = ", ".join(f"{name}: {value}" for name, value in self.headers.items())
        return f"{self.method} {self.address}" + (f" ({said})" if said else "")


class Answer(Struct, frozen=True):
    """What came back. Names of headers are in lower case; `excess` is what follows the end."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    excess: bytes = b""


NO_ANSWER = Answer(0, {}, b"")
"""The connection was made, and ended without an answer that HTTP knows."""


class Site(Struct, frozen=True):
    """A base address, and where it is to be reached.

    `authorities` is a PEM file with the certificate authorities to trust instead of the system's.
    """

    scheme: str
    host: str
    endpoint: Endpoint
    authorities: Path | None = None

    @classmethod
    def at(cls, url: str, connect: Endpoint | None = None, authorities: Path | None = None) -> Self:
        """Raises `ValueError` for an address that is not an origin."""
        parts = urlsplit(url)
        if parts.scheme not in PORTS or not parts.hostname or parts.path.strip("/"):
            raise ValueError(f"{url!r} is no origin: use one such as https://studio.example")
        own = (parts.hostname, parts.port or PORTS[parts.scheme])
        return cls(parts.scheme, parts.netloc, connect or own, authorities)


class Connection(HTTPConnection):
    """To an endpoint, by TLS in the site's name where that is wanted."""

    def __init__(self, site: Site, client: str | None) -> None:
        host, port = site.endpoint
        super().__init__(host, port, timeout=PATIENCE)
        self.site = site
        self.client = client

    def connect(self) -> None:
        source = (self.client, 0) if self.client else None
        plain = create_connection(self.site.endpoint, PATIENCE, source_address=source)
        self.sock: socket = self.secured(plain) if self.site.scheme == "https" else plain

    def secured(self, plain: socket) -> socket:
        name = self.site.host.partition(":")[0]
        context = ssl.create_default_context(cafile=self.site.authorities)
        return context.wrap_socket(plain, server_hostname=name)


class Clients:
    """Who asks: each address for as many requests as the budget allows, then the next.

    After the last one, a pause until the first may ask again.
    """

    def __init__(self, addresses: Iterable[str] = ()) -> None:
        self.addresses: list[str | None] = list(addresses) or [None]
        self.turn = 0
        self.asked = 0
        self.since = monotonic()

    @property
    def current(self) -> str | None:
        return self.addresses[self.turn]

    def count(self) -> None:
        """One request more below the API."""
        if self.asked == BUDGET.requests:
            self.next()
        self.asked += 1

    def refused(self, seconds: float) -> None:
        """A 429: the next address asks on, or after a pause the only one."""
        if len(self.addresses) > 1:
            self.next()
            return
        sleep(seconds)
        self.asked = 0
        self.since = monotonic()

    def next(self) -> None:
        self.asked = 0
        self.turn = (self.turn + 1) % len(self.addresses)
        if self.turn == 0:
            sleep(max(0.0, self.since + BUDGET.window_seconds - monotonic()))
            self.since = monotonic()


class Wire:
    """Asks one site, over connections that are kept while they may be."""

    def __init__(self, site: Site, clients: Iterable[str] = ()) -> None:
        self.site = site
        self.clients = Clients(clients)
        self.retries = RETRIES * len(self.clients.addresses)
        self.open: Connection | None = None
        self.client: str | None = None

    def ask(self, request: Request) -> Answer:
        """The answer of a host that may have counted earlier requests of the same client.

        A 429 is waited out as its `Retry-After` says, and the request is sent again.
        Source: RFC 6585, section 4. Raises `Unreachable`.
        """
        answer = self.ask_once(request)
        for _ in range(self.retries):
            if answer.status != HTTPStatus.TOO_MANY_REQUESTS:
                return answer
            self.clients.refused(pause(answer))
            answer = self.ask_once(request)
        if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
            self.retries = 0
        return answer

    def ask_once(self, request: Request) -> Answer:
        if scope_of(request.address) == API:
            self.clients.count()
        return self.ask_as(self.clients.current, request)

    def ask_as(self, client: str | None, request: Request) -> Answer:
        """Ask from an address of this machine."""
        if client != self.client:
            self.close()
            self.client = client
        kept = self.open is not None
        try:
            return self.exchange(self.connected(), request)
        except (OSError, HTTPException):
            self.close()
        # A connection that was kept may have ended before the request.
        return self.ask_as(client, request) if kept else NO_ANSWER

    def connected(self) -> Connection:
        if self.open is None:
            connection = Connection(self.site, self.client)
            try:
                connection.connect()
            except OSError as error:
                raise Unreachable(self.site.endpoint, error) from error
            self.open = connection
        return self.open

    def exchange(self, connection: Connection, request: Request) -> Answer:
        last = is_last(request)
        send(connection, self.site, request, last=last)
        response = connection.getresponse()
        ended = request.method == "HEAD" or response.status in WITHOUT_A_BODY
        body = b"" if ended else response.read()
        excess = response.fp.read() if ended and last else b""
        if last or response.will_close:
            self.close()
        return Answer(response.status, joined(response), body, excess)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        if self.open is not None:
            self.open.close()
            self.open = None


def pause(refusal: Answer) -> float:
    """Seconds to wait after a 429; those of the contract's window where it names no number."""
    told = refusal.headers.get("retry-after", "").strip()
    seconds = int(told) if told.isdecimal() else BUDGET.window_seconds
    return float(min(seconds, LONGEST_PAUSE))


def is_last(request: Request) -> bool:
    """Whether the connection ends with the answer, so that a byte too many is seen."""
    conditional = any(name.startswith("If-") for name in request.headers)
    return request.method in ("HEAD", "OPTIONS") or conditional


def send(connection: Connection, site: Site, request: Request, *, last: bool) -> None:
    connection.putrequest(
        request.method, request.address, skip_host=True, skip_accept_encoding=True
    )
    headers = {"Host": site.host, **request.headers}
    if last:
        headers["Connection"] = "close"
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()


def joined(response: HTTPResponse) -> dict[str, str]:
    """Headers by their name in lower case, the lines of one name joined."""
    found: dict[str, str] = {}
    for name, value in response.getheaders():
        before = found.get(name.lower())
        found[name.lower()] = value if before is None else f"{before}, {value}"
    return found
