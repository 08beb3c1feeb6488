"""Scripts of all origins may read all responses, also errors, without credentials."""

from typing import Any

import pytest
from django.test import Client

from tests.api.conftest import Answers, Get
from tests.api.endpoints import ADDRESSES, BASE

pytestmark = pytest.mark.usefixtures("db", "stored_content")

ORIGINS = ("https://app.example", "null", "http://[", "https://studio.example")
EXPOSED = {
    "RateLimit-Policy",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "Retry-After",
    "API-Version",
    "ETag",
    "Link",
    "Deprecation",
    "Sunset",
}


def split_list(value: str) -> set[str]:
    return {word.strip() for word in value.split(",")}


def assert_is_open(answer: Any) -> None:
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert split_list(answer["Access-Control-Expose-Headers"]) == EXPOSED
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


@pytest.mark.parametrize("requested", ["if-none-match", "If-Modified-Since, Accept", "x-unknown"])
@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_a_preflight_grants_reading_only(client: Client, method: str, requested: str) -> None:
    headers = {
        "origin": "https://app.example",
        "access-control-request-method": method,
        "access-control-request-headers": requested,
    }
    for address in (*ADDRESSES, f"{BASE}/nope"):
        answer = client.options(address, headers=headers)

        assert (answer.status_code, answer.content) == (204, b"")
        assert "Content-Length" not in answer
        assert_is_open(answer)
        assert answer["Allow"] == "GET, HEAD, OPTIONS"
        assert split_list(answer["Access-Control-Allow-Methods"]) == {"GET", "HEAD"}
        assert split_list(answer["Access-Control-Allow-Headers"]) >= {
            "If-None-Match",
            "If-Modified-Since",
            "Accept",
        }
        assert answer["Access-Control-Max-Age"] == "86400"
