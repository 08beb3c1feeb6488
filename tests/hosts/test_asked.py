"""What the commands that compare a site ask a server for, and from which address."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from itertools import product
from pathlib import Path

import pytest
from django.core.management import call_command
from msgspec.structs import replace

from api.contract import JSON
from site_mirror.hosts.release import API_SCOPE, SITE_SCOPE
from site_mirror.hosts.responses import ERROR_STATUSES
from tests.freeze import engine

ERRORS = tuple(
    replace(engine.NOT_FOUND, scope=scope, status=status)
    for scope, status in product((API_SCOPE, SITE_SCOPE), ERROR_STATUSES)
)


@contextmanager
def record_requests() -> Iterator[tuple[str, set[tuple[str, str]]]]:
    """Serve 404 for all requests; yield the endpoint, and the clients and paths of requests."""
    asked = set[tuple[str, str]]()

    class Recorder(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.add((str(self.client_address[0]), self.path))
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_HEAD = do_OPTIONS = do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

        def log_message(self, *words: object) -> None:
            """Write no log."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Recorder) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}", asked
        server.shutdown()


def compare(*words: str) -> set[tuple[str, str]]:
    """Run a command that compares a site, and return what it asked for."""
    with record_requests() as (endpoint, asked), pytest.raises(SystemExit):
        call_command(*words, "--connect", endpoint, stdout=StringIO())
    return asked


def test_parity_asks_from_the_addresses_that_it_was_given(tmp_path: Path) -> None:
    document = replace(engine.make_document("/openapi.json"), media_type=JSON)
    engine.publish(tmp_path, document, errors=ERRORS)

    asked = compare(
        "parity", "http://studio.example", str(tmp_path / "current"), "--client", "127.0.0.2"
    )

    assert ("127.0.0.2", "/openapi.json") in asked
    assert {client for client, _ in asked} == {"127.0.0.2"}


def test_verify_asks_for_what_a_release_has_and_has_removed(tmp_path: Path) -> None:
    engine.publish_two_releases(tmp_path, errors=ERRORS)

    asked = compare("snapshot", "verify", "http://studio.example", "--manifest", str(tmp_path))

    assert {"/kept", "/old", "/removed"} <= {path for _, path in asked}
