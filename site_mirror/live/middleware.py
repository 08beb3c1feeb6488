"""The outermost middleware: canonical addresses, validators, encodings, conditions and HEAD.

Source: RFC 9110, sections 8.6, 8.8, 9.3.2, 12.5.3, 13 and 15.4.5. The admin and its static
files are not changed.
"""

from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import parse_http_date

from api.lifecycle import ANNOUNCEMENT
from api.responses import redirect_response
from catalogue import addresses
from catalogue.addresses import Site
from site_mirror.documents.encodings import (
    encodings_of_size,
    etag_of_digest,
    preferred_encoding,
    sha256_hex,
)
from site_mirror.documents.headers import BODY_HEADERS, transport_headers
from site_mirror.live.admin_middleware import ADMIN_PREFIX
from site_mirror.live.errors import refuse

UNPUBLISHED_PREFIXES = (ADMIN_PREFIX, "/static/")
"""Addresses with rules of their own: the admin, whose addresses end with slashes, and its files."""


class DeliveryMiddleware:
    """Completes the responses of the views as the standards of HTTP require.

    Methods are case-sensitive (RFC 9110, section 9.1), so `head` is not HEAD and gets 405.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        refusal = early_refusal(request)
        if not refusal and f"{request.path_info}/".startswith(UNPUBLISHED_PREFIXES):
            # The date of a static file is not later after a downgrade; its tag differs.
            request.META.pop("HTTP_IF_MODIFIED_SINCE", None)
            return add_transport_headers(self.get_response(request))
        response = deliver(request, refusal or self.answer(request))
        return announce(request, add_transport_headers(response))

    def answer(self, request: HttpRequest) -> HttpResponse:
        if request.META["REQUEST_METHOD"] != request.method:  # Django writes it in upper case.
            return refuse(request, HTTPStatus.METHOD_NOT_ALLOWED)
        if request.method == "OPTIONS":
            # Before redirects and the budget: a preflight that gets either fails in browsers.
            return self.get_response(request)
        canonical = addresses.canonical_path(request.path_info)
        if canonical != request.path_info:
            return redirect_response(canonical, request.META["QUERY_STRING"])
        return self.get_response(request)


def early_refusal(request: HttpRequest) -> HttpResponse | None:
    """Return the error for a request that names another host."""
    try:
        request.get_host()
    except DisallowedHost:
        if request.path_info != addresses.HEALTH:
            return refuse(request, HTTPStatus.BAD_REQUEST)
        request.META["HTTP_HOST"] = settings.SITE_HOST
    return None


def deliver(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Apply encodings and conditions to a 200, set the length, and drop the body for HEAD."""
    if response.status_code == HTTPStatus.OK:
        response = apply_conditions(request, represent(request, response))
    else:
        response["Content-Length"] = str(len(response.content))
    if response.status_code == HTTPStatus.NO_CONTENT:
        del response["Content-Length"]  # RFC 9110 forbids one in a 204.
    if request.META["REQUEST_METHOD"] == "HEAD":
        response.content = b""  # The length stays that of GET.
    return response


def add_transport_headers(response: HttpResponse) -> HttpResponse:
    """Add Strict-Transport-Security if the site is published over https."""
    for name, value in transport_headers(Site(settings.SITE_ROOT)).items():
        response.setdefault(name, value)
    return response


def announce(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Add the announced end of this version of the API to all its responses.

    A server error has no announcement, because the database may be its cause.
    """
    fault = response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR
    if addresses.is_of_this_version(request.path_info) and not fault:
        for name, value in ANNOUNCEMENT.current_headers(Site(settings.SITE_ROOT)).items():
            response[name] = value
    return response


def represent(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Encode the body as the request prefers and set the validator of that variant."""
    body, coding = response.content, preferred_encoding(request.headers.get("Accept-Encoding", ""))
    if coding not in encodings_of_size(len(body), response["Content-Type"]):
        coding = None
    response.content = coding.compress(body) if coding else body
    response["ETag"] = etag_of_digest(sha256_hex(body), coding)
    response["Content-Length"] = str(len(response.content))
    if coding:
        response["Content-Encoding"] = coding.name
    return response


def apply_conditions(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return 304 or 412 if the request's conditions require it, else the response.

    A date matches only exactly, because that of a document goes back when a backup is restored.
    """
    modified = response.get("Last-Modified")
    if request.headers.get("If-Modified-Since") != modified:
        request.META.pop("HTTP_IF_MODIFIED_SINCE", None)
    if modified is None:  # RFC 9110, section 13.1.4
        request.META.pop("HTTP_IF_UNMODIFIED_SINCE", None)
    changed = parse_http_date(modified) if modified else None
    result = get_conditional_response(request, response["ETag"], changed, response)
    if result is None or result is response:
        return response
    if result.status_code == HTTPStatus.PRECONDITION_FAILED:
        return deliver(request, refuse(request, HTTPStatus.PRECONDITION_FAILED))
    return make_not_modified(response)


def make_not_modified(response: HttpResponse) -> HttpResponse:
    """Turn a 200 into a 304, without the headers that describe a body."""
    response.status_code = HTTPStatus.NOT_MODIFIED
    response.content = b""
    for name in BODY_HEADERS:
        del response[name]
    return response
