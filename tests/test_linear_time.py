"""The time of a request is at most linear in the size of each of its parts.

Each input is given in four sizes to the origin as it is, and again without the limits on its
size, so that no parser behind them is quadratic either.
"""

import time
from collections.abc import Callable

import pytest
from django.http import HttpRequest
from django.test import Client

from site_mirror.live import limits
from tests.factories import make_page
from tests.raw_requests import send_target

SIZES = (1_000, 10_000, 100_000, 400_000)
RUNS = 2
MAX_GROWTH = 4 * 3
"""From 100 to 400 kB a linear time grows fourfold; the factor 3 is for a busy machine."""
NOISE_SECONDS = 0.05
"""A growth below this time is noise."""
MAX_SECONDS = 3.0
"""A request must take less time."""

Send = Callable[[bytes], object]

HEADERS = (
    *(b"accept", b"accept-encoding", b"accept-language", b"if-none-match", b"if-match"),
    *(b"if-modified-since", b"if-unmodified-since", b"if-range", b"range", b"cookie", b"host"),
    *(b"origin", b"access-control-request-method", b"access-control-request-headers"),
    *(b"x-forwarded-for", b"x-forwarded-proto", b"forwarded", b"referer", b"authorization"),
    *(b"content-type", b"transfer-encoding", b"user-agent", b"x-unknown"),
)
WORST_PIECES = (
    *((b"", piece) for piece in (b'"', b"\\", b",", b";", b"/", b"%", b"=", b"a", b"\xff", b" ")),
    *((b"", piece) for piece in (b'\\"', b'"\\', b', "', b'W/"', b"a=b;", b"a/b,", b"[:", b"1,")),
    *((b'a="', piece) for piece in (b"\\", b"\\1", b'\\"', b"\\075", b"\\\\")),
    *((b'a/b;x="', piece) for piece in (b"\\", b'\\"', b",", b'"a/b;x=')),
    *((b'"', piece) for piece in (b'\\"', b',"', b"x")),
    (b"Thu, 01 Jan 2026 00:00:00 GMT", b" "),
    (b"bytes=", b"0-1,"),
    (b"br;q=", b"1"),
)
TARGETS = (
    *(
        (b"/", piece)
        for piece in (b"/", b"a", b"a/", b"%", b"%ff", b"%2f", b"%00", b"../", b"%C3%")
    ),
    *(
        (b"/api/v1/apps/", piece)
        for piece in (b"a", b"-", b"/", b"%ff", b"%f0%9f%98%80", b";", b".")
    ),
    *((b"/blog/years/", piece) for piece in (b"0", b"9", b"%D9%A2")),
    *(
        (b"/about?", piece)
        for piece in (b"&", b"a=b&", b"%", b"%ff", b"=", b"+", b";", b"?", b"[]")
    ),
    *((b"/admin/login/?next=", piece) for piece in (b"/", b"%2f", b"\\", b":", b"a", b"&next=")),
)
FIELDS = ("username", "password", "csrfmiddlewaretoken", "next", "x")
FORM_PIECES = ("a", "\\", "%ff", "é", "&x=", "\r\n", "<", '"', "ﷺ", "  ")


pytestmark = pytest.mark.exhaustive("compares times, which other work on the machine changes")


@pytest.fixture(autouse=True)
def content(db: None) -> None:
    make_page()
    send_target(b"/")  # The first request of a process imports and compiles.


