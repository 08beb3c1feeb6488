"""Answers without a body: a redirect, and what OPTIONS gets."""

from http import HTTPStatus

from django.http import HttpResponse

from api.headers import preflight_headers, redirect_headers


def redirect(location: str) -> HttpResponse:
    """308 to today's address: the method stays, and caches may keep it for a while."""
    headers = redirect_headers() | {"Location": location}
    return without_type(HttpResponse(status=HTTPStatus.PERMANENT_REDIRECT, headers=headers))


def options_response() -> HttpResponse:
    """The answer to OPTIONS, preflight or not."""
    return without_type(HttpResponse(status=HTTPStatus.NO_CONTENT, headers=preflight_headers()))


def without_type(response: HttpResponse) -> HttpResponse:
    del response["Content-Type"]
    return response
