"""What a client requested: the WSGI environment of an ASGI scope, within the limits.

Sources: PEP 3333; RFC 9110, sections 5.3 and 15.5; RFC 9112, section 3; RFC 3986, section 2.2.
"""

import codecs
import re
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote_to_bytes

from site_mirror import limits

REFUSAL = "site_mirror.refusal"
"""Key of the environment: the status that a request gets that exceeds a limit."""

ENCODED_SLASH = re.compile(rb"%2f", re.IGNORECASE)
UNPRINTABLE = re.compile(rb"[^!-~]")
READING = ("GET", "HEAD", "OPTIONS")
ADMIN = "/admin/"
OF_THE_BODY = ("content-type", "content-length")


def environ_of(scope: dict[str, Any]) -> dict[str, Any]:
    """The environment of a request without its body; `REFUSAL` is set if it is too long."""
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
    if len(path) + len(query) > limits.REQUEST_TARGET:
        environ[REFUSAL] = HTTPStatus.REQUEST_URI_TOO_LONG
        path, query = path[: limits.REQUEST_TARGET], b""
    if sum(len(name) + len(value) for name, value in headers) > limits.HEADERS:
        environ[REFUSAL] = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
        headers = [(name, value) for name, value in headers if name == b"host"]
    target = path + (b"?" + query if query else b"")
    return (
        environ
        | headers_of(headers)
        | {
            "PATH_INFO": path_of(path),
            "QUERY_STRING": query.decode("latin-1"),
            "REQUEST_URI": UNPRINTABLE.sub(percent_encoded, target).decode("ascii"),
        }
    )


def path_of(raw: bytes) -> str:
    """The path decoded, as PEP 3333 wants it: a character a byte.

    An encoded slash is data and separates nothing (RFC 3986, section 2.2): it stays encoded.
    """
    path = b"%2F".join(map(unquote_to_bytes, ENCODED_SLASH.split(raw)))
    return path.decode(errors="percent-encode").encode().decode("latin-1")


def encoded_again(error: UnicodeError) -> tuple[str, int]:
    """Bytes that are not UTF-8, percent-encoded, as Django has them; it takes quadratic time."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    wrong = error.object[error.start : error.end]
    return "".join(f"%{byte:02X}" for byte in wrong), error.end


codecs.register_error("percent-encode", encoded_again)


def percent_encoded(byte: re.Match[bytes]) -> bytes:
    return b"%%%02X" % byte[0][0]


def headers_of(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Headers as the environment has them; several lines of one name become a list.

    A name with an underscore is left out: PEP 3333 cannot tell it from one with a hyphen, so
    `X_Forwarded_For` would pass for a header that a proxy sets. So is a `Content-Type` that is too
    long: Django reads its parameters in quadratic time.
    """
    environ = dict[str, str]()
    for raw_name, raw_value in headers:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        if "_" in name or (name == "content-type" and len(value) > limits.CONTENT_TYPE):
            continue
        key = name.upper().replace("-", "_")
        key = key if name in OF_THE_BODY else f"HTTP_{key}"
        separator = ","
        if name == "cookie":
            value, separator = well_formed_cookies(value), ";"
        environ[key] = f"{environ[key]}{separator}{value}" if key in environ else value
    return environ


def well_formed_cookies(value: str) -> str:
    """The cookies without a backslash, which none may have (RFC 6265, section 4.1.1).

    Python before 3.11.10 reads backslashes in quadratic time (CVE-2024-7592).
    """
    return ";".join(cookie for cookie in value.split(";") if "\\" not in cookie)


def sends_a_body(environ: dict[str, Any]) -> bool:
    """Whether the body of a request is read: only the admin reads any."""
    return (
        environ["REQUEST_METHOD"] not in READING
        and environ["PATH_INFO"].startswith(ADMIN)
        and REFUSAL not in environ
    )
