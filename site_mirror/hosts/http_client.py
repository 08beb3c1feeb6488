"""An HTTP client that sends requests unchanged and returns all bytes of the responses."""

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
from site_mirror.hosts.release import API_SCOPE, scope_of

Endpoint = tuple[str, int]
DEFAULT_PORTS = {"http": 80, "https": 443}
STATUSES_WITHOUT_BODY = (204, 304)
TIMEOUT_SECONDS = 20.0
"""The time to wait for a response."""

MAX_PAUSE_SECONDS = 2 * BUDGET.window_seconds
"""The longest pause before a refused request is sent again, whatever `Retry-After` says."""

MAX_PAUSES_PER_CLIENT = 3
"""Pauses after a 429 for each client address; then the client does not wait any more."""


class Unreachable(Exception):
    """A host to which no connection can be made."""

    def __init__(self, endpoint: Endpoint, reason: Exception) -> None:
        host, port = endpoint
        super().__init__(f"{host}:{port} cannot be asked: {reason or type(reason).__name__}.")


class HostRequest(Struct, frozen=True):
    """A request; `address` is the target exactly as in the request line."""

    address: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        headers = ", ".join(f"{name}: {value}" for name, value in self.headers.items())
        return f"{self.method} {self.address}" + (f" ({headers})" if headers else "")


class HostResponse(Struct, frozen=True):
    """A response. Names of headers are in lower case; `excess` has bytes after its end."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    excess: bytes = b""


NO_RESPONSE = HostResponse(0, {}, b"")
"""The result if a connection was made and ended without a valid response."""


class BaseAddress(Struct, frozen=True):
    """A base address, and the endpoint to connect to.

    `authorities` is a PEM file with the certificate authorities to trust instead of the system's.
    """

    scheme: str
    host: str
    endpoint: Endpoint
    authorities: Path | None = None

    @classmethod
    def at(cls, url: str, connect: Endpoint | None = None, authorities: Path | None = None) -> Self:
        """Return a base address. Raises `ValueError` for a URL that is not an origin."""
        parts = urlsplit(url)
        if parts.scheme not in DEFAULT_PORTS or not parts.hostname or parts.path.strip("/"):
            raise ValueError(f"{url!r} is not an origin: use one such as https://studio.example")
        own = (parts.hostname, parts.port or DEFAULT_PORTS[parts.scheme])
        return cls(parts.scheme, parts.netloc, connect or own, authorities)


class Connection(HTTPConnection):
    """A connection to an endpoint, with TLS for the site's name if the scheme is https."""

    def __init__(self, site: BaseAddress, client: str | None) -> None:
        host, port = site.endpoint
        super().__init__(host, port, timeout=TIMEOUT_SECONDS)
        self.site = site
        self.client = client

    def connect(self) -> None:
        source = (self.client, 0) if self.client else None
        plain = create_connection(self.site.endpoint, TIMEOUT_SECONDS, source_address=source)
        self.sock: socket = self.secured(plain) if self.site.scheme == "https" else plain

    def secured(self, plain: socket) -> socket:
        name = self.site.host.partition(":")[0]
        context = ssl.create_default_context(cafile=self.site.authorities)
        return context.wrap_socket(plain, server_hostname=name)


class Clients:
    """The client addresses in turn: each sends as many requests as the budget allows.

    After the last one, there is a pause until the budget of the first is full again.
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
        """Count a request to the API."""
        if self.asked == BUDGET.requests:
            self.next()
        self.asked += 1

    def refused(self, seconds: float) -> None:
        """Continue after a 429 with the next address; if there is only one, after a pause."""
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


class HttpClient:
    """A client of one site, which reuses a connection while the host allows it."""

    def __init__(self, site: BaseAddress, clients: Iterable[str] = ()) -> None:
        self.site = site
        self.clients = Clients(clients)
        self.retries = MAX_PAUSES_PER_CLIENT * len(self.clients.addresses)
        self.open: Connection | None = None
        self.client: str | None = None

    def ask(self, request: HostRequest) -> HostResponse:
        """Send a request to a host that may have counted earlier requests of the same client.

        After a 429 it waits as `Retry-After` says and sends the request again.
        Source: RFC 6585, section 4. Raises `Unreachable`.
        """
        answer = self.ask_once(request)
        for _ in range(self.retries):
            if answer.status != HTTPStatus.TOO_MANY_REQUESTS:
                return answer
            self.clients.refused(pause_seconds(answer))
            answer = self.ask_once(request)
        if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
            self.retries = 0
        return answer

    def ask_once(self, request: HostRequest) -> HostResponse:
        if scope_of(request.address) == API_SCOPE:
            self.clients.count()
        return self.ask_as(self.clients.current, request)

    def ask_as(self, client: str | None, request: HostRequest) -> HostResponse:
        """Send a request from an address of this machine."""
        if client != self.client:
            self.close()
            self.client = client
        is_reused = self.open is not None
        try:
            return self.exchange(self.connected(), request)
        except (OSError, HTTPException):
            self.close()
        # The host may have closed a reused connection before the request.
        return self.ask_as(client, request) if is_reused else NO_RESPONSE

    def connected(self) -> Connection:
        if self.open is None:
            connection = Connection(self.site, self.client)
            try:
                connection.connect()
            except OSError as error:
                raise Unreachable(self.site.endpoint, error) from error
            self.open = connection
        return self.open

    def exchange(self, connection: Connection, request: HostRequest) -> HostResponse:
        last = closes_connection(request)
        send_request(connection, self.site, request, last=last)
        response = connection.getresponse()
        ended = request.method == "HEAD" or response.status in STATUSES_WITHOUT_BODY
        body = b"" if ended else response.read()
        excess = response.fp.read() if ended and last else b""
        if last or response.will_close:
            self.close()
        return HostResponse(response.status, join_headers(response), body, excess)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        if self.open is not None:
            self.open.close()
            self.open = None


def pause_seconds(refusal: HostResponse) -> float:
    """Return the seconds to wait after a 429: by default the window of the contract."""
    value = refusal.headers.get("retry-after", "").strip()
    seconds = int(value) if value.isdecimal() else BUDGET.window_seconds
    return float(min(seconds, MAX_PAUSE_SECONDS))


def closes_connection(request: HostRequest) -> bool:
    """Whether to close the connection after the response, to find bytes after its end."""
    conditional = any(name.startswith("If-") for name in request.headers)
    return request.method in ("HEAD", "OPTIONS") or conditional


def send_request(
    connection: Connection, site: BaseAddress, request: HostRequest, *, last: bool
) -> None:
    connection.putrequest(
        request.method, request.address, skip_host=True, skip_accept_encoding=True
    )
    headers = {"Host": site.host, **request.headers}
    if last:
        headers["Connection"] = "close"
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()


def join_headers(response: HTTPResponse) -> dict[str, str]:
    """Return the headers by name in lower case, with the lines of one name joined."""
    headers: dict[str, str] = {}
    for name, value in response.getheaders():
        before = headers.get(name.lower())
        headers[name.lower()] = value if before is None else f"{before}, {value}"
    return headers
