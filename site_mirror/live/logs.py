"""Log records: one line each, as text or as JSON, and one record for each request.

A line has the time in UTC, the level, the id of the request, its method, its path, the status and
the duration. It has no client address, no query string and no header: `/privacy` promises
that the log has no personal data.
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

VALID_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
"""The allowed form of an id that a proxy sets; another text could forge a log line."""
MAX_PATH_CHARACTERS = 2000
"""A longer path is cut in the log."""
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Characters that end a line in some programs, move a cursor, or cannot be encoded."""
PASSWORD_LINK = re.compile("(/set-password/+[^/]+/+)[^/]+")
"""The path of a link that sets a password, also without its last slash."""

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the request that this thread answers; empty outside of requests."""

access = logging.getLogger("site_mirror.access")


class AccessLogMiddleware:
    """Gives each request an id and logs its response (`ACCESS_LOG`)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        started = time.perf_counter()
        token = request_id.set(id_of_request(request))
        try:
            response = self.get_response(request)
            if settings.ACCESS_LOG:
                duration = round(1000 * (time.perf_counter() - started), 1)
                members = request_members(request, response.status_code)
                access.info("", extra={**members, "duration_ms": duration})
        finally:
            request_id.reset(token)
        return response


def id_of_request(request: HttpRequest) -> str:
    """Return the id that a trusted proxy gave to a request, or a new one."""
    proposed = request.headers.get("X-Request-ID", "") if settings.BEHIND_PROXY else ""
    return proposed if VALID_ID.fullmatch(proposed) else secrets.token_hex(8)


def request_members(request: HttpRequest, status: int | None) -> dict[str, Any]:
    """Return method, path and status, without the token of a link that sets a password."""
    path = PASSWORD_LINK.sub(r"\1…", request.path_info)[:MAX_PATH_CHARACTERS]
    return {"method": request.META["REQUEST_METHOD"], "path": path, "status": status}


def record_members(record: logging.LogRecord) -> dict[str, Any]:
    """Return the members of a record in the order of the line, without empty ones."""
    created = datetime.fromtimestamp(record.created, UTC)
    error = record.exc_info[1] if record.exc_info else None
    members = {
        "time": created.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "level": record.levelname,
        "logger": record.name,
        "request": request_id.get(),
        **{name: getattr(record, name, None) for name in RESPONSE_MEMBERS},
        "message": record.getMessage(),
        "cause": "".join(traceback.format_exception(error)).strip() if error else "",
    }
    request = getattr(record, "request", None)
    if isinstance(request, HttpRequest):
        # Django's own message ends with the whole path, which may have a secret.
        members |= request_members(request, getattr(record, "status_code", None))
        members["message"] = record.getMessage().partition(": ")[0]
    return {name: value for name, value in members.items() if value not in ("", None)}


RESPONSE_MEMBERS = ("method", "path", "status", "duration_ms")


class JsonFormatter(logging.Formatter):
    """A record as a JSON object in ASCII on one line."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(record_members(record), default=str)


class TextFormatter(logging.Formatter):
    """A record as words on one line."""

    def format(self, record: logging.LogRecord) -> str:
        members = record_members(record)
        words = [members.pop("time"), members.pop("level"), members.pop("logger")]
        if "request" in members:
            words.append(f"[{members.pop('request')}]")
        if "duration_ms" in members:
            members["duration_ms"] = f"{members['duration_ms']} ms"
        line = " ".join(map(str, [*words, *members.values()]))
        return UNPRINTABLE.sub(escape_character, line)


def escape_character(match: re.Match[str]) -> str:
    return "\\n" if match[0] == "\n" else f"\\u{ord(match[0]):04x}"
