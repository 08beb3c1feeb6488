"""Headers and bodies of responses that are not in a manifest, as pure functions of a release."""

from collections.abc import Iterable, Mapping

from api.headers import HSTS, NO_STORE, PREFLIGHT_HEADERS, REDIRECT_HEADERS, Headers
from catalogue import addresses
from catalogue.addresses import Site
from site_mirror.documents.error_bodies import not_acceptable_body
from site_mirror.documents.headers import BODY_HEADERS, VARY_NEGOTIATED
from site_mirror.hosts.release import API_SCOPE, ServedRelease, scope_of
from site_mirror.snapshot.entries import ErrorBody

ERROR_STATUSES = (400, 404, 405, 412, 429, 500)
"""Statuses of the errors that a host sends."""

LIFECYCLE_HEADERS = ("Deprecation", "Sunset", "Link")


def lifecycle_headers_of(release: ServedRelease) -> Headers:
    """Return the announced end of the API's version, which all its responses have."""
    headers = release.error(API_SCOPE, 404).headers
    return {name: headers[name] for name in LIFECYCLE_HEADERS if name in headers}


def headers_of_all(release: ServedRelease, address: str) -> Headers:
    """Return the announced end of the version, if the address is one of it, and HSTS.

    Strict-Transport-Security is in all responses if the release was frozen with it.
    """
    is_announced = addresses.is_of_this_version(address.partition("?")[0])
    headers = release.error(API_SCOPE, 404).headers
    return (lifecycle_headers_of(release) if is_announced else {}) | {
        name: headers[name] for name in (HSTS,) if name in headers
    }


def options_headers(release: ServedRelease, address: str) -> Headers:
    return PREFLIGHT_HEADERS | headers_of_all(release, address)


def moved_headers(release: ServedRelease, address: str) -> Headers:
    """Return the headers of the 308 to the canonical form, without those of the new address."""
    return REDIRECT_HEADERS | headers_of_all(release, address)


def error_headers(release: ServedRelease, address: str, status: int) -> Headers:
    """Return the headers of an error at an address: one of another version has no announcement."""
    headers = release.error(scope_of(address), status).headers
    is_announced = addresses.is_of_this_version(address.partition("?")[0])
    return dict(headers) if is_announced else without(headers, LIFECYCLE_HEADERS)


def shared_error_headers(error: ErrorBody) -> Headers:
    """Return the headers of an error that do not depend on the address or the method."""
    return without(error.headers, (*LIFECYCLE_HEADERS, "Content-Length"))


def is_announced(error: ErrorBody) -> bool:
    """Whether an error announces the end of this version of the API; a server error does not."""
    return any(name in error.headers for name in LIFECYCLE_HEADERS)


def not_modified_headers(headers: Mapping[str, str]) -> Headers:
    """Return the headers of a 304: those of a 200 that do not describe its body."""
    return without(headers, BODY_HEADERS)


def without(headers: Mapping[str, str], names: Iterable[str]) -> Headers:
    return {name: value for name, value in headers.items() if name not in names}


def not_acceptable_headers(release: ServedRelease, scope: str) -> Headers:
    headers = {**release.error(scope, 404).headers, **NO_STORE, **VARY_NEGOTIATED}
    return without(headers, ["Content-Length"])


def not_acceptable_text(release: ServedRelease, scope: str, page: str, mirror: str) -> bytes:
    """Return the body of a 406, in the language of the scope's other errors."""
    language = release.error(scope, 404).headers["Content-Language"]
    return not_acceptable_body(Site(release.root), page, mirror, language)
