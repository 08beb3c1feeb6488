"""The lock of a user name for one network after failed log-ins, and its page."""

from collections.abc import Mapping
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django_otp.plugins.otp_totp.models import TOTPDevice

SECONDS_PER_MINUTE = 60
MAX_USER_NAME_CHARACTERS = 255
"""Characters of a name in the table of attempts; PostgreSQL refuses a longer one."""


class LockoutHandler(AxesDatabaseHandler):  # type: ignore[misc]
    """Counts failed log-ins in one row for each user name and network.

    The headers of browsers are dropped, so that a client cannot begin a new count with another one.
    """

    def user_login_failed(
        self,
        sender: Any,
        credentials: dict[str, Any],
        request: HttpRequest | None = None,
        **options: Any,
    ) -> None:
        if request is not None:
            request.axes_user_agent = request.axes_http_accept = ""  # type: ignore[attr-defined]
        super().user_login_failed(sender, credentials, request, **options)

    def user_logged_in(self, sender: Any, request: HttpRequest, user: Any, **options: Any) -> None:
        """Begin a new count, but not yet after the password of somebody who must give a code."""
        has_given_code = getattr(user, "otp_device", None) is not None
        if has_given_code or not TOTPDevice.objects.filter(user=user, confirmed=True).exists():
            super().user_logged_in(sender, request, user, **options)


def name_to_count(request: HttpRequest, credentials: Mapping[str, Any] | None) -> str | None:
    """Return the name under which a failure is counted (`AXES_USERNAME_CALLABLE`).

    It is that of the session if only a code is asked for, whatever else is posted.
    """
    name = credentials.get("username") if credentials else request.user.get_username()
    return name[:MAX_USER_NAME_CHARACTERS] if name else name


def lockout_response(
    request: HttpRequest, response: HttpResponse | None, credentials: Mapping[str, Any] | None
) -> HttpResponse:
    """Return the response to a locked log-in, which does not depend on whether the user exists."""
    whole_lock = int(settings.AXES_COOLOFF_TIME.total_seconds())
    context = admin.site.each_context(request) | {"minutes": whole_lock // SECONDS_PER_MINUTE}
    page = render(request, "catalogue/locked_out.html", context, status=429)
    page["Retry-After"] = str(whole_lock)
    return page
