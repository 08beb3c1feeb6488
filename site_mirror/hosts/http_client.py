"""An HTTP client that sends requests unchanged and returns all bytes of the responses.

It is Python's own `http.client`, because other clients normalize paths and decompress bodies.
"""

import ssl
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from socket import create_connection
from time import sleep
from urllib.parse import urlsplit

from msgspec import Struct, field

from api.contract import BUDGET

Endpoint = tuple[str, int]
DEFAULT_PORTS = {"http": 80, "https": 443}
STATUSES_WITHOUT_BODY = (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)
TIMEOUT_SECONDS = 20.0
"""The time to wait for a response."""

MAX_PAUSE_SECONDS = 2 * BUDGET.window_seconds
"""The longest pause before a refused request is sent again, whatever `Retry-After` says."""

MAX_PAUSES = 3
"""Pauses for one refused request; then the client does not wait any more."""


class Unreachable(Exception):
    """A host to which no connection can be made."""


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


class HttpClient:
    """A client of one site, which reuses a connection while the host allows it.

    `connect` is another endpoint than that of the URL. `authorities` is a PEM file with the
    certificate authorities to trust instead of the system's. `clients` are addresses of this
    machine to send from: each has a budget of its own. Raises `ValueError` for a URL that is not
    an origin.
    """

    def __init__(
        self,
        url: str,
        connect: Endpoint | None = None,
        *,
        authorities: Path | None = None,
        clients: Iterable[str] = (),
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in DEFAULT_PORTS or not parts.hostname or parts.path.strip("/"):
            raise ValueError(f"{url!r} is not an origin: use one such as https://studio.example")
        self.host, self.parts = parts.netloc, parts
        self.endpoint = connect or (parts.hostname, parts.port or DEFAULT_PORTS[parts.scheme])
        self.authorities = authorities
        self.clients: list[str | None] = list(clients) or [None]
        self.turn = 0
        self.waits = True
        self.open: HTTPConnection | None = None

    def ask(self, request: HostRequest) -> HostResponse:
        """Send a request; after a 429, send it again from the next client address.

        After the last one it waits as `Retry-After` says (RFC 6585, section 4), because the host
        may have counted requests of an earlier run. Raises `Unreachable`.
        """
        answer = self.ask_once(request)
        for _ in range(MAX_PAUSES * len(self.clients)):
            if answer.status != HTTPStatus.TOO_MANY_REQUESTS or not self.waits:
                return answer
            self.next_client()
            if self.turn == 0:
                sleep(pause_seconds(answer))
            answer = self.ask_once(request)
        self.waits = answer.status != HTTPStatus.TOO_MANY_REQUESTS
        return answer

    def ask_once(self, request: HostRequest) -> HostResponse:
        """Send a request, whatever the answer is. Raises `Unreachable`."""
        is_reused = self.open is not None
        try:
            return self.exchange(self.connected(), request)
        except (OSError, HTTPException):
            self.close()
        # The host may have closed a reused connection before the request.
        return self.ask_once(request) if is_reused else NO_RESPONSE

    def next_client(self) -> None:
        self.close()
        self.turn = (self.turn + 1) % len(self.clients)

    def connected(self) -> HTTPConnection:
        """Return the open connection, or a new one from the address of the client in turn."""
        if self.open is None:
            client = self.clients[self.turn]
            source = (client, 0) if client else None
            try:
                opened = create_connection(self.endpoint, TIMEOUT_SECONDS, source_address=source)
                if self.parts.scheme == "https":
                    context = ssl.create_default_context(cafile=self.authorities)
                    opened = context.wrap_socket(opened, server_hostname=self.parts.hostname)
            except OSError as error:
                host, port = self.endpoint
                reason = str(error) or type(error).__name__
                raise Unreachable(f"{host}:{port} cannot be asked: {reason}.") from error
            self.open = HTTPConnection(self.host)
            # Set, because it would connect to the name of the site and not to the endpoint.
            self.open.sock = opened
        return self.open

    def exchange(self, connection: HTTPConnection, request: HostRequest) -> HostResponse:
        # Bytes after a response without a body are seen only if it ends the connection.
        conditional = any(name.startswith("If-") for name in request.headers)
        last = conditional or request.method != "GET"
        headers = {"Host": self.host, **request.headers}
        connection.putrequest(
            request.method, request.address, skip_host=True, skip_accept_encoding=True
        )
        for name, value in (headers | {"Connection": "close"} if last else headers).items():
            connection.putheader(name, value)
        connection.endheaders()
        response = connection.getresponse()
        # RFC 9110, section 6.4.1: whatever follows such a response belongs to no body.
        ended = request.method == "HEAD" or response.status in STATUSES_WITHOUT_BODY
        body = b"" if ended else response.read()
        excess = response.fp.read() if ended and last else b""
        if last or response.will_close:
            self.close()
        # Lines with the same name are one list (RFC 9110, section 5.3).
        names = {name.lower() for name in response.headers}
        headers = {name: ", ".join(response.headers.get_all(name, [])) for name in names}
        return HostResponse(response.status, headers, body, excess)

    def close(self) -> None:
        if self.open is not None:
            self.open.close()
            self.open = None


def pause_seconds(refusal: HostResponse) -> float:
    """Return the seconds to wait after a 429: by default the window of the contract."""
    value = refusal.headers.get("retry-after", "").strip()
    seconds = int(value) if value.isdecimal() else BUDGET.window_seconds
    return float(min(seconds, MAX_PAUSE_SECONDS))
