"""Responses without a body: redirects and the response to OPTIONS."""

from http import HTTPStatus

from django.conf import settings
from django.http import HttpResponse

from api.headers import PREFLIGHT_HEADERS, REDIRECT_HEADERS
from catalogue.addresses import Site, encode_target


def redirect_response(path: str, query: str) -> HttpResponse:
    """Return a 308 to a path of the site, which keeps the method and the query."""
    headers = REDIRECT_HEADERS | {
        "Location": Site(settings.SITE_ROOT).url(encode_target(path, query))
    }
    return remove_content_type(HttpResponse(status=HTTPStatus.PERMANENT_REDIRECT, headers=headers))


def options_response() -> HttpResponse:
    response = HttpResponse(status=HTTPStatus.NO_CONTENT, headers=PREFLIGHT_HEADERS)
    return remove_content_type(response)


def remove_content_type(response: HttpResponse) -> HttpResponse:
    del response["Content-Type"]
    return response
