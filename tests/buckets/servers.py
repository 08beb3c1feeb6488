"""A server of S3's protocol, and a way to it on which single requests fail.

The server answers before it has written what was put, which S3 does not: the way waits for it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from time import sleep
from urllib.parse import unquote

import obstore

from site_mirror.bucket.store import Bucket, opened
from site_mirror.hosts.wire import Site
from tests import needs
from tests.hosts.servers import free_port, running

NAME = "studio.example"
KEYS = {
    "AWS_ACCESS_KEY_ID": "S3RVER",
    "AWS_SECRET_ACCESS_KEY": "S3RVER",
    "AWS_REGION": "us-east-1",
}
WEBSITE = Path(__file__).parent / "website.xml"
S3RVER = Path(__file__).parent / "node_modules/s3rver/bin/s3rver.js"
OF_THE_CONNECTION = {"connection", "keep-alive", "transfer-encoding", "content-length"}

LAST_PAGE = b"<IsTruncated>false</IsTruncated>"
FIRST_PAGE = b"<IsTruncated>true</IsTruncated><NextContinuationToken>next</NextContinuationToken>"

Fails = Callable[[str, str], bool]


def nowhere(method: str, path: str) -> bool:
    return False


def as_it_is(body: bytes) -> bytes:
    return body


@dataclass
class Way:
    """Every request goes on to the server, but those that `fails(method, path)` is true of.

    With `more`, each listing says that another page follows. What `changes` is true of comes
    back as `spoil` makes it.
    """

    server: int
    data: Path
    fails: Fails = nowhere
    changes: Fails = nowhere
    spoil: Callable[[bytes], bytes] = as_it_is
    more: bool = False
    asked: list[tuple[str, str]] = field(default_factory=list)

    def wait_for(self, path: str, body: bytes) -> None:
        """Until the object's file holds the body."""
        file = self.data / (unquote(path).removeprefix("/") + "._S3rver_object")
        for _ in range(1000):
            if file.read_bytes() == body:
                return
            sleep(0.01)
        raise TimeoutError(f"{file} is not what was put")


@dataclass(frozen=True)
class Storage:
    port: int
    way: Way

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def bucket(self) -> Bucket:
        return opened(f"s3://{NAME}", self.endpoint)

    @property
    def site(self) -> Site:
        """The bucket as a website, which readers ask without a signature."""
        return Site.at(f"http://{NAME}", ("127.0.0.1", self.way.server))

    def keys(self) -> set[str]:
        return set(self.bucket.listed())

    def put(self, key: str, body: bytes = b"") -> None:
        obstore.put(self.bucket.store, key, body)


def paged(body: bytes) -> bytes:
    return body.replace(LAST_PAGE, FIRST_PAGE)


@contextmanager
def storage(folder: Path) -> Iterator[Storage]:
    """An empty bucket, and a way to it that fails nowhere yet."""
    port = free_port()
    node = needs.needs_program("node", "nodejs")
    if not S3RVER.exists():
        needs.missing("NOT TESTED ON A BUCKET: `npm ci --prefix tests/buckets` installs one.")
    data = folder / "data"
    data.mkdir(exist_ok=True)
    where = ["-a", "127.0.0.1", "-p", str(port), "-d", str(data), "--configure-bucket", NAME]
    with running([node, str(S3RVER), *where, str(WEBSITE)], folder, port, {}):
        way = Way(port, data)
        with forwarding(way) as front:
            yield Storage(front, way)


@contextmanager
def forwarding(way: Way) -> Iterator[int]:
    """A port from which requests go the way."""

    class Handler(Forwarding):
        along = way

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as front:
        Thread(target=front.serve_forever, daemon=True).start()
        yield int(front.server_port)
        front.shutdown()


class Forwarding(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    along: Way

    def handle(self) -> None:
        with suppress(ConnectionError):
            super().handle()

    def handle_one_request(self) -> None:
        self.raw_requestline = self.rfile.readline()
        if not self.raw_requestline or not self.parse_request():
            self.close_connection = True
            return
        self.along.asked.append((self.command, self.path))
        size = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(size)
        if len(body) < size:
            self.close_connection = True
        elif self.along.fails(self.command, self.path):
            self.answer(400, [], b"")
        else:
            self.answer(*self.forwarded(body))

    def forwarded(self, body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        connection = HTTPConnection("127.0.0.1", self.along.server, timeout=30)
        try:
            connection.request(self.command, self.path, body, dict(self.headers.items()))
            answer = connection.getresponse()
            found = answer.read()
            if (self.command, answer.status) == ("PUT", HTTPStatus.OK):
                self.along.wait_for(self.path, body)
            if self.along.changes(self.command, self.path):
                found = self.along.spoil(found)
            return answer.status, answer.getheaders(), paged(found) if self.along.more else found
        finally:
            connection.close()

    def answer(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in OF_THE_CONNECTION:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else body)

    def log_message(self, format: str, *words: object) -> None:  # noqa: A002 - the base's name
        """Nothing: the test looks at `asked`."""
