"""The API is read-only: responses to HEAD, OPTIONS and all other methods."""

import pytest
from django.test import Client

from tests.api.endpoints import ADDRESSES, API_ADDRESSES, BASE, OPENAPI, each_address
from tests.api.wsgi_client import call_application

pytestmark = pytest.mark.usefixtures("db", "stored_content")

OTHER_METHODS = ("POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "BREW", "PROPFIND")
ALLOW = "GET, HEAD, OPTIONS"


@pytest.mark.parametrize("method", OTHER_METHODS)
def test_a_method_that_writes_is_a_problem_with_allow(client: Client, method: str) -> None:
    for address in API_ADDRESSES:
        answer = client.generic(method, address, b'{"x":1}', content_type="application/json")

        assert answer.status_code == 405
        assert answer["Content-Type"] == "application/problem+json"
        assert answer["Allow"] == ALLOW
        assert answer["Cache-Control"] == "max-age=60"
        assert answer["Access-Control-Allow-Origin"] == "*"
        assert (answer.json()["status"], answer.json()["title"]) == (405, "Method Not Allowed")


@pytest.mark.parametrize("method", OTHER_METHODS)
def test_a_method_that_writes_to_the_openapi_document_is_a_405_with_allow(
    client: Client, method: str
) -> None:
    answer = client.generic(method, OPENAPI)

    assert answer.status_code == 405
    assert answer["Allow"] == ALLOW
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "html" not in answer["Content-Type"]


@pytest.mark.parametrize("method", OTHER_METHODS)
def test_a_method_that_writes_to_an_unknown_address_is_a_problem(
    client: Client, method: str
) -> None:
    answer = client.generic(method, f"{BASE}/nope")

    assert answer.status_code == 405
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    "disguise",
    [{"x-http-method-override": "DELETE"}, {"x-http-method": "PUT"}, {"x-method-override": "POST"}],
)
def test_a_header_does_not_override_the_method(client: Client, disguise: dict[str, str]) -> None:
    assert client.get(f"{BASE}/apps", headers=disguise).status_code == 200
    assert client.post(f"{BASE}/apps", {"_method": "GET"}, headers=disguise).status_code == 405


def test_a_form_from_another_site_is_a_405() -> None:
    client = Client(enforce_csrf_checks=True, headers={"host": "studio.example"})
    answer = client.post(f"{BASE}/apps", {"name": "x"}, headers={"origin": "https://evil.example"})

    assert answer.status_code == 405
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("address", ADDRESSES)
def test_options_has_allow_and_no_body(address: str) -> None:
    answer = call_application("OPTIONS", address)

    assert answer.status == 204
    assert answer.body == b""
    assert answer.headers["allow"] == ALLOW
    assert "content-length" not in answer.headers
    assert "content-type" not in answer.headers


@each_address
@pytest.mark.parametrize("encoding", ["", "gzip", "br"])
def test_head_is_get_without_the_body(addresses: tuple[str, ...], encoding: str) -> None:
    for address in addresses:
        get = call_application("GET", address, HTTP_ACCEPT_ENCODING=encoding)
        head = call_application("HEAD", address, HTTP_ACCEPT_ENCODING=encoding)

        assert head.body == b""
        assert (head.status, head.headers) == (get.status, get.headers)
        assert head.headers["content-length"] == str(len(get.body))


@pytest.mark.parametrize("address", [f"{BASE}/nope", f"{BASE}/apps/", f"{BASE}/apps/nope", OPENAPI])
def test_head_of_another_address_is_get_without_the_body(address: str) -> None:
    get, head = call_application("GET", address), call_application("HEAD", address)

    assert head.body == b""
    assert (head.status, head.headers) == (get.status, get.headers)
