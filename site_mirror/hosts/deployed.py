"""The comparison of a deployed site with a manifest, for deploy jobs.

It is faster than `manage.py parity`: it requests each document at each address and in each coding
by GET, and by HEAD; each redirect; the errors that a request can cause; and removed addresses.
"""

from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus
from pathlib import Path

from catalogue import addresses
from site_mirror.hosts import responses
from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.expected.documents import expect_coding, expect_identity
from site_mirror.hosts.expected.expectation import (
    EMPTY_BODY,
    AnyBody,
    Expectation,
    ExpectedBody,
    make_request,
    needs_of,
    with_head,
)
from site_mirror.hosts.host import Host
from site_mirror.hosts.http_client import HttpClient, Unreachable
from site_mirror.hosts.parity import Tolerance, compare_response
from site_mirror.hosts.release import API_SCOPE
from site_mirror.snapshot.entries import Entry, ErrorBody, Redirect
from site_mirror.snapshot.errors import ManifestDamaged, Unanswered
from site_mirror.snapshot.layout import REMOVED
from site_mirror.snapshot.manifest import Manifest, read_manifest
from site_mirror.snapshot.removed import addresses_gone_since, read_removed
from site_mirror.snapshot.verify import Discrepancy, manifest_path

UNKNOWN_NAME = "nothing-is-here"
GONE_STATUSES = (404, 410)


def compare_deployed(
    http: HttpClient,
    path: Path,
    host: Host,
    previous: Path | None = None,
) -> Iterator[Discrepancy]:
    """Yield the discrepancies of a deployed site from the manifest in a file.

    Addresses that the release removed, or that only the manifest `previous` has, must not exist.
    Raises `Unanswered` and `ManifestDamaged`.
    """
    manifest = read_whole_manifest(path)
    removed = (
        addresses_gone_since(read_whole_manifest(manifest_path(previous)), manifest)
        if previous
        else removed_addresses(path)
    )
    try:
        with http:
            yield from replay(http, expectations(manifest, removed), host)
    except Unreachable as error:
        raise Unanswered(str(error)) from error


def replay(http: HttpClient, asked: Iterable[Expectation], host: Host) -> Iterator[Discrepancy]:
    tolerance = Tolerance(host.adds)
    for expected in asked:
        for check in compare_response(expected, http.ask(expected.request), tolerance):
            if check.fault and not check.needs & host.cannot.keys():
                yield Discrepancy(f"{check.request}:", check.fault)


def read_whole_manifest(path: Path) -> Manifest:
    """Read a complete manifest. Raises `ManifestDamaged`."""
    manifest = read_manifest(path)
    if manifest is None:
        raise ManifestDamaged(path, "it is missing, or is not whole")
    return manifest


def removed_addresses(path: Path) -> list[str]:
    """Return the removed addresses in the folder of a manifest; empty if it has no such file."""
    return read_removed(path.with_name(REMOVED))


def expectations(manifest: Manifest, removed: Iterable[str]) -> Iterator[Expectation]:
    for entry in manifest.documents:
        yield from expect_document(entry)
    for each in manifest.redirects:
        yield from with_head(expect_redirect(each))
    for error in manifest.errors:
        yield from expect_error(error)
    for address in removed:
        yield Expectation(
            needs_of(Capability.NOT_FOUND),
            make_request(address),
            GONE_STATUSES,
            None,
            AnyBody.NO_PAGE,
        )


def expect_document(entry: Entry) -> Iterator[Expectation]:
    for address in (entry.address, *entry.aliases):
        yield from with_head(expect_identity(entry, address))
    for coding in entry.encodings:
        yield expect_coding(entry, coding, entry.address, coding.encoding)


def expect_redirect(moved: Redirect) -> Expectation:
    needs, request = needs_of(Capability.REDIRECTS), make_request(moved.address)
    return Expectation(needs, request, (moved.status,), moved.headers, EMPTY_BODY)


def expect_error(error: ErrorBody) -> Iterator[Expectation]:
    """Yield the error for an unknown address in its scope, or for a method that writes.

    An error of the API announces the end of its version only below the address of that version.
    """
    yield from expect_error_below(error.scope, error, responses.without_announcement(error.headers))
    if error.scope == API_SCOPE:
        yield from expect_error_below(f"{addresses.API}/", error, error.headers)


def expect_error_below(
    scope: str, error: ErrorBody, headers: Mapping[str, str]
) -> Iterator[Expectation]:
    content, unknown = ExpectedBody(error.size, error.sha256), f"{scope}{UNKNOWN_NAME}"
    if error.status == HTTPStatus.NOT_FOUND:
        needs = needs_of(Capability.NOT_FOUND)
        yield from with_head(Expectation(needs, make_request(unknown), (404,), headers, content))
    elif error.status == HTTPStatus.METHOD_NOT_ALLOWED:
        request = make_request(unknown, "POST")
        yield Expectation(needs_of(Capability.METHODS), request, (405,), headers, content)
