"""A server of S3's protocol, and a proxy in front of it that lets single requests fail.

The server answers a PUT before it has written the object, which S3 does not do, so the proxy waits.
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

from site_mirror.hosts.bucket.store import Bucket, open_bucket
from site_mirror.hosts.http_client import BaseAddress
from tests import requirements
from tests.hosts.servers import run_server
from tests.ports import free_port

BUCKET_NAME = "studio.example"
KEYS = {
    "AWS_ACCESS_KEY_ID": "S3RVER",
    "AWS_SECRET_ACCESS_KEY": "S3RVER",
    "AWS_REGION": "us-east-1",
}
WEBSITE_SETTINGS = Path(__file__).parent / "website.xml"
S3RVER_PROGRAM = Path(__file__).parent / "node_modules/s3rver/bin/s3rver.js"
UNFORWARDED_HEADERS = {"connection", "keep-alive", "transfer-encoding", "content-length"}

LAST_PAGE = b"<IsTruncated>false</IsTruncated>"
FIRST_PAGE = b"<IsTruncated>true</IsTruncated><NextContinuationToken>next</NextContinuationToken>"

RequestPredicate = Callable[[str, str], bool]


def no_request(method: str, path: str) -> bool:
    return False


def keep_body(body: bytes) -> bytes:
    return body


@dataclass
class FaultyProxy:
    """A proxy that forwards all requests except those for which `fails(method, path)` is true.

    With `endless`, each page of a listing announces another one. `spoil` changes the bodies of the
    responses for which `changes(method, path)` is true.
    """

    server_port: int
    data: Path
    fails: RequestPredicate = no_request
    changes: RequestPredicate = no_request
    spoil: Callable[[bytes], bytes] = keep_body
    endless: bool = False
    requests: list[tuple[str, str]] = field(default_factory=list)

    def wait_for_object(self, path: str, body: bytes) -> None:
        """Wait until the file of an object has the body."""
        file = self.data / (unquote(path).removeprefix("/") + "._S3rver_object")
        for _ in range(6000):
            if file.read_bytes() == body:
                return
            sleep(0.01)
        raise TimeoutError(f"{file} does not have the body that was sent")


@dataclass(frozen=True)
class BucketServer:
    port: int
    proxy: FaultyProxy

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def bucket(self) -> Bucket:
        return open_bucket(f"s3://{BUCKET_NAME}", self.endpoint)

    @property
    def website(self) -> BaseAddress:
        """The address of the bucket as a website, which needs no signature."""
        return BaseAddress.at(f"http://{BUCKET_NAME}", ("127.0.0.1", self.proxy.server_port))

    def keys(self) -> set[str]:
        return set(self.bucket.list_objects())

    def put(self, key: str, body: bytes = b"") -> None:
        obstore.put(self.bucket.store, key, body)


def announce_next_page(body: bytes) -> bytes:
    return body.replace(LAST_PAGE, FIRST_PAGE)


@contextmanager
def serve_bucket(folder: Path) -> Iterator[BucketServer]:
    """Serve an empty bucket behind a proxy that forwards all requests."""
    port = free_port()
    node = requirements.needs_program("node", "nodejs")
    if not S3RVER_PROGRAM.exists():
        requirements.missing(
            "NOT TESTED ON A BUCKET: `npm ci --prefix tests/buckets` installs one."
        )
    data = folder / "data"
    data.mkdir(exist_ok=True)
    options = [
        "-a",
        "127.0.0.1",
        "-p",
        str(port),
        "-d",
        str(data),
        "--configure-bucket",
        BUCKET_NAME,
    ]
    with run_server([node, str(S3RVER_PROGRAM), *options, str(WEBSITE_SETTINGS)], folder, port, {}):
        proxy = FaultyProxy(port, data)
        with run_proxy(proxy) as server:
            yield BucketServer(server, proxy)


@contextmanager
def run_proxy(faulty_proxy: FaultyProxy) -> Iterator[int]:
    """Run a proxy and yield its port."""

    class Handler(ProxyHandler):
        proxy = faulty_proxy

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield int(server.server_port)
        server.shutdown()


class ProxyHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    proxy: FaultyProxy

    def handle(self) -> None:
        with suppress(ConnectionError):
            super().handle()

    def handle_one_request(self) -> None:
        self.raw_requestline = self.rfile.readline()
        if not self.raw_requestline or not self.parse_request():
            self.close_connection = True
            return
        self.proxy.requests.append((self.command, self.path))
        size = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(size)
        if len(body) < size:
            self.close_connection = True
        elif self.proxy.fails(self.command, self.path):
            self.answer(400, [], b"")
        else:
            self.answer(*self.forward(body))

    def forward(self, body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        connection = HTTPConnection("127.0.0.1", self.proxy.server_port, timeout=120)
        try:
            connection.request(self.command, self.path, body, dict(self.headers.items()))
            answer = connection.getresponse()
            received = answer.read()
            if (self.command, answer.status) == ("PUT", HTTPStatus.OK):
                self.proxy.wait_for_object(self.path, body)
            if self.proxy.changes(self.command, self.path):
                received = self.proxy.spoil(received)
            return (
                answer.status,
                answer.getheaders(),
                announce_next_page(received) if self.proxy.endless else received,
            )
        finally:
            connection.close()

    def answer(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in UNFORWARDED_HEADERS:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else body)

    def log_message(self, format: str, *words: object) -> None:  # noqa: A002 - the base's name
        """Write no log, because tests read `requests`."""
