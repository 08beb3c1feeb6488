"""Whether an address serves a release: all that its manifest tells, nothing that was removed.

The comparison is that of parity, with what a deploy job has the time to ask: every document at
every address and in every coding by GET, and by HEAD; every redirect; the errors that can be
provoked. `manage.py parity` asks everything else, too.
"""

from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus
from pathlib import Path

from catalogue import addresses
from site_mirror.hosts import answers
from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.host import Host
from site_mirror.hosts.parity import Reading, checks
from site_mirror.hosts.promised.documents import coded, plain
from site_mirror.hosts.promised.promise import (
    NOTHING,
    Content,
    Form,
    Promise,
    asking,
    both,
    needing,
)
from site_mirror.hosts.release import API
from site_mirror.hosts.wire import Unreachable, Wire
from site_mirror.snapshot.entries import Entry, ErrorBody, Redirect
from site_mirror.snapshot.errors import ManifestDamaged, Unanswered
from site_mirror.snapshot.layout import REMOVED
from site_mirror.snapshot.manifest import Manifest, read
from site_mirror.snapshot.removed import gone_since, read_removed
from site_mirror.snapshot.verification import Finding, manifest_of, of_signature

UNKNOWN = "nothing-is-here"
GONE = (404, 410)


def of_address(
    wire: Wire, path: Path, host: Host, public_key: str = "", previous: Path | None = None
) -> Iterator[Finding]:
    """Everything at an address that is not as the manifest in a file tells.

    What must be gone is what the release removed, or all that only `previous` knows. Raises
    `Unanswered` and `ManifestDamaged`.
    """
    told = whole(path)
    removed = gone_since(whole(manifest_of(previous)), told) if previous else removed_by(path)
    if public_key:
        yield from of_signature(path, public_key)
    try:
        with wire:
            yield from replayed(wire, promises(told, removed), host)
    except Unreachable as error:
        raise Unanswered(str(error)) from error


def replayed(wire: Wire, asked: Iterable[Promise], host: Host) -> Iterator[Finding]:
    reading = Reading(host.adds)
    for promise in asked:
        for check in checks(promise, wire.ask(promise.request), reading):
            if check.fault and not check.needs & host.cannot.keys():
                yield Finding(f"{check.request}:", check.fault)


def whole(path: Path) -> Manifest:
    """Raises `ManifestDamaged`."""
    found = read(path)
    if found is None:
        raise ManifestDamaged(path, "it is missing, or is not whole")
    return found


def removed_by(path: Path) -> list[str]:
    """What the release of a manifest removed, as far as it lies beside."""
    return read_removed(path.with_name(REMOVED))


def promises(told: Manifest, removed: Iterable[str]) -> Iterator[Promise]:
    for entry in told.documents:
        yield from document(entry)
    for each in told.redirects:
        yield from both(redirect(each))
    for error in told.errors:
        yield from provoked(error)
    for address in removed:
        yield Promise(needing(Ability.NOT_FOUND), asking(address), GONE, None, Form.NO_PAGE)


def document(entry: Entry) -> Iterator[Promise]:
    for address in (entry.address, *entry.aliases):
        yield from both(plain(entry, address))
    for coding in entry.encodings:
        yield coded(entry, coding, entry.address, coding.encoding)


def redirect(moved: Redirect) -> Promise:
    needs, request = needing(Ability.REDIRECTS), asking(moved.address)
    return Promise(needs, request, (moved.status,), moved.headers, NOTHING)


def provoked(error: ErrorBody) -> Iterator[Promise]:
    """Answers to an unknown address below the error's scope, and to a method that writes.

    An error of the API announces the end of its version below the address of that version only.
    """
    yield from provoked_below(error.scope, error, answers.unannounced(error.headers))
    if error.scope == API:
        yield from provoked_below(f"{addresses.API}/", error, error.headers)


def provoked_below(scope: str, error: ErrorBody, headers: Mapping[str, str]) -> Iterator[Promise]:
    content, unknown = Content(error.size, error.sha256), f"{scope}{UNKNOWN}"
    if error.status == HTTPStatus.NOT_FOUND:
        needs = needing(Ability.NOT_FOUND)
        yield from both(Promise(needs, asking(unknown), (404,), headers, content))
    elif error.status == HTTPStatus.METHOD_NOT_ALLOWED:
        request = asking(unknown, "POST")
        yield Promise(needing(Ability.METHODS), request, (405,), headers, content)
