"""The WSGI environment of a request from its ASGI scope, within the limits.

Sources: PEP 3333; RFC 9110, sections 5.3 and 15.5; RFC 9112, section 3; RFC 3986, section 2.2.
"""

import codecs
import re
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote_to_bytes

from site_mirror.live import limits

REFUSAL = "site_mirror.refusal"
"""The key of the status that is the response to a request that exceeds a limit."""

ENCODED_SLASH = re.compile(rb"%2f", re.IGNORECASE)
NOT_VISIBLE_ASCII = re.compile(rb"[^!-~]")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
ADMIN_PREFIX = "/admin/"
HEADERS_WITHOUT_PREFIX = ("content-type", "content-length")
"""Headers whose variables do not begin with `HTTP_` (PEP 3333)."""


def environ_of(scope: dict[str, Any]) -> dict[str, Any]:
    """Return the environment of a request without its body; set `REFUSAL` if it is too long."""
    path, query = scope["raw_path"], scope["query_string"]
    headers = scope["headers"]
    host, port = scope["server"]
    environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": scope["client"][0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    if len(path) + len(query) > limits.MAX_TARGET_BYTES:
        environ[REFUSAL] = HTTPStatus.REQUEST_URI_TOO_LONG
        path, query = path[: limits.MAX_TARGET_BYTES], b""
    if sum(len(name) + len(value) for name, value in headers) > limits.MAX_HEADER_BYTES:
        environ[REFUSAL] = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
        headers = [(name, value) for name, value in headers if name == b"host"]
    target = path + (b"?" + query if query else b"")
    return (
        environ
        | header_variables(headers)
        | {
            "PATH_INFO": decode_path(path),
            "QUERY_STRING": query.decode("latin-1"),
            "REQUEST_URI": NOT_VISIBLE_ASCII.sub(percent_encode_byte, target).decode("ascii"),
        }
    )


def decode_path(raw: bytes) -> str:
    """Decode a path into characters of one byte each, as PEP 3333 requires.

    An encoded slash is data, not a separator (RFC 3986, section 2.2), so it stays encoded.
    """
    path = b"%2F".join(map(unquote_to_bytes, ENCODED_SLASH.split(raw)))
    return path.decode(errors="percent-encode").encode().decode("latin-1")


def percent_encode_invalid(error: UnicodeError) -> tuple[str, int]:
    """Percent-encode bytes that are not UTF-8, as Django does, but in linear time."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    wrong = error.object[error.start : error.end]
    return "".join(f"%{byte:02X}" for byte in wrong), error.end


codecs.register_error("percent-encode", percent_encode_invalid)


def percent_encode_byte(byte: re.Match[bytes]) -> bytes:
    return b"%%%02X" % byte[0][0]


def header_variables(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return the variables of the headers; several lines of one name become a list.

    A name with an underscore is left out, because its variable is that of the name with a hyphen:
    `X_Forwarded_For` would be taken for a header that a proxy sets. A `Content-Type` that is too
    long is left out, because Django reads its parameters in quadratic time.
    """
    environ = dict[str, str]()
    for raw_name, raw_value in headers:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        if "_" in name or (name == "content-type" and len(value) > limits.MAX_CONTENT_TYPE_BYTES):
            continue
        key = name.upper().replace("-", "_")
        key = key if name in HEADERS_WITHOUT_PREFIX else f"HTTP_{key}"
        separator = ","
        if name == "cookie":
            value, separator = drop_malformed_cookies(value), ";"
        environ[key] = f"{environ[key]}{separator}{value}" if key in environ else value
    return environ


def drop_malformed_cookies(value: str) -> str:
    """Remove cookies with a backslash, which is not allowed (RFC 6265, section 4.1.1).

    Python before 3.11.10 reads backslashes in quadratic time (CVE-2024-7592).
    """
    return ";".join(cookie for cookie in value.split(";") if "\\" not in cookie)


def has_readable_body(environ: dict[str, Any]) -> bool:
    """Whether the body of a request is read: only the admin reads bodies."""
    return (
        environ["REQUEST_METHOD"] not in SAFE_METHODS
        and environ["PATH_INFO"].startswith(ADMIN_PREFIX)
        and REFUSAL not in environ
    )
