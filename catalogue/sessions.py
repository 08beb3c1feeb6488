"""The end of an editor's session: 12 hours after log-in, or 2 hours after the last request.

The session store refuses an expired session, so the limits do not depend on the browser.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

MAX_SESSION_AGE = timedelta(hours=12)
MAX_IDLE_TIME = timedelta(seconds=settings.SESSION_COOKIE_AGE)
MIN_WRITE_INTERVAL = timedelta(minutes=1)
"""The minimum time between two writes of a session that only move its end."""
BEGAN_KEY = "began"
EXPIRY_KEY = "_session_expiry"
"""The key under which Django stores the end of a session (`SessionBase.set_expiry`)."""


def begin_session(sender: Any, request: HttpRequest, **options: Any) -> None:
    """Store the moment of the log-in in the session (a receiver of `user_logged_in`)."""
    now = timezone.now()
    request.session[BEGAN_KEY] = now.isoformat()
    request.session.set_expiry(now + MAX_IDLE_TIME)


class SessionLimits:
    """Middleware that moves the end of a session with each request, up to `MAX_SESSION_AGE`.

    It must come after the middleware of sessions and of authentication.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.user.is_authenticated:
            extend_session(request)
        return self.get_response(request)


def extend_session(request: HttpRequest) -> None:
    """Move the end of the session; a session without a moment of log-in begins now."""
    now, session = timezone.now(), request.session
    began = datetime.fromisoformat(session.setdefault(BEGAN_KEY, now.isoformat()))
    end = min(now + MAX_IDLE_TIME, began + MAX_SESSION_AGE)
    if EXPIRY_KEY not in session or abs(end - session.get_expiry_date()) >= MIN_WRITE_INTERVAL:
        session.set_expiry(end)
