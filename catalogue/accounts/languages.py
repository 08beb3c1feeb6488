"""The language in which the admin speaks to a user."""

import re
from typing import Any

from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import get_language_from_request, gettext, override

LANGUAGE_KEY = "language"
"""The chosen language in the session, so that no request asks the database for it."""


def language_of(user: Any) -> str:
    """Return the code of the language that a user has chosen; it is empty if none is chosen."""
    return getattr(getattr(user, "chosen_language", None), "code", "")


def translate_around(parts: re.Pattern[str], text: str) -> str:
    """Translate a sentence around its variable parts; modules without a framework cannot."""
    words = gettext(parts.sub("%s", text.replace("%", "%%")))
    return words % tuple(parts.findall(text))


class ChosenLanguage(MiddlewareMixin):
    """Middleware that speaks the chosen language; without one, that of the browser."""

    def __call__(self, request: HttpRequest) -> Any:
        chosen = request.session.get(LANGUAGE_KEY)
        with override(chosen or get_language_from_request(request)):
            return self.get_response(request)
