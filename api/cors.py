"""Cross-origin requests (decision on cross-origin headers in docs/decisions.md)."""

from corsheaders.middleware import CorsMiddleware as LibraryMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from api.responses import options_response


class CorsMiddleware(LibraryMiddleware):
    """Answers OPTIONS at every address that `CORS_URLS_REGEX` shares with other origins.

    `api.headers` has the `Access-Control-*` headers of all responses. The library would send them
    only to a request with an `Origin` and add `Vary: Origin`; these are the same for everybody, so
    that a cache can send one stored response to every client.
    """

    def check_preflight(self, request: HttpRequest) -> HttpResponseBase | None:
        if request.method == "OPTIONS" and self.is_enabled(request):
            return options_response()
        return None

    def add_response_headers(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        return response
