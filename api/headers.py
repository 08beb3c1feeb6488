"""The headers of the API, as pure functions of a status.

Sources: contract "Limits" and "Versioning"; RFC 9110, 9111, 5861, 9213, 9745, 8594; WHATWG Fetch.
"""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http import HTTPStatus

from api.contract import API_VERSION, BUDGET

Headers = dict[str, str]

CORS_EXPOSED_HEADERS = (
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
)
DATED_AFTER = timedelta(seconds=1)
"""The age of a change from which on its date is sent."""
CORS: Headers = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": ", ".join(CORS_EXPOSED_HEADERS),
}

SECURITY_HEADERS: Headers = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
HSTS = "Strict-Transport-Security"
CROSS_ORIGIN_RESOURCE: Headers = {"Cross-Origin-Resource-Policy": "cross-origin"}

ALLOW: Headers = {"Allow": "GET, HEAD, OPTIONS"}

BUDGET_HEADERS: Headers = {
    "RateLimit-Policy": f'"default";q={BUDGET.requests};w={BUDGET.window_seconds}',
    "RateLimit-Limit": str(BUDGET.requests),
    "RateLimit-Remaining": str(BUDGET.requests),
    "RateLimit-Reset": str(BUDGET.window_seconds),
}

DOCUMENT_CACHING: Headers = {
    "Cache-Control": "max-age=300, stale-while-revalidate=3600, stale-if-error=86400",
    "CDN-Cache-Control": "max-age=3600, stale-while-revalidate=86400, stale-if-error=604800",
}
HEALTH_CACHING: Headers = {"Cache-Control": "max-age=10"}
REFUSAL_CACHING: Headers = {"Cache-Control": "max-age=60"}
NO_STORE: Headers = {"Cache-Control": "no-store"}
UNAVAILABLE_SECONDS = 30
UNAVAILABLE: Headers = {"Retry-After": str(UNAVAILABLE_SECONDS)}
"""Sent while the database does not answer (RFC 9110, sections 10.2.3 and 15.6.4)."""

VARY_ENCODING: Headers = {"Vary": "Accept-Encoding"}

PREFLIGHT_HEADERS: Headers = {
    **ALLOW,
    **CORS,
    **SECURITY_HEADERS,
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": "Accept, Accept-Language, If-Modified-Since, If-None-Match",
    "Access-Control-Max-Age": "86400",
}
REDIRECT_HEADERS: Headers = {"Cache-Control": "max-age=60", **CORS, **SECURITY_HEADERS}
"""Cached shortly, because the redirects of a rename that is taken back are a loop in a cache."""

CACHED_REFUSALS = (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED)


def http_date(moment: datetime) -> str:
    """Return a moment as IMF-fixdate, always in GMT (RFC 9110, section 5.6.7)."""
    return format_datetime(moment.astimezone(UTC).replace(microsecond=0), usegmt=True)


def last_modified_headers(changed: datetime, at: datetime) -> Headers:
    """Return the `Last-Modified` of a response, or nothing if its moment may change again.

    A date has whole seconds, so a second change within one would have the date of the first. A
    moment in the future was stored while the clock was ahead (RFC 9110, section 8.8.2.1).
    """
    return {"Last-Modified": http_date(changed)} if at - changed >= DATED_AFTER else {}


def document_headers(caching: Headers = DOCUMENT_CACHING) -> Headers:
    return (
        BUDGET_HEADERS
        | {"API-Version": API_VERSION}
        | caching
        | VARY_ENCODING
        | CORS
        | SECURITY_HEADERS
        | CROSS_ORIGIN_RESOURCE
    )


def error_headers(status: HTTPStatus) -> Headers:
    """Return the headers of an error, including CORS, so that scripts can read the reason."""
    headers = CORS | SECURITY_HEADERS | CROSS_ORIGIN_RESOURCE | {"Content-Language": "en"}
    headers |= REFUSAL_CACHING if status in CACHED_REFUSALS else NO_STORE
    if status is HTTPStatus.METHOD_NOT_ALLOWED:
        headers |= ALLOW
    if status is HTTPStatus.TOO_MANY_REQUESTS:
        headers |= BUDGET_HEADERS | {"Retry-After": str(BUDGET.window_seconds)}
    if status is HTTPStatus.SERVICE_UNAVAILABLE:
        headers |= UNAVAILABLE
    return headers
