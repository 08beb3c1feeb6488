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
    ("path", "query", "location"),
    [
        ("/api/v1//apps", "", "/api/v1/apps"),
        ("/api//v1/apps/full-app", "", "/api/v1/apps/full-app"),
        ("/api/v1/apps//full-app/", "", "/api/v1/apps/full-app"),
        ("/api/v1//", "", "/api/v1/"),
        ("//api//v12//", "", "/api/v12/"),
        ("/api/v0/", "", "/api/v0"),
        ("/api/v2x/", "", "/api/v2x"),
        ("/api/", "", "/api"),
        ("/api/v1/apps/", "a=1&b=%2F&x=%C3%A9", "/api/v1/apps?a=1&b=%2F&x=%C3%A9"),
        ("/api/v1/apps/", "next=//evil.example", "/api/v1/apps?next=//evil.example"),
    ],
)
def test_a_redirect_has_single_slashes_and_the_query(path: str, query: str, location: str) -> None:
    answer = call_application("GET", path, QUERY_STRING=query)

    assert (answer.status, answer.headers["location"]) == (308, ROOT + location)


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
