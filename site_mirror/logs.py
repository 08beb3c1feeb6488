"""Log records: one line each, as text or as JSON, and one record for each request.

A line has the time in UTC, the level, the id of the request, its method, its path, the status and
the duration. It has no client address, no query string and no header: `/privacy` promises that
the log holds nothing that points to a person.
"""

import json
import logging
import re
import secrets
import time
import traceback
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
"""The form of an id that a proxy may set; another text could forge a log line."""
LONGEST_PATH = 2000
"""Characters of a path that are logged."""
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Characters that end a line for some reader, move a cursor, or cannot be encoded."""
SECRET = re.compile("(/set-password/+[^/]+/+)[^/]+")
"""The path of a link that sets a password, also without its last slash."""

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the request that this thread answers; empty outside of requests."""

access = logging.getLogger("site_mirror.access")


class AccessLogMiddleware:
    """Gives each request an id, and logs its response (`ACCESS_LOG`)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        begun = time.perf_counter()
        marked = request_id.set(id_of(request))
        try:
            response = self.get_response(request)
            if settings.ACCESS_LOG:
                access.info("", extra=response_members(request, response, begun))
        finally:
            request_id.reset(marked)
        return response


def id_of(request: HttpRequest) -> str:
    """The id that the proxy in front has given to a request, or a new one."""
    proposed = request.headers.get("X-Request-ID", "") if settings.BEHIND_PROXY else ""
    return proposed if SANE_ID.fullmatch(proposed) else secrets.token_hex(8)


def response_members(
    request: HttpRequest, response: HttpResponseBase, begun: float
) -> dict[str, Any]:
    """Members of the log record of a request; the duration is in milliseconds."""
    return {
        "method": request.META["REQUEST_METHOD"],
        "path": path_of(request),
        "status": response.status_code,
        "duration_ms": round(1000 * (time.perf_counter() - begun), 1),
    }


def path_of(request: HttpRequest) -> str:
    """The path of a request without the secrets that it carries."""
    return SECRET.sub(r"\1…", request.path_info)[:LONGEST_PATH]


def record_members(record: logging.LogRecord) -> dict[str, Any]:
    """The members of a record, in the order in which they are written; empty ones are left out."""
    moment = datetime.fromtimestamp(record.created, UTC)
    found = {
        "time": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "level": record.levelname,
        "logger": record.name,
        "request": request_id.get(),
        **{name: getattr(record, name, None) for name in ANSWERED},
        "message": record.getMessage(),
        **request_members(record),
        "cause": traceback_of(record),
    }
    return {name: value for name, value in found.items() if value not in ("", None)}


ANSWERED = ("method", "path", "status", "duration_ms")


def request_members(record: logging.LogRecord) -> dict[str, Any]:
    """Members of a record of Django's about a request; its message ends with the whole path."""
    request = getattr(record, "request", None)
    if not isinstance(request, HttpRequest):
        return {}
    return {
        "method": request.META.get("REQUEST_METHOD"),
        "path": path_of(request),
        "status": getattr(record, "status_code", None),
        "message": record.getMessage().partition(": ")[0],
    }


def traceback_of(record: logging.LogRecord) -> str:
    """The traceback of the exception behind a record."""
    error = record.exc_info[1] if record.exc_info else None
    return "".join(traceback.format_exception(error)).strip() if error else ""


class JsonFormatter(logging.Formatter):
    """A record as a JSON object in ASCII on one line."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(record_members(record), default=str)


class TextFormatter(logging.Formatter):
    """A record as words on one line: time, level, and what else there is."""

    def format(self, record: logging.LogRecord) -> str:
        found = record_members(record)
        words = [found.pop("time"), found.pop("level"), found.pop("logger")]
        if "request" in found:
            words.append(f"[{found.pop('request')}]")
        if "duration_ms" in found:
            found["duration_ms"] = f"{found['duration_ms']} ms"
        return escape_controls(" ".join(map(str, [*words, *found.values()])))


def escape_controls(text: str) -> str:
    """A text whose control characters are escaped."""
    return UNPRINTABLE.sub(escape_character, text)


def escape_character(found: re.Match[str]) -> str:
    return "\\n" if found[0] == "\n" else f"\\u{ord(found[0]):04x}"
