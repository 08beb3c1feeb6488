"""The headers in the OpenAPI document; each example is the header that is sent."""

import re
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from api.contract import API_VERSION, BUDGET
from api.headers import (
    BUDGET_HEADERS,
    CORS,
    DOCUMENT_CACHING,
    HEALTH_CACHING,
    NO_STORE,
    REFUSAL_CACHING,
    UNAVAILABLE_SECONDS,
)
from api.schema import EXAMPLE_ROOT
from catalogue import addresses, rules


def describe_header(
    description: str, example: str | int, *, required: bool = True, **schema: Any
) -> Any:
    kind = {"type": "integer", "minimum": 0} if isinstance(example, int) else {"type": "string"}
    return {
        "description": description,
        "required": required,
        "schema": kind | schema,
        "example": example,
    }


CACHING = "How long the response may be reused."
HEADERS = {
    "RateLimit-Policy": describe_header(
        "The request budget, a structured-field list.", BUDGET_HEADERS["RateLimit-Policy"]
    ),
    "RateLimit-Limit": describe_header("Requests in a window.", BUDGET.requests),
    "RateLimit-Remaining": describe_header(
        "The ceiling of the policy; it does not count down.", BUDGET.requests
    ),
    "RateLimit-Reset": describe_header("Seconds in a window.", BUDGET.window_seconds),
    "Retry-After": describe_header(
        "Seconds until the next request may be made.", BUDGET.window_seconds
    ),
    "Retry-After-Unavailable": describe_header(
        "Seconds until the next request may be made.", UNAVAILABLE_SECONDS
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
    "Link": describe_header(
        "Once announced: where the policy and the successor are.",
        f'<{EXAMPLE_ROOT}{addresses.VERSIONING_POLICY}>; rel="deprecation"; type="text/html"',
        required=False,
    ),
}

BUDGET_NAMES = tuple(BUDGET_HEADERS)
LIFECYCLE_NAMES = ("Deprecation", "Sunset", "Link")
ON_SUCCESS = (
    *BUDGET_NAMES,
    "API-Version",
    "Cache-Control",
    "ETag",
    "Last-Modified",
    "Access-Control-Allow-Origin",
    *LIFECYCLE_NAMES,
)
PROBLEMS: dict[HTTPStatus, tuple[str, tuple[str, ...]]] = {
    HTTPStatus.NOT_FOUND: (
        "There is no such resource.",
        ("Cache-Control-Refusal", "Access-Control-Allow-Origin", *LIFECYCLE_NAMES),
    ),
    HTTPStatus.TOO_MANY_REQUESTS: (
        "The request budget was exceeded.",
        (
            "Cache-Control-Fault",
            "Access-Control-Allow-Origin",
            *LIFECYCLE_NAMES,
            "Retry-After",
            *BUDGET_NAMES,
        ),
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: (
        "The live origin cannot ask its database at present.",
        ("Cache-Control-Fault", "Access-Control-Allow-Origin", "Retry-After-Unavailable"),
    ),
}
"""The description and the headers of each problem."""

VARIANT = re.compile("-(Health|Refusal|Fault|Unavailable)$")
"""The end of the name of a component whose header has another value with other statuses."""


def header_references(components: Iterable[str]) -> dict[str, Any]:
    """Return references to `components/headers`, by the names of headers."""
    return {VARIANT.sub("", name): {"$ref": f"#/components/headers/{name}"} for name in components}
