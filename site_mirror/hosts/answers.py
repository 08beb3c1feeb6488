"""What hosts answer beside the documents and errors of a manifest, as pure functions of it."""

import re
from collections.abc import Mapping

from api.headers import HSTS, NO_STORE, Headers, preflight_headers, redirect_headers
from catalogue import addresses
from site_mirror.headers import VARY_NEGOTIATED
from site_mirror.hosts.release import API, SITE, Release, scope_of
from site_mirror.snapshot.entries import Entry
from site_mirror.snapshot.manifest import ErrorBody

STATUSES = (400, 404, 405, 412, 429, 500)
"""Of errors that a host answers."""

LIFECYCLE = ("Deprecation", "Sunset", "Link")
OF_A_BODY = ("Content-Length", "Content-Type", "Content-Encoding", "Content-Language")
MARKS = ("[This page as HTML]", "[As Markdown]")
NOT_ACCEPTABLE = "# 406 Not Acceptable\n\nThis page exists as text/html and as text/markdown.\n\n"


def transport(release: Release) -> Headers:
    """Strict-Transport-Security as the release was frozen with it, on every response or on none."""
    headers = release.error(API, 404).headers
    return {HSTS: headers[HSTS]} if HSTS in headers else {}


def lifecycle(release: Release) -> Headers:
    """The announced end of the API's version, which each of its answers carries."""
    headers = release.error(API, 404).headers
    return {name: headers[name] for name in LIFECYCLE if name in headers}


def announced(release: Release, address: str) -> Headers:
    path = address.partition("?")[0]
    return lifecycle(release) if addresses.is_of_this_version(path) else {}


def preflight(release: Release, address: str) -> Headers:
    """Headers of the 204 that answers OPTIONS."""
    return preflight_headers() | announced(release, address) | transport(release)


def moved(release: Release, address: str, location: str) -> Headers:
    """Headers of the 308 to the one form of an address."""
    return (
        redirect_headers()
        | announced(release, address)
        | transport(release)
        | {"Location": location, "Content-Length": "0"}
    )


def refused(release: Release, address: str, status: int) -> Headers:
    """Headers of an error at an address."""
    headers = release.error(scope_of(address), status).headers
    if announced(release, address):
        return dict(headers)
    return unannounced(headers)


def unannounced(headers: Mapping[str, str]) -> Headers:
    """Headers of an error of the API at an address that is not of this version."""
    return {name: value for name, value in headers.items() if name not in LIFECYCLE}


def is_announced(error: ErrorBody) -> bool:
    """Whether an error of this version of the API announces its end; a fault does not."""
    return any(name in error.headers for name in LIFECYCLE)


def not_modified(headers: Mapping[str, str]) -> Headers:
    """A 200's headers without those that describe its body (RFC 9110, section 15.4.5)."""
    return {name: value for name, value in headers.items() if name not in OF_A_BODY}


def negotiated(page: Entry, mirror: Entry) -> Headers:
    """What Markdown by negotiation has instead of, or beside, the headers of the mirror."""
    return {**VARY_NEGOTIATED, "Content-Location": mirror.address}


def not_acceptable(release: Release, page: str, mirror: str) -> bytes:
    """The text of a 406: where the page is, then the ways on of a 404."""
    ways_on = release.bodies[SITE, 404].decode().rpartition("\n\n")[2]
    places = zip(MARKS, (page, mirror), strict=True)
    here = "".join(f"- {mark}({release.root}{address})\n" for mark, address in places)
    return f"{NOT_ACCEPTABLE}{here}{ways_on}".encode()


def not_acceptable_headers(release: Release) -> Headers:
    """A 406's headers, but for its length."""
    headers = {**release.error(SITE, 404).headers, **NO_STORE, **VARY_NEGOTIATED}
    del headers["Content-Length"]
    return headers


def canonical(path: str) -> str:
    """One slash between parts, and none at the end but that of a version's index."""
    collapsed = re.sub(r"/{2,}", "/", path)
    if collapsed == "/" or addresses.is_version_index(collapsed):
        return collapsed
    return collapsed.rstrip("/")
