"""How long a session of an editor lasts: 12 hours from log-in, and 2 hours without a request.

The session store refuses an expired session, so the limits hold whatever a browser keeps.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

LONGEST = timedelta(hours=12)
IDLE = timedelta(hours=2)
STEP = timedelta(minutes=1)
"""A session is written at most once in this time only because it is used."""
BEGAN = "began"
ENDS = "_session_expiry"
"""The key under which Django keeps an end that was set (`SessionBase.set_expiry`)."""


def begin_session(sender: Any, request: HttpRequest, **options: Any) -> None:
    """Remember in the session when its user logged in (a receiver of `user_logged_in`)."""
    now = timezone.now()
    request.session[BEGAN] = now.isoformat()
    request.session.set_expiry(now + IDLE)


class SessionLimits:
    """Middleware that moves the end of a session with each request, up to the longest time.

    It stands behind the middlewares of sessions and of authentication.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.user.is_authenticated:
            limit(request)
        return self.get_response(request)


def limit(request: HttpRequest) -> None:
    """Move the end of the session. One that does not say when it began begins now."""
    now, session = timezone.now(), request.session
    began = datetime.fromisoformat(session.setdefault(BEGAN, now.isoformat()))
    end = min(now + IDLE, began + LONGEST)
    if ENDS not in session or abs(end - session.get_expiry_date()) >= STEP:
        session.set_expiry(end)
