"""Each document has one canonical address, to which other forms of it redirect."""

from urllib.parse import urlsplit

import pytest

from tests.api.conftest import Get
from tests.api.endpoints import ADDRESSES, API_ADDRESSES, BASE, ENDPOINTS, ROOT, Endpoint
from tests.api.wsgi_client import call_application

pytestmark = pytest.mark.usefixtures("content")

FORMS = ("{0}/", "{0}//", "/{0}", "//{0}/", "{0}///")


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=str)
def test_an_alias_has_the_same_bytes_and_headers(get: Get, endpoint: Endpoint) -> None:
    document, alias = get(endpoint.example), get(endpoint.alias)

    assert alias.status_code == 200
    assert alias.content == document.content
    assert dict(alias.headers) == dict(document.headers)


def test_the_index_answers_with_and_without_its_slash(get: Get) -> None:
    assert get(BASE).status_code == get(f"{BASE}/").status_code == 200
    assert get(BASE).content == get(f"{BASE}/").content


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


HOSTILE = (
    "//evil.example/",
    "///evil.example//",
    "/\\evil.example/",
    "\\\\evil.example/",
    "/\\/evil.example/",
    "/\t/evil.example/",
    "/\r\nLocation: https://evil.example/",
    "/.//evil.example/",
    "/@evil.example/",
    "/%2F%2Fevil.example/",
    "//evil.example/%2e%2e/",
    "//user@evil.example/api/v1/apps/",
    "/https://evil.example/",
    "https://evil.example/",
    "http://evil.example//",
    "javascript:alert(1)//",
    "//evil.example/api/v1/apps/",
)


@pytest.mark.parametrize("path", HOSTILE)
def test_a_redirect_never_leaves_the_site(path: str) -> None:
    answer = call_application("GET", path)
    location = answer.headers.get("location", ROOT)

    assert answer.status in (308, 404)
    assert location == ROOT or location.startswith(f"{ROOT}/")
    assert urlsplit(location).hostname == "studio.example"
    assert not location.removeprefix(ROOT).startswith("//")
    assert not set("\r\n\t\\") & set(location)


def test_the_root_of_all_versions_is_a_problem(get: Get) -> None:
    answer = get("/api")

    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"
