"""Scripts of all origins may read all responses, also errors, without credentials."""

import pytest
from django.test import Client

from tests.api.endpoints import ADDRESSES, BASE

pytestmark = pytest.mark.usefixtures("db", "stored_content")

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


@pytest.mark.parametrize(
    ("address", "method", "condition", "status"),
    [
        *((address, "GET", {}, 200) for address in ADDRESSES),
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
def test_scripts_may_read_every_response(
    client: Client, address: str, method: str, condition: dict[str, str], status: int
) -> None:
    answer = client.generic(method, address, headers=condition)

    assert answer.status_code == status
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert set(answer["Access-Control-Expose-Headers"].split(", ")) == EXPOSED
    assert "Access-Control-Allow-Credentials" not in answer


@pytest.mark.parametrize("headers", PREFLIGHTS, ids=len)
def test_options_grants_reading_only(client: Client, headers: dict[str, str]) -> None:
    for address in (*ADDRESSES, f"{BASE}/nope"):
        answer = client.options(address, headers=headers | {"origin": "https://app.example"})

        assert (answer.status_code, answer.content) == (204, b"")
        assert not {"Content-Length", "Content-Type"} & set(answer.headers)
        assert answer["Access-Control-Allow-Origin"] == "*"
        assert answer["Allow"] == "GET, HEAD, OPTIONS"
        assert answer["Access-Control-Allow-Methods"] == "GET, HEAD"
        assert set(answer["Access-Control-Allow-Headers"].split(", ")) == GRANTED
        assert answer["Access-Control-Max-Age"] == "86400"
