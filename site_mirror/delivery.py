"""The outermost layer: canonical addresses, validators, encodings and HEAD, in this one place.

Source: RFC 9110, sections 8.6, 8.8, 9.3.2, 12.5.3, 13 and 15.4.5. The admin and its static
files pass through untouched.
"""

import re
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from http import HTTPStatus

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

from api.lifecycle import ANNOUNCEMENT
from api.responses import options_response, redirect
from api.targets import target
from catalogue import addresses
from catalogue.addresses import Site
from site_mirror import encodings
from site_mirror.admin_middleware import ADMIN
from site_mirror.refusals import refuse
from site_mirror.requested import REFUSAL
from site_mirror.transport import transport_headers

OWN_RULES = (ADMIN, "/static/")
"""What is not published: the admin, whose addresses end with slashes, and its files."""

OF_A_BODY = ("Content-Length", "Content-Type", "Content-Encoding", "Content-Language")


class DeliveryMiddleware:
    """Delivers what the views made, as the standards want it on the wire.

    Methods are case-sensitive (RFC 9110, section 9.1): a server does not take `head` for HEAD.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if f"{request.path_info}/".startswith(OWN_RULES):
            return secured(refused_early(request) or self.get_response(request))
        return announce(request, secured(deliver(request, self.answer(request))))

    def answer(self, request: HttpRequest) -> HttpResponse:
        if refusal := refused_early(request):
            return refusal
        if request.META["REQUEST_METHOD"] != request.method:
            return refuse(request, HTTPStatus.METHOD_NOT_ALLOWED)
        if request.method == "OPTIONS":
            # Before redirects and the budget: browsers fail a preflight that gets either.
            return options_response()
        if is_astray(request.path_info):
            path, query = target(request)
            location = addresses.requested(canonical_path(path), query)
            return redirect(Site(settings.SITE_ROOT).url(location))
        return self.get_response(request)


def refused_early(request: HttpRequest) -> HttpResponse | None:
    """The refusal of a request that exceeds a limit or names another host; none for others."""
    if REFUSAL in request.META:
        return refuse(request, request.META[REFUSAL])
    try:
        request.get_host()
    except DisallowedHost:
        return refuse(request, HTTPStatus.BAD_REQUEST)
    return None


def is_astray(path: str) -> bool:
    """Whether a path has slashes too many. One with an encoded slash names nothing in any form."""
    return canonical_path(path) != path and "%2F" not in path


def canonical_path(path: str) -> str:
    """One slash between parts and none at the end; the index of a version alone ends with one.

    The index of another version is another program's; here it is an unknown address.
    """
    collapsed = re.sub(r"/{2,}", "/", f"/{path}")
    if collapsed == "/" or addresses.is_version_index(collapsed):
        return collapsed
    return collapsed.rstrip("/")


def deliver(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The response as its status wants it, and without a body where only HEAD was asked."""
    if response.status_code == HTTPStatus.OK:
        response = conditional(request, represent(request, response))
    else:
        response["Content-Length"] = str(len(response.content))
    if response.status_code == HTTPStatus.NO_CONTENT:
        del response["Content-Length"]
    if request.META["REQUEST_METHOD"] == "HEAD":
        response.content = b""
    return response


def secured(response: HttpResponse) -> HttpResponse:
    """The response with Strict-Transport-Security, where the site is published over https."""
    for name, value in transport_headers(Site(settings.SITE_ROOT)).items():
        response.setdefault(name, value)
    return response


def announce(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The end of this version of the API, on every answer of it, once it is announced.

    A fault announces nothing: the database may be what failed.
    """
    fault = response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR
    if addresses.is_of_this_version(request.path_info) and not fault:
        for name, value in ANNOUNCEMENT.now(Site(settings.SITE_ROOT)).items():
            response[name] = value
    return response


def represent(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The body in the encoding that the request prefers, with that variant's validator."""
    variant = encodings.preferred(
        response.content,
        response["Content-Type"],
        request.headers.get("Accept-Encoding", ""),
    )
    response.content = variant.body
    response["ETag"] = variant.etag
    response["Content-Length"] = str(len(variant.body))
    if variant.encoding:
        response["Content-Encoding"] = variant.encoding.name
    return response


def conditional(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """304 or 412 where the request's conditions say so."""
    changed = parsedate_to_datetime(response["Last-Modified"])
    answer = get_conditional_response(request, response["ETag"], int(changed.timestamp()), response)
    if answer is None or answer is response:
        return response
    if answer.status_code == HTTPStatus.PRECONDITION_FAILED:
        return deliver(request, refuse(request, HTTPStatus.PRECONDITION_FAILED))
    return not_modified(response)


def not_modified(response: HttpResponse) -> HttpResponse:
    """304 with the headers of the 200, but for those that describe its body."""
    response.status_code = HTTPStatus.NOT_MODIFIED
    response.content = b""
    for name in OF_A_BODY:
        del response[name]
    return response