@pytest.fixture(params=[True, False], ids=["limited", "unlimited"])
def _limits(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not request.param:
        for name in ("MAX_HEADER_BYTES", "MAX_TARGET_BYTES"):
            monkeypatch.setattr(limits, name, 10**9)


def repeat_piece(start: bytes, piece: bytes, size: int) -> bytes:
    return (start + piece * (size // len(piece) + 1))[:size]


def measure_seconds(send: Send, text: bytes) -> float:
    """Return the time of the shortest of several runs: other processes disturb the longer ones."""
    return min(measure_once(send, text) for _ in range(RUNS))


def measure_once(send: Send, text: bytes) -> float:
    begun = time.perf_counter()
    send(text)
    return time.perf_counter() - begun


def assert_linear(send: Send, start: bytes, piece: bytes) -> None:
    """Compare the times of growing inputs; noise at the largest size is not judged."""
    found = {
        size: measure_seconds(send, repeat_piece(start, piece, size))
        for size in (SIZES[1], SIZES[-1])
    }
    assert max(found.values()) < MAX_SECONDS, (start, piece, found)
    if found[SIZES[-1]] > NOISE_SECONDS:
        times = [measure_seconds(send, repeat_piece(start, piece, size)) for size in SIZES]
        assert times[-1] < NOISE_SECONDS or times[-1] / times[-2] < MAX_GROWTH, (
            start,
            piece,
            times,
        )


@pytest.mark.usefixtures("_limits")
@pytest.mark.parametrize("name", HEADERS, ids=bytes.decode)
def test_a_header_takes_linear_time(monkeypatch: pytest.MonkeyPatch, name: bytes) -> None:
    monkeypatch.setattr("django.conf.settings.BEHIND_PROXY", True)
    path = b"/" if name in (b"accept", b"cookie") else b"/api/v1/health"
    for start, piece in WORST_PIECES:
        assert_linear(lambda text: send_target(path, headers=[(name, text)]), start, piece)


@pytest.mark.parametrize("name", [b"accept", b"cookie", b"host", b"x-forwarded-for"])
def test_a_header_of_many_lines_takes_linear_time(name: bytes) -> None:
    assert_linear(
        lambda text: send_target(b"/", headers=[(name, b"a")] * (len(text) // 10)), b"", b"a"
    )


@pytest.mark.usefixtures("_limits")
@pytest.mark.parametrize(("start", "piece"), TARGETS)
def test_a_path_or_a_query_takes_linear_time(start: bytes, piece: bytes) -> None:
    assert_linear(send_target, start, piece)


@pytest.mark.usefixtures("_limits")
@pytest.mark.parametrize("piece", [b"\\1", b'\\"', b"a=b;", b"=", b"\\"])
def test_a_cookie_of_the_admin_takes_linear_time(piece: bytes) -> None:
    for name in (b"sessionid", b"csrftoken", b"messages"):
        start = name + b'="'
        assert_linear(
            lambda text: send_target(b"/admin/login/", headers=[(b"cookie", text)]), start, piece
        )


@pytest.mark.parametrize("piece", FORM_PIECES)
def test_a_form_takes_linear_time(client: Client, piece: str) -> None:
    for field in FIELDS:
        assert_linear(
            lambda text, field=field: client.post("/admin/login/", {field: text.decode("latin-1")}),
            b"",
            piece.encode(),
        )


@pytest.mark.parametrize("piece", ["a ", '"', "\\", '" ', "'", "a"])
def test_a_search_of_the_admin_is_bounded(admin_client: Client, piece: str) -> None:
    """The search has the longest allowed query; Django makes a condition of every word."""
    query = repeat_piece(b"", piece.encode(), limits.MAX_TARGET_BYTES // 3).decode()

    assert (
        measure_once(lambda _: admin_client.get("/admin/catalogue/post/", {"q": query}), b"") < 10
    )


def test_a_quadratic_parser_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def quadratic(request: HttpRequest) -> str:
        text = request.META.get("HTTP_X_UNKNOWN", "")
        return "".join(text[at:][:0] for at in range(0, len(text), 4))

    with pytest.raises(AssertionError):
        assert_linear(lambda text: quadratic(fake(text)), b"", b"a")


def fake(text: bytes) -> HttpRequest:
    request = HttpRequest()
    request.META["HTTP_X_UNKNOWN"] = text.decode()
    return request
