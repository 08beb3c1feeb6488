"""Cross-origin requests. The library recognizes a preflight; `api.headers` has all headers.

The library sends `Access-Control-*` headers only to a request with an `Origin`, and adds
`Vary: Origin`. Here each response has the same headers with and without an `Origin`, so that a
cache can send one stored response to every client.
"""

from corsheaders.middleware import CorsMiddleware as LibraryMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from api.responses import options_response


class CorsMiddleware(LibraryMiddleware):
    """Middleware that answers a preflight with 204 and `Allow`, like any other OPTIONS request."""

    def check_preflight(self, request: HttpRequest) -> HttpResponseBase | None:
        if super().check_preflight(request) is None:
            return None
        return options_response()

    def add_response_headers(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        return response
