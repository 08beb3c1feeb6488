"""Log records: one line each, as text or as JSON, and one record for each request.

A line has the time in UTC, the level, the id of the request, its method, its path, the status and
the duration. It has no client address, no query string and no header: `/privacy` promises
that the log has no personal data.
"""

import json
import logging
import random
import re
import time
import traceback
from collections.abc import Iterable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.handlers.wsgi import get_path_info
from django.http import HttpRequest

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

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


class RequestId:
    """A WSGI application that gives each request an id, which its log records have."""

    def __init__(self, application: "WSGIApplication") -> None:
        self.application = application

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        token = request_id.set(id_of_request(environ))
        try:
            return self.application(environ, start_response)
        finally:
            request_id.reset(token)


class AccessLog(RequestId):
    """A WSGI application that also logs the response to each request (`ACCESS_LOG`)."""

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        return super().__call__(environ, log_response(environ, start_response))


def log_response(environ: "WSGIEnvironment", start_response: "StartResponse") -> "StartResponse":
    """Return a function that logs the response to a request before it is sent."""
    began = time.perf_counter()
    # Django changes the path of the environment.
    method, path = environ["REQUEST_METHOD"], get_path_info(environ)

    def respond(status: str, *more: Any) -> Any:
        members = request_members(method, path, int(status[:3]))
        duration = round(1000 * (time.perf_counter() - began), 1)
        access.info("", extra={**members, "duration_ms": duration})
        return start_response(status, *more)

    return respond


def id_of_request(environ: "WSGIEnvironment") -> str:
    """Return the id that a trusted proxy gave to a request, or a new one."""
    proposed = environ.get("HTTP_X_REQUEST_ID", "") if settings.BEHIND_PROXY else ""
    if VALID_ID.fullmatch(proposed):
        return proposed
    # `secrets` asks the kernel, which would let another thread run in the middle of each request.
    return f"{random.getrandbits(64):016x}"


def request_members(method: str, path: str, status: int | None) -> dict[str, Any]:
    """Return method, path and status, without the token of a link that sets a password."""
    shown = PASSWORD_LINK.sub(r"\1…", path)[:MAX_PATH_CHARACTERS]
    return {"method": method, "path": shown, "status": status}


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
        members |= request_members(
            request.META["REQUEST_METHOD"], request.path_info, getattr(record, "status_code", None)
        )
        members["message"] = record.getMessage().partition(": ")[0]
    return {name: value for name, value in members.items() if value not in ("", None)}


RESPONSE_MEMBERS = ("method", "path", "status", "duration_ms")


class ServerFilter(logging.Filter):
    """Leaves out granian's advice to have few threads: here most of them wait for a rendering."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "Python threads" not in str(record.msg)


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
