"""Describe what publishing a staged release would change, address by address."""

from collections.abc import Iterator, Mapping
from itertools import chain

import orjson
from msgspec.structs import replace

from site_mirror.documents.encodings import sha256_hex
from site_mirror.snapshot import lines
from site_mirror.snapshot.address_hashes import address_hash
from site_mirror.snapshot.candidate import Candidate
from site_mirror.snapshot.entries import Entry, ErrorBody, Redirect
from site_mirror.snapshot.files import read_file
from site_mirror.snapshot.layout import ERRORS, PUBLIC
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.members import changed_members
from site_mirror.snapshot.published_lines import PublishedLines, published_lines
from site_mirror.snapshot.removed import unanswered_lines
from site_mirror.snapshot.report import Difference
from site_mirror.snapshot.texts import changed_lines
from site_mirror.snapshot.wording import describe_change

BYTE_DEPENDENT_HEADERS = ("ETag", "Last-Modified", "Content-Length")
"""Headers that differ whenever the bytes do, so that their changes are not worth a line."""
REWRITTEN = "is written afresh: its file was not as it was published"
TEXT_MEDIA_TYPES = ("text/", "image/svg+xml", "application/xml", "application/atom+xml")


def find_differences(candidate: Candidate) -> Iterator[Difference]:
    """Yield changes of documents in their order, then removed ones, redirects and errors."""
    yield from changed_documents(candidate, published_lines(candidate.workspace.published))
    moved = {redirect.address: redirect for redirect in candidate.manifest.redirects}
    for address in removed_documents(candidate):
        leads = f", leads to {moved.pop(address).location}" if address in moved else ""
        yield Difference(address, f"is gone{leads}")
    yield from changed_redirects(candidate.previous, moved)
    yield from changed_errors(candidate)
    for name in candidate.strange:
        yield Difference(name, "does not belong to the release and is left out")


def removed_documents(candidate: Candidate) -> Iterator[str]:
    """Yield addresses of documents that are no longer published, in their former order."""
    answered = {address_hash(entry.address.encode()) for entry in candidate.manifest.documents}
    for line in unanswered_lines(candidate.previous, answered) if candidate.previous else ():
        yield orjson.loads(line)["document"]


def changed_documents(candidate: Candidate, before: PublishedLines) -> Iterator[Difference]:
    documents, healed = candidate.manifest.documents, frozenset(candidate.healed)
    for entry, line in zip(documents, documents.raw_lines(), strict=True):
        previous = before.line(entry.address)
        if healed and not healed.isdisjoint(f"{PUBLIC}/{file}" for file in entry.files):
            yield Difference(entry.address, REWRITTEN)
            continue
        if previous is None:
            yield Difference(entry.address, f"is new ({entry.media_type}, {entry.size} bytes)")
        elif previous != line and candidate.previous:
            was = lines.parse_document(previous, candidate.previous.documents.profiles)
            if replace(was, inputs=entry.inputs) == entry:
                continue
            changes = changed_document(candidate, was, entry)
            first = next(changes, REWRITTEN)
            for change in chain([first], changes):
                yield Difference(entry.address, change)


def changed_document(candidate: Candidate, was: Entry, now: Entry) -> Iterator[str]:
    yield from changed_attributes(was, now)
    yield from changed_headers(was.headers, now.headers)
    if was.sha256 != now.sha256:
        old = read_published_file(candidate, f"{PUBLIC}/{was.file}")
        if old is None or sha256_hex(old) != was.sha256:
            yield REWRITTEN
            return
        new = (candidate.workspace.staging / PUBLIC / now.file).read_bytes()
        yield from changed_body(now.media_type, old, new)


def read_published_file(candidate: Candidate, file: str) -> bytes | None:
    release = candidate.workspace.published
    try:
        return read_file(release, file) if release else None
    except OSError:
        return None


def changed_attributes(was: Entry, now: Entry) -> Iterator[str]:
    names = {"status": "status", "file": "file", "media_type": "media type", "family": "family"}
    for name, words in names.items():
        if getattr(was, name) != getattr(now, name):
            yield f"{words} {describe_change(getattr(was, name), getattr(now, name))}"
    if was.aliases != now.aliases:
        yield f"aliases {describe_change(list(was.aliases), list(now.aliases))}"


def changed_headers(was: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    def by_label(headers: Mapping[str, str]) -> dict[str, str]:
        omitted = (*BYTE_DEPENDENT_HEADERS, "Content-Type")
        return {f"header {name}": headers[name] for name in sorted(headers) if name not in omitted}

    yield from changed_members(by_label(was), by_label(now))


def changed_body(media_type: str, was: bytes, now: bytes) -> Iterator[str]:
    kind = media_type.partition(";")[0]
    if kind.endswith("json"):
        yield from changed_members(orjson.loads(was), orjson.loads(now))
    elif kind.startswith(TEXT_MEDIA_TYPES):
        yield from changed_lines(was.decode(), now.decode())
    else:
        yield f"{len(was)} bytes are now {len(now)} other bytes"


def changed_redirects(before: Manifest | None, now: Mapping[str, Redirect]) -> Iterator[Difference]:
    """Yield changes of redirects; `now` are those whose address was not a document before."""
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
    was = {error.file: error for error in candidate.previous.errors} if candidate.previous else {}
    for error in candidate.manifest.errors:
        for change in changed_error(candidate, was.get(error.file), error):
            yield Difference(f"the body of a {error.status} below {error.scope}", change)


def changed_error(candidate: Candidate, was: ErrorBody | None, now: ErrorBody) -> Iterator[str]:
    if was is None:
        yield "is new"
        return
    yield from changed_headers(was.headers, now.headers)
    old = read_published_file(candidate, f"{ERRORS}/{was.file}") or b""
    if sha256_hex(old) != was.sha256:
        yield REWRITTEN
    elif was != replace(now, headers=was.headers):
        new = (candidate.workspace.staging / ERRORS / now.file).read_bytes()
        yield from changed_body(now.media_type, old, new)
