"""The headers of every 200, on every address."""

from typing import Any

import http_sf
import pytest

from tests.api.conftest import Answers
from tests.api.endpoints import ADDRESSES, API_ADDRESSES, BASE, SAMPLE

HEALTH_ADDRESSES = (f"{BASE}/health", f"{BASE}/health.json")
COMMON_HEADERS = {
    "Content-Type": "application/json",
    "RateLimit-Policy": '"default";q=600;w=60',
    "RateLimit-Limit": "600",
    "RateLimit-Remaining": "600",
    "RateLimit-Reset": "60",
    "API-Version": "1.0.0",
    "Vary": "Accept-Encoding",
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
}
CACHING = {
    "Cache-Control": "max-age=300, stale-while-revalidate=3600, stale-if-error=86400",
    "CDN-Cache-Control": "max-age=3600, stale-while-revalidate=86400, stale-if-error=604800",
}
ABSENT_HEADERS = {
    "Accept-Ranges",
    "Access-Control-Allow-Credentials",
    "Allow",
    "Content-Encoding",
    "Content-Disposition",
    "Deprecation",
    "Link",
    "Set-Cookie",
    "Sunset",
    "X-Powered-By",
}
CDN_CACHING = [("max-age", 3600), ("stale-while-revalidate", 86400), ("stale-if-error", 604800)]
STRUCTURED = [
    ("RateLimit-Policy", "list", [("default", {"q": 600, "w": 60})]),
    ("RateLimit-Limit", "item", (600, {})),
    ("RateLimit-Remaining", "item", (600, {})),
    ("RateLimit-Reset", "item", (60, {})),
    ("CDN-Cache-Control", "dictionary", {name: (value, {}) for name, value in CDN_CACHING}),
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_is_a_200_with_the_headers_of_the_contract(
    stored_answers: Answers, address: str
) -> None:
    answer = stored_answers[address]
    caching = {"Cache-Control": "max-age=10"} if address in HEALTH_ADDRESSES else CACHING

    assert answer.status_code == 200
    assert (COMMON_HEADERS | caching).items() <= answer.headers.items()
    assert ("CDN-Cache-Control" in answer) == ("CDN-Cache-Control" in caching)
    assert ABSENT_HEADERS & set(answer.headers) == set()
    assert answer["Content-Length"] == str(len(answer.content))
    assert not answer.cookies


@pytest.mark.parametrize(("name", "kind", "value"), STRUCTURED)
def test_headers_of_budget_and_cdns_are_structured_fields(
    stored_answers: Answers, name: str, kind: str, value: Any
) -> None:
    for address in SAMPLE[:-1]:
        assert http_sf.parse(stored_answers[address][name].encode(), tltype=kind) == value


def test_the_header_and_the_body_name_the_same_version(stored_answers: Answers) -> None:
    for address in API_ADDRESSES:
        body = stored_answers[address].json()
        assert body.get("meta", body)["apiVersion"] == stored_answers[address]["API-Version"]
