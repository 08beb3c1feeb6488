"""The end of an editor's session 12 hours after log-in.

Django ends a session after `SESSION_COOKIE_AGE` without a request (`SESSION_SAVE_EVERY_REQUEST`).
"""

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import logout
from django.http import HttpRequest
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin

from catalogue.accounts.languages import LANGUAGE_KEY, language_of

MAX_SESSION_AGE = timedelta(hours=12)
BEGAN_KEY = "began"


def begin_session(sender: Any, request: HttpRequest, user: Any, **options: Any) -> None:
    """Keep the moment of the log-in, and the language (a receiver of `user_logged_in`)."""
    request.session[BEGAN_KEY] = timezone.now().isoformat()
    request.session[LANGUAGE_KEY] = language_of(user)


class SessionLimits(MiddlewareMixin):
    """Middleware that logs out an editor whose session began `MAX_SESSION_AGE` ago.

    It must come after the middleware of sessions and of authentication.
    """

    def process_request(self, request: HttpRequest) -> None:
        if request.user.is_authenticated:
            now = timezone.now()
            began = request.session.setdefault(BEGAN_KEY, now.isoformat())
            if now - datetime.fromisoformat(began) >= MAX_SESSION_AGE:
                logout(request)
