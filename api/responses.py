"""Responses without a body: redirects and the response to OPTIONS."""

from http import HTTPStatus

from django.http import HttpResponse

from api.headers import preflight_headers, redirect_headers


def redirect_response(location: str) -> HttpResponse:
    """Return a 308 to the present address; the method stays, and caches may store it."""
    headers = redirect_headers() | {"Location": location}
    return remove_content_type(HttpResponse(status=HTTPStatus.PERMANENT_REDIRECT, headers=headers))


def options_response() -> HttpResponse:
    response = HttpResponse(status=HTTPStatus.NO_CONTENT, headers=preflight_headers())
    return remove_content_type(response)


def remove_content_type(response: HttpResponse) -> HttpResponse:
    del response["Content-Type"]
    return response
