"""The headers of every 200, on every address."""

import pytest

from api.contract import API_VERSION
from tests.api.conftest import Answers
from tests.api.endpoints import ADDRESSES, BASE

HEALTH_ADDRESSES = (f"{BASE}/health", f"{BASE}/health.json")
COMMON_HEADERS = {
    "Content-Type": "application/json",
    "RateLimit-Policy": '"default";q=600;w=60',
    "RateLimit-Limit": "600",
    "RateLimit-Remaining": "600",
    "RateLimit-Reset": "60",
    "API-Version": API_VERSION,
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
