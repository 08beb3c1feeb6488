"""What the OpenAPI document says of the headers; each example is the header that is sent."""

from http import HTTPStatus
from typing import Any

from api.contract import API_VERSION
from api.headers import (
    BUDGET_HEADERS,
    CORS,
    DOCUMENT_CACHING,
    HEALTH_CACHING,
    NO_STORE,
    REFUSAL_CACHING,
    UNAVAILABLE_SECONDS,
)
from catalogue import addresses, rules
from catalogue.addresses import Site


def header(description: str, example: str, *, required: bool = True, **schema: Any) -> Any:
    return {
        "description": description,
        "required": required,
        "schema": {"type": "string", **schema},
        "example": example,
    }


def counted(description: str, example: str) -> Any:
    number = {"type": "integer", "minimum": 0}
    return {
        "description": description,
        "required": True,
        "schema": number,
        "example": int(example),
    }


def headers(site: Site) -> dict[str, Any]:
    """The document's `components/headers`."""
    policy = site.url(addresses.VERSIONING_POLICY)
    announcement = f'<{policy}>; rel="deprecation"; type="text/html"'
    return HEADERS | {"Link": header(LINK, announcement, required=False)}


LINK = "Once announced: where the policy and the successor are."
CACHING = "How long the response may be reused."
HEADERS = {
    "RateLimit-Policy": header(
        "The request budget, a structured-field list.", BUDGET_HEADERS["RateLimit-Policy"]
    ),
    "RateLimit-Limit": counted("Requests in a window.", BUDGET_HEADERS["RateLimit-Limit"]),
    "RateLimit-Remaining": counted(
        "The ceiling of the policy; it does not count down.", BUDGET_HEADERS["RateLimit-Remaining"]
    ),
    "RateLimit-Reset": counted("Seconds in a window.", BUDGET_HEADERS["RateLimit-Reset"]),
    "Retry-After": counted(
        "Seconds until the next request may be made.", BUDGET_HEADERS["RateLimit-Reset"]
    ),
    "Retry-After-Unavailable": counted(
        "Seconds until the next request may be made.", str(UNAVAILABLE_SECONDS)
    ),
    "API-Version": header(
        "The semantic version of the contract.", API_VERSION, pattern=rules.SEMANTIC_VERSION
    ),
    "Cache-Control": header(CACHING, DOCUMENT_CACHING["Cache-Control"]),
    "Cache-Control-Health": header(
        "How long the response of the health check may be reused.", HEALTH_CACHING["Cache-Control"]
    ),
    "Cache-Control-Refusal": header(CACHING, REFUSAL_CACHING["Cache-Control"]),
    "Cache-Control-Fault": header(CACHING, NO_STORE["Cache-Control"]),
    "ETag": header("A strong validator for If-None-Match.", '"e9fa0b7a147172ec64561558f69f6d61"'),
    "Last-Modified": header("When the content last changed.", "Sun, 01 Nov 2026 00:00:00 GMT"),
    "Access-Control-Allow-Origin": header(
        "Every origin may read it.", CORS["Access-Control-Allow-Origin"], enum=["*"]
    ),
    "Deprecation": header(
        "Once announced: from when this version is deprecated (RFC 9745).",
        "@1798761600",
        required=False,
    ),
    "Sunset": header(
        "Once announced: when this version stops answering (RFC 8594).",
        "Wed, 30 Jun 2027 23:59:59 GMT",
        required=False,
    ),
}

LIFECYCLE = ("Deprecation", "Sunset", "Link")
BUDGET = ("RateLimit-Policy", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
ON_SUCCESS = (
    *BUDGET,
    "API-Version",
    "Cache-Control",
    "ETag",
    "Last-Modified",
    "Access-Control-Allow-Origin",
    *LIFECYCLE,
)
ON_EVERY_PROBLEM = ("Cache-Control", "Access-Control-Allow-Origin")
ON_RATE_LIMIT = ("Retry-After", *BUDGET)

HEALTH_VARIANTS = {"Cache-Control": "Cache-Control-Health"}
PROBLEM_VARIANTS = {
    HTTPStatus.NOT_FOUND: {"Cache-Control": "Cache-Control-Refusal"},
    HTTPStatus.TOO_MANY_REQUESTS: {"Cache-Control": "Cache-Control-Fault"},
    HTTPStatus.SERVICE_UNAVAILABLE: {
        "Cache-Control": "Cache-Control-Fault",
        "Retry-After": "Retry-After-Unavailable",
    },
}
"""Headers whose value is another with a status: their names in `components/headers`."""
