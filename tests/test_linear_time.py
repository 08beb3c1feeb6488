"""The time of a request is at most linear in the size of what it sends, wherever it sends it.

Each input is given in four sizes to the origin as it is, and again without the limits on its
size, so that no parser behind them is quadratic either.
"""

import time
from collections.abc import Callable

import pytest
from django.http import HttpRequest
from django.test import Client
from rest_framework.settings import api_settings

from site_mirror import limits
from tests.requested import ask
from tests.rows import make_page

SIZES = (1_000, 10_000, 100_000, 400_000)
RUNS = 2
GROWTH = 4 * 3
"""From 100 to 400 kB a linear time grows fourfold; three times that is slack for a busy machine."""
UNNOTICED = 0.05
"""Seconds below which a growth is noise."""
LONGEST = 3.0
"""Seconds that no request takes."""

Send = Callable[[bytes], object]

HEADERS = (
    *(b"accept", b"accept-encoding", b"accept-language", b"if-none-match", b"if-match"),
    *(b"if-modified-since", b"if-unmodified-since", b"if-range", b"range", b"cookie", b"host"),
    *(b"origin", b"access-control-request-method", b"access-control-request-headers"),
    *(b"x-forwarded-for", b"x-forwarded-proto", b"forwarded", b"referer", b"authorization"),
    *(b"content-type", b"transfer-encoding", b"user-agent", b"x-unknown"),
)
WORST = (
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
IN_A_FORM = ("a", "\\", "%ff", "é", "&x=", "\r\n", "<", '"', "ﷺ", "  ")


@pytest.fixture(autouse=True)
def content(db: None) -> None:
    make_page()
    ask(b"/")  # The first request of a process imports and compiles.


@pytest.fixture(params=[True, False], ids=["limited", "unlimited"])
def _limits(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not request.param:
        for name in ("HEADERS", "REQUEST_TARGET"):
            monkeypatch.setattr(limits, name, 10**9)


def filled(start: bytes, piece: bytes, size: int) -> bytes:
    return (start + piece * (size // len(piece) + 1))[:size]


def seconds(send: Send, text: bytes) -> float:
    """The shortest of several runs: the others waited for something else."""
    return min(one_run(send, text) for _ in range(RUNS))


def one_run(send: Send, text: bytes) -> float:
    begun = time.perf_counter()
    send(text)
    return time.perf_counter() - begun


def assert_linear(send: Send, start: bytes, piece: bytes) -> None:
    """A time that is not noticed at the largest size has no growth to judge."""
    found = {size: seconds(send, filled(start, piece, size)) for size in (SIZES[1], SIZES[-1])}
    assert max(found.values()) < LONGEST, (start, piece, found)
    if found[SIZES[-1]] > UNNOTICED:
        times = [seconds(send, filled(start, piece, size)) for size in SIZES]
        assert times[-1] < UNNOTICED or times[-1] / times[-2] < GROWTH, (start, piece, times)


@pytest.mark.usefixtures("_limits")
@pytest.mark.parametrize("name", HEADERS, ids=bytes.decode)
def test_a_header_takes_linear_time(monkeypatch: pytest.MonkeyPatch, name: bytes) -> None:
    monkeypatch.setattr(api_settings, "NUM_PROXIES", 1)
    path = b"/" if name in (b"accept", b"cookie") else b"/api/v1/health"
    for start, piece in WORST:
        assert_linear(lambda text: ask(path, headers=[(name, text)]), start, piece)


@pytest.mark.parametrize("name", [b"accept", b"cookie", b"host", b"x-forwarded-for"])
def test_a_header_of_many_lines_takes_linear_time(name: bytes) -> None:
    assert_linear(lambda text: ask(b"/", headers=[(name, b"a")] * (len(text) // 10)), b"", b"a")


@pytest.mark.usefixtures("_limits")
@pytest.mark.parametrize(("start", "piece"), TARGETS)
def test_a_path_or_a_query_takes_linear_time(start: bytes, piece: bytes) -> None:
    assert_linear(ask, start, piece)


@pytest.mark.usefixtures("_limits")
@pytest.mark.parametrize("piece", [b"\\1", b'\\"', b"a=b;", b"=", b"\\"])
def test_a_cookie_of_the_admin_takes_linear_time(piece: bytes) -> None:
    for name in (b"sessionid", b"csrftoken", b"messages"):
        start = name + b'="'
        assert_linear(lambda text: ask(b"/admin/login/", headers=[(b"cookie", text)]), start, piece)


@pytest.mark.parametrize("piece", IN_A_FORM)
def test_a_form_takes_linear_time(client: Client, piece: str) -> None:
    for field in FIELDS:
        assert_linear(
            lambda text, field=field: client.post("/admin/login/", {field: text.decode("latin-1")}),
            b"",
            piece.encode(),
        )


@pytest.mark.parametrize("piece", ["a ", '"', "\\", '" ', "'", "a"])
def test_a_search_of_the_admin_is_bounded(admin_client: Client, piece: str) -> None:
    """The longest query that the origin takes; Django makes a condition of every word."""
    query = filled(b"", piece.encode(), limits.REQUEST_TARGET // 3).decode()

    assert one_run(lambda _: admin_client.get("/admin/catalogue/post/", {"q": query}), b"") < 10


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
