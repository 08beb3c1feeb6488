"""What a release that is staged would change, address by address, in words."""

from collections.abc import Iterator, Mapping
from itertools import chain

import orjson
from msgspec import Struct
from msgspec.structs import asdict, replace

from site_mirror.encodings import digest
from site_mirror.snapshot import lines
from site_mirror.snapshot.candidate import Candidate
from site_mirror.snapshot.entries import Entry, ErrorBody, Redirect
from site_mirror.snapshot.files import body
from site_mirror.snapshot.held import Held, lines_of
from site_mirror.snapshot.layout import ERRORS, PUBLIC
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.marks import mark
from site_mirror.snapshot.members import changed_members
from site_mirror.snapshot.quoting import was_and_is
from site_mirror.snapshot.removed import unanswered
from site_mirror.snapshot.texts import changed_lines

OF_THE_BYTES = ("ETag", "Last-Modified", "Content-Length")
"""Headers that differ wherever the bytes do."""
AFRESH = "is written afresh: its file was not as it was published"
TEXT = ("text/", "image/svg+xml", "application/xml", "application/atom+xml")


class Difference(Struct, frozen=True):
    """What would change at an address."""

    address: str
    change: str

    def members(self) -> dict[str, str]:
        return asdict(self)

    def __str__(self) -> str:
        return f"{self.address}: {self.change}"


def differences(candidate: Candidate) -> Iterator[Difference]:
    """In the order of the new release; then what goes, then redirects and errors."""
    yield from changed_documents(candidate, lines_of(candidate.place.published))
    moved = {redirect.address: redirect for redirect in candidate.manifest.redirects}
    for address in gone(candidate):
        leads = f", leads to {moved.pop(address).location}" if address in moved else ""
        yield Difference(address, f"is gone{leads}")
    yield from changed_redirects(candidate.before, moved)
    yield from changed_errors(candidate)
    for name in candidate.strange:
        yield Difference(name, "does not belong to the release and is left out")


def gone(candidate: Candidate) -> Iterator[str]:
    """Addresses of documents that are no longer published, in the order in which they were."""
    answered = {mark(entry.address.encode()) for entry in candidate.manifest.documents}
    for line in unanswered(candidate.before, answered) if candidate.before else ():
        yield orjson.loads(line)["document"]


def changed_documents(candidate: Candidate, before: Held) -> Iterator[Difference]:
    documents, healed = candidate.manifest.documents, frozenset(candidate.healed)
    for entry, line in zip(documents, documents.raw(), strict=True):
        previous = before.line(entry.address)
        if healed and not healed.isdisjoint(f"{PUBLIC}/{file}" for file in entry.files):
            yield Difference(entry.address, AFRESH)
            continue
        if previous is None:
            yield Difference(entry.address, f"is new ({entry.media_type}, {entry.size} bytes)")
        elif previous != line and candidate.before:
            was = lines.document(previous, candidate.before.documents.profiles)
            if replace(was, inputs=entry.inputs) == entry:
                continue
            changes = changed_document(candidate, was, entry)
            first = next(changes, AFRESH)
            for change in chain([first], changes):
                yield Difference(entry.address, change)


def changed_document(candidate: Candidate, was: Entry, now: Entry) -> Iterator[str]:
    yield from changed_attributes(was, now)
    yield from changed_headers(was.headers, now.headers)
    if was.sha256 != now.sha256:
        old = published(candidate, f"{PUBLIC}/{was.file}")
        if old is None or digest(old) != was.sha256:
            yield AFRESH
            return
        new = (candidate.place.folder / PUBLIC / now.file).read_bytes()
        yield from changed_body(now.media_type, old, new)


def published(candidate: Candidate, file: str) -> bytes | None:
    place = candidate.place.published
    try:
        return body(place, file) if place else None
    except OSError:
        return None


def changed_attributes(was: Entry, now: Entry) -> Iterator[str]:
    names = {"status": "status", "file": "file", "media_type": "media type", "family": "family"}
    for name, words in names.items():
        if getattr(was, name) != getattr(now, name):
            yield f"{words} {was_and_is(getattr(was, name), getattr(now, name))}"
    if was.aliases != now.aliases:
        yield f"aliases {was_and_is(list(was.aliases), list(now.aliases))}"


def changed_headers(was: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    def told(headers: Mapping[str, str]) -> dict[str, str]:
        silent = (*OF_THE_BYTES, "Content-Type")
        return {f"header {name}": headers[name] for name in sorted(headers) if name not in silent}

    yield from changed_members(told(was), told(now))


def changed_body(media_type: str, was: bytes, now: bytes) -> Iterator[str]:
    kind = media_type.partition(";")[0]
    if kind.endswith("json"):
        yield from changed_members(orjson.loads(was), orjson.loads(now))
    elif kind.startswith(TEXT):
        yield from changed_lines(was.decode(), now.decode())
    else:
        yield f"{len(was)} bytes are now {len(now)} other bytes"


def changed_redirects(before: Manifest | None, now: Mapping[str, Redirect]) -> Iterator[Difference]:
    """Of addresses that were no documents; those that were are told there."""
    was = {redirect.address: redirect for redirect in before.redirects} if before else {}
    for address, redirect in now.items():
        if address not in was:
            yield Difference(address, f"leads to {redirect.location}")
        elif was[address] != redirect:
            old = was[address]
            where = changed_members(old.location, redirect.location, "where it leads")
            headers = {**redirect.headers, "Location": old.location}
            for change in chain(where, changed_headers(old.headers, headers)):
                yield Difference(address, change)
    for address in was.keys() - now.keys():
        yield Difference(address, f"no longer leads to {was[address].location}")


def changed_errors(candidate: Candidate) -> Iterator[Difference]:
    was = {error.file: error for error in candidate.before.errors} if candidate.before else {}
    for error in candidate.manifest.errors:
        for change in changed_error(candidate, was.get(error.file), error):
            yield Difference(f"the body of a {error.status} below {error.scope}", change)


def changed_error(candidate: Candidate, was: ErrorBody | None, now: ErrorBody) -> Iterator[str]:
    if was is None:
        yield "is new"
        return
    yield from changed_headers(was.headers, now.headers)
    old = published(candidate, f"{ERRORS}/{was.file}") or b""
    if digest(old) != was.sha256:
        yield AFRESH
    elif was != replace(now, headers=was.headers):
        new = (candidate.place.folder / ERRORS / now.file).read_bytes()
        yield from changed_body(now.media_type, old, new)
