"""Headers and bodies of responses that are not in a manifest, as pure functions of a release."""

from collections.abc import Mapping

from api.headers import HSTS, NO_STORE, Headers, preflight_headers, redirect_headers
from catalogue import addresses
from site_mirror.documents.headers import BODY_HEADERS, VARY_NEGOTIATED
from site_mirror.hosts.release import API_SCOPE, SITE_SCOPE, ServedRelease, scope_of
from site_mirror.snapshot.entries import Entry
from site_mirror.snapshot.manifest import ErrorBody

ERROR_STATUSES = (400, 404, 405, 412, 429, 500)
"""Statuses of the errors that a host sends."""

LIFECYCLE_HEADERS = ("Deprecation", "Sunset", "Link")
LINK_LABELS = ("[This page as HTML]", "[As Markdown]")
NOT_ACCEPTABLE_TEXT = (
    "# 406 Not Acceptable\n\nThis page exists as text/html and as text/markdown.\n\n"
)


def hsts_headers_of(release: ServedRelease) -> Headers:
    """Return Strict-Transport-Security if the release was frozen with it: all responses have it."""
    headers = release.error(API_SCOPE, 404).headers
    return {HSTS: headers[HSTS]} if HSTS in headers else {}


def lifecycle_headers_of(release: ServedRelease) -> Headers:
    """Return the announced end of the API's version, which all its responses have."""
    headers = release.error(API_SCOPE, 404).headers
    return {name: headers[name] for name in LIFECYCLE_HEADERS if name in headers}


def announcement_headers(release: ServedRelease, address: str) -> Headers:
    path = address.partition("?")[0]
    return lifecycle_headers_of(release) if addresses.is_of_this_version(path) else {}


def options_headers(release: ServedRelease, address: str) -> Headers:
    """Return the headers of the 204 for OPTIONS."""
    return preflight_headers() | announcement_headers(release, address) | hsts_headers_of(release)


def location_headers(release: ServedRelease, address: str, location: str) -> Headers:
    """Return the headers of the 308 to the canonical form of an address."""
    return (
        redirect_headers()
        | announcement_headers(release, address)
        | hsts_headers_of(release)
        | {"Location": location, "Content-Length": "0"}
    )


def error_headers(release: ServedRelease, address: str, status: int) -> Headers:
    """Return the headers of an error at an address."""
    headers = release.error(scope_of(address), status).headers
    if announcement_headers(release, address):
        return dict(headers)
    return without_announcement(headers)


def without_announcement(headers: Mapping[str, str]) -> Headers:
    """Return the headers of an error of the API at an address that is not of this version."""
    return {name: value for name, value in headers.items() if name not in LIFECYCLE_HEADERS}


def is_announced(error: ErrorBody) -> bool:
    """Whether an error announces the end of this version of the API; a server error does not."""
    return any(name in error.headers for name in LIFECYCLE_HEADERS)


def not_modified_headers(headers: Mapping[str, str]) -> Headers:
    """Return the headers of a 304: those of a 200 that do not describe its body."""
    return {name: value for name, value in headers.items() if name not in BODY_HEADERS}


def negotiation_headers(page: Entry, mirror: Entry) -> Headers:
    """Return the headers of a negotiated mirror that differ from those at its own address."""
    return {**VARY_NEGOTIATED, "Content-Location": mirror.address}


def not_acceptable_body(release: ServedRelease, page: str, mirror: str) -> bytes:
    """Return the text of a 406: links to both forms of the page, then the links of a 404."""
    links = release.bodies[SITE_SCOPE, 404].decode().rpartition("\n\n")[2]
    forms = zip(LINK_LABELS, (page, mirror), strict=True)
    own = "".join(f"- {label}({release.root}{address})\n" for label, address in forms)
    return f"{NOT_ACCEPTABLE_TEXT}{own}{links}".encode()


def not_acceptable_headers(release: ServedRelease) -> Headers:
    """Return the headers of a 406 without its length."""
    headers = {**release.error(SITE_SCOPE, 404).headers, **NO_STORE, **VARY_NEGOTIATED}
    del headers["Content-Length"]
    return headers
