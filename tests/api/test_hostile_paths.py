"""Hostile paths, hosts and queries below `/api/` get JSON and never an error of the server."""

import pytest

from tests.api.endpoints import BASE
from tests.api.wsgi_client import Answer, call_application

pytestmark = pytest.mark.usefixtures("content")

LONG_TEXT = "x" * 8192
PATHS = (
    "\x00",
    "apps/\x00",
    "apps/full-app\x00",
    "\xff",
    "apps/\xff\xfe",
    "apps/\xc3\x28",
    "apps/\xed\xa0\x80",
    "apps/\xc3\xa9",
    LONG_TEXT,
    f"apps/{LONG_TEXT}",
    f"posts/{LONG_TEXT}",
    f"apps/{'a/' * 4096}",
    "/".join(["apps"] * 2000),
    "apps/.",
    "apps/..",
    "apps/../apps",
    "../../etc/passwd",
    "apps/....//....//etc/passwd",
    "apps/%2e%2e",
    "apps/%2F",
    "apps%2Ffull-app",
    "apps/full-app%00",
    "apps;x=1",
    "apps/full-app;jsessionid=1",
    "apps:80",
    "apps/full-app\n",
    "apps/full-app\r\nX-Injected: 1",
    "apps/full-app ",
    " apps",
    "apps\t",
    "apps\\full-app",
    "apps/<script>alert(1)</script>",
    "apps/{appId}",
    "apps/%7BappId%7D",
    "apps/'; DROP TABLE catalogue_app;--",
    "apps/*",
    "apps/?",
    "apps/#",
    "apps/-",
    "apps/٣",
    ".json",
    "apps/.json",
    "apps/full-app.JSON",
)


def get_path(path: str, **environ: str) -> Answer:
    """Get a path; a server passes its bytes as Latin-1 characters (PEP 3333)."""
    raw = (
        path if all(ord(character) < 256 for character in path) else path.encode().decode("latin-1")
    )
    return call_application("GET", f"{BASE}/{raw}", **environ)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: ascii(path)[:40])
def test_a_hostile_path_is_a_404_or_a_redirect(path: str) -> None:
    answer = get_path(path)

    assert answer.status in (308, 404)
    assert answer.headers.get("content-type") in (None, "application/problem+json")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "x-injected" not in answer.headers
    assert_printable_ascii(answer)


def assert_printable_ascii(answer: Answer) -> None:
    location = answer.headers.get("location", "")
    instance = answer.body.partition(b'"instance":')[2]

    assert location.isascii()
    assert location.isprintable()
    assert instance.isascii()
    assert not set(b"<>\x00\\") & set(instance)


@pytest.mark.parametrize(
    "host", ["evil.example", "", "[::1", "a\x00b", "studio.example:x", LONG_TEXT]
)
def test_a_hostile_host_is_a_400(host: str) -> None:
    for path in ("", "apps", "nope", "apps/\xff"):
        answer = get_path(path, HTTP_HOST=host)

        assert answer.status == 400
        assert answer.headers["content-type"] == "application/problem+json"
        assert b"evil" not in answer.body


@pytest.mark.parametrize(
    "query", ["\x00", "\xff", LONG_TEXT, "a=<script>", "%", "a\r\nX-Injected: 1"]
)
def test_a_hostile_query_changes_no_response(query: str) -> None:
    known, unknown = get_path("apps", QUERY_STRING=query), get_path("nope", QUERY_STRING=query)

    assert known == get_path("apps")
    assert unknown.status == 404
    assert unknown.body.isascii()
    assert b"<" not in unknown.body
