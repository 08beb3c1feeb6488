"""Cross-origin requests: the library recognizes a preflight; the header table has all headers.

The library sends `Access-Control-*` headers only to a request with an `Origin`, and adds
`Vary: Origin`. Here each answer has the same headers with and without an `Origin`, so that a
cache can hand one stored answer to everybody.
"""

from corsheaders.middleware import CorsMiddleware as LibraryMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from api.responses import options_response


class CorsMiddleware(LibraryMiddleware):
    """Answers a preflight with 204 and `Allow`, as any other OPTIONS is answered."""

    def check_preflight(self, request: HttpRequest) -> HttpResponseBase | None:
        if super().check_preflight(request) is None:
            return None
        return options_response()

    def add_response_headers(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        return response
