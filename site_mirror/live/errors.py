"""Error responses: a problem below `/api/`, a short Markdown text everywhere else."""

import sys
from http import HTTPStatus

from django.conf import settings
from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    InterfaceError,
    NotSupportedError,
)
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from api.headers import error_headers
from api.problems import problem_response
from catalogue import addresses
from catalogue.addresses import Site
from catalogue.texts.localized import ENGLISH, VIETNAMESE
from site_mirror.documents.error_bodies import (
    VIETNAMESE_STATUSES,
    has_vietnamese_refusals,
    not_acceptable_body,
    refusal_body,
)
from site_mirror.documents.headers import MARKDOWN_TYPE, VARY_NEGOTIATED
from site_mirror.live import admin_errors
from site_mirror.live.admin_middleware import is_admin
from site_mirror.registry.contexts import context_at


def refuse(request: HttpRequest, status: HTTPStatus) -> HttpResponse:
    """Return an error response in the form of the request's part of the site."""
    if addresses.is_of_api(request.path_info):
        return problem_response(request, status)
    language = language_of_refusal(request.path_info, status)
    headers = error_headers(status) | {"Content-Language": language}
    body = refusal_body(Site(settings.SITE_ROOT), status, language)
    return HttpResponse(body, status=status, content_type=MARKDOWN_TYPE, headers=headers)


def language_of_refusal(path: str, status: HTTPStatus) -> str:
    """Return the language of a path's part of the site, if its refusals are in that language."""
    if status not in VIETNAMESE_STATUSES or not addresses.is_of_vietnamese_part(path):
        return ENGLISH
    try:
        context = context_at(Site(settings.SITE_ROOT), timezone.now())
    except (DatabaseError, InterfaceError):  # Without it, an unknown address is still a 404.
        return ENGLISH
    return VIETNAMESE if has_vietnamese_refusals(context) else ENGLISH


def not_acceptable_response(site: Site, page: str, mirror: str) -> HttpResponse:
    """Return the 406 for a request that accepts neither representation of a page."""
    status = HTTPStatus.NOT_ACCEPTABLE
    language = language_of_refusal(page, status)
    body = not_acceptable_body(site, page, mirror, language)
    headers = error_headers(status) | VARY_NEGOTIATED | {"Content-Language": language}
    return HttpResponse(body, status=status, content_type=MARKDOWN_TYPE, headers=headers)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, SessionInterrupted):  # The database did not save the session.
        return admin_errors.failure_page(request, exception)
    if is_admin(request):
        return admin_errors.unreadable_page(request, exception)
    return refuse(request, HTTPStatus.BAD_REQUEST)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the admin's page, because no other address requires permissions."""
    return admin_errors.forbidden_page(request)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if is_admin(request):  # An editor reads the page; a program reads the others.
        return admin_errors.not_found_page(request)
    return refuse(request, HTTPStatus.NOT_FOUND)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return 503 if the database is unavailable, else 500. Django calls it in an `except` block."""
    fault = sys.exc_info()[1]
    if is_admin(request):
        return admin_errors.failure_page(request, fault)
    unavailable = is_unavailable(fault)
    return refuse(
        request, HTTPStatus.SERVICE_UNAVAILABLE if unavailable else HTTPStatus.INTERNAL_SERVER_ERROR
    )


def is_unavailable(error: BaseException | None) -> bool:
    """Whether an error means that the database is gone, locked, damaged or not migrated.

    A value that the database refuses is a fault of the program instead.
    """
    return isinstance(error, DatabaseError | InterfaceError) and not isinstance(
        error, DataError | IntegrityError | NotSupportedError
    )
