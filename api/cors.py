"""Cross-origin requests: the library decides what a preflight is, the header table what it gets."""

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
