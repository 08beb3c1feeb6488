"""Scripts of all origins may read all responses, also errors, without credentials."""

from typing import Any

import pytest
from django.test import Client

from tests.api.conftest import Answers, Get
from tests.api.endpoints import ADDRESSES, BASE

pytestmark = pytest.mark.usefixtures("db", "stored_content")

ORIGINS = ("https://app.example", "null", "http://[", "https://studio.example")
EXPOSED = {
    *("RateLimit-Policy", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"),
    *("Retry-After", "API-Version", "ETag", "Link", "Deprecation", "Sunset"),
}
GRANTED = {"Accept", "Accept-Language", "If-Modified-Since", "If-None-Match"}
PREFLIGHTS = [
    {},
    {"access-control-request-method": "GET", "access-control-request-headers": "if-none-match"},
    {"access-control-request-method": "DELETE", "access-control-request-headers": "x-unknown"},
]


def assert_is_open(answer: Any) -> None:
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert set(answer["Access-Control-Expose-Headers"].split(", ")) == EXPOSED
    assert "Access-Control-Allow-Credentials" not in answer


def test_a_response_has_the_same_headers_with_and_without_an_origin(
    get: Get, stored_answers: Answers
) -> None:
    for address, plain in stored_answers.items():
        assert_is_open(plain)
        for origin in ORIGINS:
            assert dict(get(address, headers={"origin": origin}).headers) == dict(plain.headers)


@pytest.mark.parametrize("origin", ["", "https://app.example", "null"])
@pytest.mark.parametrize(
    ("address", "method", "condition", "status"),
    [
        (f"{BASE}/apps", "GET", {"if-none-match": "*"}, 304),
        (f"{BASE}/nope", "GET", {}, 404),
        (f"{BASE}/apps/nope", "HEAD", {}, 404),
        (f"{BASE}/apps", "POST", {}, 405),
        (f"{BASE}/apps", "GET", {"if-match": '"x"'}, 412),
        (f"{BASE}/apps", "GET", {"host": "evil.example"}, 400),
        (f"{BASE}/apps/", "GET", {}, 308),
        (f"{BASE}/apps", "OPTIONS", {}, 204),
    ],
)
def test_every_other_response_has_the_cors_headers(
    client: Client, address: str, method: str, condition: dict[str, str], status: int, origin: str
) -> None:
    headers = condition | ({"origin": origin} if origin else {})
    answer = client.generic(method, address, headers=headers)

    assert answer.status_code == status
    assert_is_open(answer)


@pytest.mark.parametrize("headers", PREFLIGHTS, ids=len)
def test_options_grants_reading_only(client: Client, headers: dict[str, str]) -> None:
    for address in (*ADDRESSES, f"{BASE}/nope"):
        answer = client.options(address, headers=headers | {"origin": "https://app.example"})

        assert (answer.status_code, answer.content) == (204, b"")
        assert not {"Content-Length", "Content-Type"} & set(answer.headers)
        assert_is_open(answer)
        assert answer["Allow"] == "GET, HEAD, OPTIONS"
        assert answer["Access-Control-Allow-Methods"] == "GET, HEAD"
        assert set(answer["Access-Control-Allow-Headers"].split(", ")) == GRANTED
        assert answer["Access-Control-Max-Age"] == "86400"
