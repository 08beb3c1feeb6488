"""The longest request that the server accepts takes no long time, whatever is in it."""

import time
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from django.test import Client

from site_mirror.management.commands.serve import MAX_HEAD_BYTES
from tests.factories import make_page
from tests.freeze.live_requests import send_target

pytestmark = pytest.mark.exhaustive("measures times, which other work on the machine changes")

MAX_SECONDS = 1.0
HEADERS = (
    *("accept", "accept_encoding", "if_none_match", "if_match", "if_modified_since", "range"),
    *("cookie", "host", "origin", "access_control_request_headers", "x_forwarded_for"),
    *("x_forwarded_proto", "referer", "authorization", "user_agent", "x_request_id"),
)
PIECES = ('"', "\\", ",", ";", "/", "%", "=", "a", " ", '\\"', ', "', 'W/"', "a=b;", "a/b,", "[:")
STARTS = ("", '"', 'a="', 'a/b;x="', "bytes=", "br;q=")
TARGETS = (
    *(("/", piece) for piece in ("/", "a/", "%", "%ff", "%2f", "%00", "../", "%C3%")),
    *(("/api/v1/apps/", piece) for piece in ("a", "-", "%ff", "%f0%9f%98%80")),
    *(("/about?", piece) for piece in ("&", "a=b&", "%ff", "=", "+", ";", "[]")),
    *(("/admin/login/?next=", piece) for piece in ("/", "%2f", "\\", ":", "&next=")),
)
FORM_PIECES = ("a", "\\", "%ff", "é", "&x=", "\r\n", "<", '"', "ﷺ")


@pytest.fixture(autouse=True)
def content(db: None) -> None:
    make_page()
    send_target(b"/")  # The first request of a process imports and compiles.


def repeat_piece(start: str, piece: str, size: int = MAX_HEAD_BYTES) -> str:
    return (start + piece * (size // len(piece) + 1))[:size]


def measure_seconds(send: Callable[..., object], *words: Any, **options: Any) -> float:
    begun = time.perf_counter()
    send(*words, **options)
    return time.perf_counter() - begun


@pytest.mark.parametrize("variable", [f"HTTP_{name.upper()}" for name in HEADERS])
def test_a_long_header_is_read_soon(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setattr("django.conf.settings.BEHIND_PROXY", True)
    for path, start, piece in product((b"/", b"/api/v1/health", b"/admin/login/"), STARTS, PIECES):
        header = {variable: repeat_piece(start, piece)}
        assert measure_seconds(send_target, path, **header) < MAX_SECONDS, (path, start, piece)


def test_a_long_target_is_read_soon() -> None:
    for start, piece in TARGETS:
        target = repeat_piece(start, piece).encode()
        assert measure_seconds(send_target, target) < MAX_SECONDS, (start, piece)


def test_a_long_form_is_read_soon(client: Client) -> None:
    fields = ("username", "password", "csrfmiddlewaretoken", "next")
    for field, piece in product(fields, FORM_PIECES):
        form = {field: repeat_piece("", piece, 400_000)}
        assert measure_seconds(client.post, "/admin/login/", form) < 3 * MAX_SECONDS, (field, piece)


def test_a_long_search_of_the_admin_is_bounded(admin_client: Client) -> None:
    """Django makes a condition of every word."""
    for piece in ("a ", '"', '" ', "'"):
        query = {"q": repeat_piece("", piece)}
        assert measure_seconds(admin_client.get, "/admin/catalogue/post/", query) < 10, piece
