"""The errors below `/api/`, all as RFC 9457 problems."""

from http import HTTPStatus
from typing import Any

import orjson
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from rest_framework.exceptions import APIException

from api.contract import BUDGET, PROBLEM_JSON, RATE_LIMIT_PROBLEM
from api.headers import UNAVAILABLE_SECONDS, error_headers
from catalogue import addresses
from catalogue.addresses import Site

DETAILS = {
    HTTPStatus.BAD_REQUEST: "The request is malformed. Check its URL and its Host header.",
    HTTPStatus.NOT_FOUND: (
        f"There is nothing here. See {addresses.api_address('/')} for the endpoints."
    ),
    HTTPStatus.METHOD_NOT_ALLOWED: "The API is read-only. Use GET, HEAD or OPTIONS.",
    HTTPStatus.PRECONDITION_FAILED: (
        "The document has changed since the version in If-Match or If-Unmodified-Since."
    ),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body of the request is too large.",
    HTTPStatus.TOO_MANY_REQUESTS: (
        f"The budget is {BUDGET.requests} requests per {BUDGET.window_seconds} seconds. "
        f"Wait {BUDGET.window_seconds} seconds."
    ),
    HTTPStatus.INTERNAL_SERVER_ERROR: "The fault is ours. Try again later.",
    HTTPStatus.SERVICE_UNAVAILABLE: (
        f"The database is unavailable. Try again in {UNAVAILABLE_SECONDS} seconds."
    ),
}


def problem_body(
    site: Site, status: HTTPStatus, *, detail: str = "", instance: str | None = None
) -> bytes:
    """Return a body by RFC 9457; `status` equals the HTTP status. A frozen body has no instance."""
    # The type is an address only if the site explains more than the status.
    limited = status is HTTPStatus.TOO_MANY_REQUESTS
    members = {
        "type": site.url(RATE_LIMIT_PROBLEM) if limited else "about:blank",
        "title": problem_title(status),
        "status": int(status),
        "detail": detail or DETAILS.get(status, status.description or status.phrase),
    }
    if instance:
        members["instance"] = instance
    return orjson.dumps(members, option=orjson.OPT_APPEND_NEWLINE)


def problem_title(status: HTTPStatus) -> str:
    # Python before 3.13 has an older phrase than RFC 9110.
    too_large = status is HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    return "Content Too Large" if too_large else status.phrase


def problem_response(request: HttpRequest, status: HTTPStatus, detail: str = "") -> HttpResponse:
    site = Site(settings.SITE_ROOT)
    failed = addresses.encode_target(request.path_info, request.META.get("QUERY_STRING", ""))
    body = problem_body(site, status, detail=detail, instance=site.url(failed))
    return HttpResponse(
        body, status=status, content_type=PROBLEM_JSON, headers=error_headers(status)
    )


def exception_handler(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """Return a problem for an exception that DRF knows; others are for the 500 handler."""
    if isinstance(error, Http404):
        return problem_response(context["request"], HTTPStatus.NOT_FOUND, str(error))
    if isinstance(error, APIException):
        return problem_response(context["request"], HTTPStatus(error.status_code))
    return None
