"""Scripts of all origins may read all responses, also errors, without credentials."""

from typing import Any

import pytest
from django.test import Client

from tests.api.conftest import Answers, Get
from tests.api.endpoints import ADDRESSES, API_ADDRESSES, BASE, each_address

pytestmark = pytest.mark.usefixtures("db", "stored_content")

ORIGINS = (
    "https://app.example",
    "http://localhost:3000",
    "null",
    "http://[",
    "https://studio.example",
)
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


def lower_case_headers(answer: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in answer.headers.items()}


def assert_is_open(answer: Any) -> None:
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert split_list(answer["Access-Control-Expose-Headers"]) == EXPOSED
    assert "Access-Control-Allow-Credentials" not in answer


def test_a_response_without_an_origin_has_the_cors_headers(stored_answers: Answers) -> None:
    for answer in stored_answers.values():
        assert_is_open(answer)


@each_address
@pytest.mark.parametrize("origin", ORIGINS)
def test_a_response_does_not_depend_on_the_origin(
    get: Get, stored_answers: Answers, addresses: tuple[str, ...], origin: str
) -> None:
    for address in addresses:
        answer = get(address, headers={"origin": origin})

        assert_is_open(answer)
        assert lower_case_headers(answer) == lower_case_headers(stored_answers[address])


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


@pytest.mark.parametrize(
    ("origin", "requested"),
    [
        *((origin, "if-none-match") for origin in ORIGINS),
        ("https://app.example", "If-Modified-Since, Accept"),
        ("https://app.example", "x-unknown"),
        ("https://app.example", ""),
    ],
)
def test_a_preflight_for_reading_is_granted(client: Client, origin: str, requested: str) -> None:
    headers = {
        "origin": origin,
        "access-control-request-method": "GET",
        "access-control-request-headers": requested,
    }
    for address in ADDRESSES:
        answer = client.options(address, headers=headers)

        assert answer.status_code == 204
        assert answer.content == b""
        assert "Content-Length" not in answer
        assert answer["Access-Control-Allow-Origin"] == "*"
        assert split_list(answer["Access-Control-Allow-Methods"]) == {"GET", "HEAD"}
        assert split_list(answer["Access-Control-Allow-Headers"]) >= {
            "If-None-Match",
            "If-Modified-Since",
            "Accept",
        }
        assert answer["Access-Control-Max-Age"] == "86400"
        assert "Access-Control-Allow-Credentials" not in answer


@pytest.mark.parametrize("method", ["DELETE", "POST", "PUT", "PATCH"])
def test_a_preflight_for_writing_is_not_granted(client: Client, method: str) -> None:
    headers = {"origin": "https://app.example", "access-control-request-method": method}
    for address in ADDRESSES:
        answer = client.options(address, headers=headers)

        assert answer.status_code == 204
        assert method not in answer["Access-Control-Allow-Methods"]
        assert answer["Allow"] == "GET, HEAD, OPTIONS"


def test_a_preflight_of_an_unknown_address_is_granted(client: Client) -> None:
    headers = {"origin": "https://app.example", "access-control-request-method": "GET"}
    known = client.options(API_ADDRESSES[0], headers=headers)
    unknown = client.options(f"{BASE}/nope", headers=headers)

    assert unknown.status_code == known.status_code == 204
    assert lower_case_headers(unknown) == lower_case_headers(known)
