"""Stage documents beside what is published: what changed is written, the rest is linked."""

import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from pathlib import Path

from api.headers import http_date
from site_mirror import encodings
from site_mirror.documents import Document
from site_mirror.encodings import Encoding, digest
from site_mirror.gates.evidence import Evidence
from site_mirror.snapshot import checksums, lines
from site_mirror.snapshot.entries import EncodedFile, Entry, ErrorBody
from site_mirror.snapshot.layout import ERRORS, PUBLIC
from site_mirror.snapshot.lines import Line, Profiles

VALIDATORS = frozenset({"ETag", "Last-Modified"})
"""Headers that a document keeps with its bytes."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a release is made, beside the one that is published; fit to travel to a process.

    `since` is when that one's manifest was written, in nanoseconds since 1970.
    """

    folder: Path
    published: Path | None
    since: int = 0


@dataclass(frozen=True, slots=True)
class Staged:
    """A document of the release in the making: all that is left to do is to collect it.

    One that is taken over was examined for an earlier release: there is no new `evidence`.
    """

    address: str
    aliases: tuple[str, ...]
    family: str
    file: str
    line: Line
    checksums: bytes
    files: int
    size: int
    written: int
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """The answer to a request that failed below a scope, to be frozen."""

    scope: str
    status: int
    media_type: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def file(self) -> str:
        """`/api/` and 404 → `api/404.json`; `/` and 404 → `404.md`."""
        suffix = "json" if self.media_type.endswith("json") else "md"
        return f"{self.scope}{self.status}.{suffix}".lstrip("/")


def stage(
    place: Place, document: Document, previous: bytes | None, stamp: str, inputs: str = ""
) -> Staged:
    """Write a document's files, unless the published ones can stay, and tell its line.

    `previous` is the published line of the address, `inputs` a digest of what the document is
    made of. Depends on its arguments alone and keeps nothing, so any process may do it.
    """
    content = document.body()
    entry = kept(place, document, previous, digest(content))
    if entry is not None:
        return staged(replace(entry, inputs=inputs), written=0)
    entry = fresh(place, document, content, stamp)
    return staged(replace(entry, inputs=inputs), written=len(entry.files))


def taken_over(
    place: Place, previous: bytes | None, inputs: str, profiles: Profiles
) -> Staged | None:
    """A document as it is published, if it is made of the same and nobody touched its files."""
    if previous is None or not inputs or inputs.encode() not in previous:
        return None
    entry = published_entry(previous, profiles)
    if entry is None or entry.inputs != inputs or not untouched(place, entry):
        return None
    return staged(entry, written=0)


def untouched(place: Place, entry: Entry) -> bool:
    """Whether every file is older than the manifest; where in doubt, bytes are compared."""
    try:
        return all(
            (place.published or Path()).joinpath(PUBLIC, file).stat().st_mtime_ns < place.since
            for file in entry.files
        )
    except OSError:
        return False


def staged(entry: Entry, *, written: int) -> Staged:
    return Staged(
        address=entry.address,
        aliases=entry.aliases,
        family=entry.family,
        file=entry.file,
        line=lines.document_line(entry),
        checksums=checksums.lines(PUBLIC, entry.digests),
        files=len(entry.files),
        size=entry.size + sum(variant.size for variant in entry.encodings),
        written=written,
    )


def kept(place: Place, document: Document, previous: bytes | None, content: str) -> Entry | None:
    """The published entry, with today's headers, if its bytes can stay."""
    held = published_entry(previous)
    if held is None or (held.file, held.content_sha256) != (str(document.file), content):
        return None
    if not holds(place, held):
        return None
    own = {name: held.headers[name] for name in sorted(VALIDATORS)}
    return replace(
        held,
        headers=all_headers(document, held.size, **own),
        aliases=document.aliases,
        family=document.family,
        media_type=document.media_type,
    )


def published_entry(line: bytes | None, profiles: Profiles | None = None) -> Entry | None:
    """What a line says, if it can be relied on; without profiles, but for their headers."""
    if line is None:
        return None
    try:
        entry = lines.document(line, NO_PROFILES if profiles is None else profiles)
    except (ValueError, TypeError, KeyError):
        return None
    return entry if entry.headers.keys() >= VALIDATORS else None


class AnyProfile(dict[str, Mapping[str, str]]):
    """Profiles of which nobody needs the headers."""

    def __missing__(self, name: str) -> Mapping[str, str]:
        return {}


NO_PROFILES = AnyProfile()


def holds(place: Place, entry: Entry) -> bool:
    """Whether the published release still has an entry's files as they were written."""
    return all(digest_of(place, file) == sha256 for file, sha256 in entry.digests.items())


def digest_of(place: Place, file: str) -> str | None:
    if place.published is None:
        return None
    try:
        return digest((place.published / PUBLIC / file).read_bytes())
    except OSError:
        return None


def fresh(place: Place, document: Document, content: bytes, stamp: str) -> Entry:
    """Write a document and, where its live content has them too, its compressed variants."""
    body, file = document.body(stamp), str(document.file)
    write(place.folder / PUBLIC / file, body)
    etag, moment = encodings.etag(body), http_date(datetime.fromisoformat(stamp))
    return Entry(
        address=document.address,
        aliases=document.aliases,
        file=file,
        family=document.family,
        status=200,
        media_type=document.media_type,
        headers=all_headers(document, len(body), **{"ETag": etag, "Last-Modified": moment}),
        size=len(body),
        sha256=digest(body),
        content_sha256=digest(content),
        generated_at=stamp,
        encodings=tuple(
            variant(place, file, body, encoding)
            for encoding in encodings.offered(content, document.media_type)
        ),
    )


def variant(place: Place, file: str, body: bytes, encoding: Encoding) -> EncodedFile:
    compressed = encoding.compress(body)
    write(place.folder / PUBLIC / (file + encoding.suffix), compressed)
    return EncodedFile(
        encoding=encoding.name,
        file=file + encoding.suffix,
        size=len(compressed),
        sha256=digest(compressed),
        headers=lines.encoding_headers(encoding.name, len(compressed))
        | {"ETag": encodings.etag(body, encoding)},
    )


def all_headers(document: Document, size: int, **own: str) -> dict[str, str]:
    """Every header of the answer, but for `Date`."""
    return {
        **document.headers,
        "Content-Type": document.media_type,
        "Content-Length": str(size),
        **own,
    }


def stage_refusal(place: Place, refusal: Refusal) -> ErrorBody:
    write(place.folder / ERRORS / refusal.file, refusal.body)
    length = {"Content-Type": refusal.media_type, "Content-Length": str(len(refusal.body))}
    return ErrorBody(
        scope=refusal.scope,
        status=refusal.status,
        file=refusal.file,
        media_type=refusal.media_type,
        headers={**refusal.headers, **length},
        size=len(refusal.body),
        sha256=digest(refusal.body),
    )


def write(path: Path, body: bytes) -> None:
    try:
        path.write_bytes(body)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)


def link_the_rest(place: Place, files: Iterable[str]) -> None:
    """Take over from the published release the files that were not written.

    Any part of the files may be done in any process.
    """
    if place.published is None:
        return
    for folder, names in groupby(files, key=os.path.dirname):
        (place.folder / folder).mkdir(parents=True, exist_ok=True)
        for name in names:
            link(place.published / name, place.folder / name)


def link(source: Path, path: Path) -> None:
    """A second name for the same file, or a copy on a file system without such names."""
    try:
        os.link(source, path)
    except OSError:
        if not path.exists():
            shutil.copy2(source, path)
