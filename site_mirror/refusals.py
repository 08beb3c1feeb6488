"""Errors: a problem below `/api/`, a short Markdown text everywhere else."""

import sys
from collections.abc import Iterable
from http import HTTPStatus

from django.conf import settings
from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    InterfaceError,
    NotSupportedError,
)
from django.http import HttpRequest, HttpResponse

from api.problems import DETAILS, problem, title
from catalogue import addresses
from catalogue.addresses import Site
from site_mirror.headers import MARKDOWN, VARY_NEGOTIATED, refusal_headers

EXPLANATIONS = {
    HTTPStatus.BAD_REQUEST: "The request is not one that this site understands.",
    HTTPStatus.NOT_FOUND: "There is nothing at this address.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This site is read-only. Use GET, HEAD or OPTIONS.",
    HTTPStatus.NOT_ACCEPTABLE: "This page exists as text/html and as text/markdown.",
    HTTPStatus.PRECONDITION_FAILED: "The page no longer is what the request's condition names.",
    HTTPStatus.REQUEST_TIMEOUT: "The body of the request took too long to arrive.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body of the request is too large.",
    HTTPStatus.REQUEST_URI_TOO_LONG: "The path and query of the request are too long.",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: "The headers of the request are too large.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "The fault is ours. Try again later.",
    HTTPStatus.SERVICE_UNAVAILABLE: DETAILS[HTTPStatus.SERVICE_UNAVAILABLE],
}


def is_api(request: HttpRequest) -> bool:
    """Below `/api/`, or the description of what is there."""
    path = request.path_info
    return path == addresses.OPENAPI or f"{path}/".startswith("/api/")


def refuse(request: HttpRequest, status: HTTPStatus) -> HttpResponse:
    """The answer to a request that failed, in the form of its part of the site."""
    if is_api(request):
        return problem(request, status)
    body = refusal_body(Site(settings.SITE_ROOT), status)
    return HttpResponse(body, status=status, content_type=MARKDOWN, headers=refusal_headers(status))


def refusal_body(site: Site, status: HTTPStatus, first: Iterable[str] = ()) -> bytes:
    """What happened, and where to go on; UTF-8 Markdown under 2 kB."""
    ways_on = (
        *first,
        f"[Home page]({site.url(addresses.HOME)})",
        f"[Index for language models]({site.url(addresses.LLMS)})",
        f"[Site map]({site.url(addresses.SITEMAP)})",
        f"[API index]({site.url(addresses.api('/'))})",
        f"[API documentation]({site.url(addresses.mirror(addresses.DOCUMENTATION))})",
        f"[OpenAPI document]({site.url(addresses.OPENAPI)})",
    )
    listed = "\n".join(f"- {way}" for way in ways_on)
    explanation = EXPLANATIONS.get(status, status.description)
    return f"# {int(status)} {title(status)}\n\n{explanation}\n\n{listed}\n".encode()


def not_acceptable(site: Site, page: str, mirror: str) -> HttpResponse:
    """The answer to a request that wants neither representation of a page."""
    status = HTTPStatus.NOT_ACCEPTABLE
    body = refusal_body(
        site,
        status,
        [f"[This page as HTML]({site.url(page)})", f"[As Markdown]({site.url(mirror)})"],
    )
    headers = refusal_headers(status) | VARY_NEGOTIATED
    return HttpResponse(body, status=status, content_type=MARKDOWN, headers=headers)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return refuse(request, HTTPStatus.BAD_REQUEST)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Only the admin has permissions that a request can lack."""
    from catalogue.admin.refusals import forbidden as page  # noqa: PLC0415  (loads the admin)

    return page(request)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    from catalogue.admin.refusals import not_found as page  # noqa: PLC0415  (loads the admin)
    from site_mirror.admin_middleware import is_admin  # noqa: PLC0415

    if is_admin(request):
        return page(request)
    return refuse(request, HTTPStatus.NOT_FOUND)


def server_error(request: HttpRequest) -> HttpResponse:
    """503 where the database could not be asked, else 500; Django calls it in its `except`."""
    gone = is_unavailable(sys.exc_info()[1])
    return refuse(
        request, HTTPStatus.SERVICE_UNAVAILABLE if gone else HTTPStatus.INTERNAL_SERVER_ERROR
    )


def is_unavailable(error: BaseException | None) -> bool:
    """Whether a request failed because the database is gone, locked, damaged or not migrated.

    A value that the database refuses is a fault of the program.
    """
    return isinstance(error, DatabaseError | InterfaceError) and not isinstance(
        error, DataError | IntegrityError | NotSupportedError
    )
