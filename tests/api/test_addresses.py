"""Each document has one canonical address, to which other forms of it redirect."""

from urllib.parse import urlsplit

import pytest

from tests.api.conftest import Get
from tests.api.endpoints import ADDRESSES, API_ADDRESSES, BASE, ROOT
from tests.api.wsgi_client import call_application

pytestmark = pytest.mark.usefixtures("content")

FORMS = ("{0}/", "{0}//", "/{0}", "//{0}/", "{0}///")


@pytest.mark.parametrize("form", FORMS)
def test_another_slash_form_leads_to_the_canonical_one(form: str) -> None:
    for address in ADDRESSES:
        canonical = address if address == f"{BASE}/" else address.rstrip("/")
        expected = f"{BASE}/" if address.rstrip("/") == BASE and form.endswith("/") else canonical
        path = form.format(address)
        if path == expected:
            continue
        answer = call_application("GET", path)

        assert answer.status == 308
        assert answer.headers["location"] == ROOT + expected
        assert answer.body == b""
        assert "content-type" not in answer.headers


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/api/v1//apps", "/api/v1/apps"),
        ("/api//v1/apps/full-app", "/api/v1/apps/full-app"),
        ("/api/v1/apps//full-app/", "/api/v1/apps/full-app"),
        ("/api/v1//", "/api/v1/"),
    ],
)
def test_double_slashes_inside_lead_to_the_canonical_address(path: str, location: str) -> None:
    answer = call_application("GET", path)

    assert (answer.status, answer.headers["location"]) == (308, ROOT + location)


@pytest.mark.parametrize("query", ["a=1", "a=1&b=%2F", "x=%C3%A9", "next=//evil.example"])
def test_a_redirect_keeps_the_query(query: str) -> None:
    answer = call_application("GET", f"{BASE}/apps/", QUERY_STRING=query)

    assert answer.headers["location"] == f"{ROOT}{BASE}/apps?{query}"


def test_an_upper_case_address_is_unknown(get: Get) -> None:
    paths = [address.removeprefix(BASE).rstrip("/") for address in API_ADDRESSES]
    upper_case = [BASE + path.upper() for path in paths if path] + [BASE.upper()]

    assert {path: get(path).status_code for path in upper_case} == dict.fromkeys(upper_case, 404)


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example/",
        "/\\evil.example/",
        "/\t/evil.example/",
        "/\r\nLocation: https://evil.example/",
        "/.//evil.example/",
        "/%2F%2Fevil.example/",
        "//user@evil.example/api/v1/apps/",
        "https://evil.example/",
        "javascript:alert(1)//",
    ],
)
def test_a_redirect_never_leaves_the_site(path: str) -> None:
    answer = call_application("GET", path)
    location = answer.headers.get("location", f"{ROOT}/")

    assert answer.status in (308, 404)
    assert location.startswith(f"{ROOT}/")
    assert urlsplit(location).hostname == "studio.example"
    assert not location.removeprefix(ROOT).startswith("//")
    assert not set("\r\n\t\\") & set(location)


LONG_TEXT = "x" * 8192
ODD_PATHS = (
    "\x00",
    "apps/\xff\xfe",
    "apps/\xc3\xa9",
    f"apps/{LONG_TEXT}",
    f"apps/{'a/' * 4096}",
    "apps/..",
    "../../etc/passwd",
    "apps/%2F",
    "apps/full-app%00",
    "apps/full-app;jsessionid=1",
    "apps/full-app\r\nX-Injected: 1",
    " apps",
    "apps\\full-app",
    "apps/<script>alert(1)</script>",
    "apps/{appId}",
    "apps/'; DROP TABLE catalogue_app;--",
    ".json",
)


@pytest.mark.parametrize("path", ODD_PATHS, ids=lambda path: ascii(path)[:40])
def test_an_odd_path_is_a_problem_or_a_redirect(path: str) -> None:
    answer = call_application("GET", f"{BASE}/{path}")

    assert answer.status in (308, 404)
    assert answer.headers.get("content-type") in (None, "application/problem+json")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "x-injected" not in answer.headers
    assert answer.headers.get("location", "").isascii()
    assert answer.headers.get("location", "").isprintable()
    instance = answer.body.partition(b'"instance":')[2]
    assert instance.isascii()
    assert not set(b"<>\x00\\") & set(instance)


@pytest.mark.parametrize("query", ["\x00", "\xff", LONG_TEXT, "a=<script>", "%", "a\r\nX-In: 1"])
def test_an_odd_query_changes_no_response(query: str) -> None:
    known = call_application("GET", f"{BASE}/apps", QUERY_STRING=query)
    unknown = call_application("GET", f"{BASE}/nope", QUERY_STRING=query)

    assert known == call_application("GET", f"{BASE}/apps")
    assert unknown.status == 404
    assert unknown.body.isascii()
    assert b"<" not in unknown.body
