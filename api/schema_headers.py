"""The headers in the OpenAPI document; each example is the header that is sent."""

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


def describe_header(description: str, example: str, *, required: bool = True, **schema: Any) -> Any:
    return {
        "description": description,
        "required": required,
        "schema": {"type": "string", **schema},
        "example": example,
    }


def describe_number(description: str, example: str) -> Any:
    number = {"type": "integer", "minimum": 0}
    return {
        "description": description,
        "required": True,
        "schema": number,
        "example": int(example),
    }


def header_components(site: Site) -> dict[str, Any]:
    """Return `components/headers` of the document."""
    policy = site.url(addresses.VERSIONING_POLICY)
    announcement = f'<{policy}>; rel="deprecation"; type="text/html"'
    return HEADERS | {"Link": describe_header(LINK, announcement, required=False)}


LINK = "Once announced: where the policy and the successor are."
CACHING = "How long the response may be reused."
HEADERS = {
    "RateLimit-Policy": describe_header(
        "The request budget, a structured-field list.", BUDGET_HEADERS["RateLimit-Policy"]
    ),
    "RateLimit-Limit": describe_number("Requests in a window.", BUDGET_HEADERS["RateLimit-Limit"]),
    "RateLimit-Remaining": describe_number(
        "The ceiling of the policy; it does not count down.", BUDGET_HEADERS["RateLimit-Remaining"]
    ),
    "RateLimit-Reset": describe_number("Seconds in a window.", BUDGET_HEADERS["RateLimit-Reset"]),
    "Retry-After": describe_number(
        "Seconds until the next request may be made.", BUDGET_HEADERS["RateLimit-Reset"]
    ),
    "Retry-After-Unavailable": describe_number(
        "Seconds until the next request may be made.", str(UNAVAILABLE_SECONDS)
    ),
    "API-Version": describe_header(
        "The semantic version of the contract.", API_VERSION, pattern=rules.SEMANTIC_VERSION
    ),
    "Cache-Control": describe_header(CACHING, DOCUMENT_CACHING["Cache-Control"]),
    "Cache-Control-Health": describe_header(
        "How long the response of the health check may be reused.", HEALTH_CACHING["Cache-Control"]
    ),
    "Cache-Control-Refusal": describe_header(CACHING, REFUSAL_CACHING["Cache-Control"]),
    "Cache-Control-Fault": describe_header(CACHING, NO_STORE["Cache-Control"]),
    "ETag": describe_header(
        "A strong validator for If-None-Match.", '"e9fa0b7a147172ec64561558f69f6d61"'
    ),
    "Last-Modified": describe_header(
        "When the content last changed.", "Sun, 01 Nov 2026 00:00:00 GMT"
    ),
    "Access-Control-Allow-Origin": describe_header(
        "Every origin may read it.", CORS["Access-Control-Allow-Origin"], enum=["*"]
    ),
    "Deprecation": describe_header(
        "Once announced: from when this version is deprecated (RFC 9745).",
        "@1798761600",
        required=False,
    ),
    "Sunset": describe_header(
        "Once announced: when this version stops answering (RFC 8594).",
        "Wed, 30 Jun 2027 23:59:59 GMT",
        required=False,
    ),
}

LIFECYCLE_HEADER_NAMES = ("Deprecation", "Sunset", "Link")
BUDGET_HEADER_NAMES = (
    "RateLimit-Policy",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
)
ON_SUCCESS = (
    *BUDGET_HEADER_NAMES,
    "API-Version",
    "Cache-Control",
    "ETag",
    "Last-Modified",
    "Access-Control-Allow-Origin",
    *LIFECYCLE_HEADER_NAMES,
)
ON_EVERY_PROBLEM = ("Cache-Control", "Access-Control-Allow-Origin")
ON_RATE_LIMIT = ("Retry-After", *BUDGET_HEADER_NAMES)

HEALTH_VARIANTS = {"Cache-Control": "Cache-Control-Health"}
PROBLEM_VARIANTS = {
    HTTPStatus.NOT_FOUND: {"Cache-Control": "Cache-Control-Refusal"},
    HTTPStatus.TOO_MANY_REQUESTS: {"Cache-Control": "Cache-Control-Fault"},
    HTTPStatus.SERVICE_UNAVAILABLE: {
        "Cache-Control": "Cache-Control-Fault",
        "Retry-After": "Retry-After-Unavailable",
    },
}
"""The names in `components/headers` of headers whose value depends on the status."""
