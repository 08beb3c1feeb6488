"""Django's middleware for logged-in people, limited to the addresses below `/admin/`.

Caches store a public response for all clients, so it must not depend on a session and must not
set a cookie (RFC 9111, section 7.3). `MIDDLEWARE` names the classes of this module
instead of Django's own.
"""

from collections.abc import Callable
from typing import Any

from axes.middleware import AxesMiddleware as Lockout
from csp.middleware import CSPMiddleware as Policy
from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware as Authentication
from django.contrib.messages.middleware import MessageMiddleware as Messages
from django.contrib.sessions.middleware import SessionMiddleware as Sessions
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.clickjacking import XFrameOptionsMiddleware as Clickjacking
from django.middleware.csrf import CsrfViewMiddleware as Csrf
from django.utils.deprecation import MiddlewareMixin
from django_otp.middleware import OTPMiddleware as SecondStep

from api.headers import CORS
from catalogue.accounts.languages import ChosenLanguage
from catalogue.accounts.sessions import SessionLimits
from catalogue.texts.limits import IMAGE_BYTES
from site_mirror.documents.headers import PERMISSIONS

ADMIN_PREFIX = "/admin/"
IMAGE_UPLOAD = f"{ADMIN_PREFIX}catalogue/image/add/"
"""The form with a file, whose requests may be longer than those of others."""
HOOKS = ("process_view", "process_exception", "process_template_response")
"""The methods of a middleware that Django calls in addition to `__call__`."""

Middleware = Callable[..., Any]


def is_admin(request: HttpRequest) -> bool:
    return request.path_info.startswith(ADMIN_PREFIX)


def length_of(request: HttpRequest) -> int:
    return int(request.META.get("CONTENT_LENGTH") or 0)


def most_bytes(request: HttpRequest) -> int:
    """Return how long the body of a request to the admin may be."""
    is_upload = request.path_info == IMAGE_UPLOAD
    return settings.DATA_UPLOAD_MAX_MEMORY_SIZE + IMAGE_BYTES * is_upload


def only_for_admin(middleware: type[Any]) -> type[Any]:
    """Return a subclass of a middleware that does nothing for addresses outside `/admin/`.

    It is a subclass because Django's system checks look for subclasses in `MIDDLEWARE`.
    """

    def call(self: Any, request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = (
            middleware.__call__(self, request) if is_admin(request) else self.get_response(request)
        )
        return response

    hooks = {
        name: limit_to_admin(getattr(middleware, name))
        for name in HOOKS
        if hasattr(middleware, name)
    }
    return type(middleware.__name__, (middleware,), {"__call__": call, **hooks})


def limit_to_admin(hook: Middleware) -> Middleware:
    """Wrap a hook of a middleware so that it returns `None` outside `/admin/`."""

    def limited(self: Any, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return hook(self, request, *args, **kwargs) if is_admin(request) else None

    return limited


class AdminHeaders(MiddlewareMixin):
    """Middleware for the headers of the admin's responses and the length of its requests."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        response["Cache-Control"] = "no-store, private"
        response["Permissions-Policy"] = PERMISSIONS
        response["Cross-Origin-Resource-Policy"] = "same-origin"
        for name in CORS:
            del response[name]  # A script of another origin must not read the admin.
        return response

    def process_view(self, request: HttpRequest, *view: object) -> None:
        # The middleware of CSRF would read the body.
        if length_of(request) > most_bytes(request):
            raise RequestDataTooBig


HeadersMiddleware = only_for_admin(AdminHeaders)
PolicyMiddleware = only_for_admin(Policy)
SecondStepMiddleware = only_for_admin(SecondStep)
SessionLimitsMiddleware = only_for_admin(SessionLimits)
LanguageMiddleware = only_for_admin(ChosenLanguage)
LockoutMiddleware = only_for_admin(Lockout)
SessionMiddleware = only_for_admin(Sessions)
CsrfViewMiddleware = only_for_admin(Csrf)
AuthenticationMiddleware = only_for_admin(Authentication)
MessageMiddleware = only_for_admin(Messages)
XFrameOptionsMiddleware = only_for_admin(Clickjacking)
