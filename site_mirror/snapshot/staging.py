"""Stage documents beside what is published: what changed is written, the rest is linked."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from api.headers import http_date
from site_mirror import encodings
from site_mirror.documents import Document
from site_mirror.encodings import Encoding, digest
from site_mirror.gates.evidence import Evidence
from site_mirror.snapshot import lines, streaming
from site_mirror.snapshot.entries import EncodedFile, Entry, ErrorBody
from site_mirror.snapshot.files import link, untouched, write
from site_mirror.snapshot.layout import ERRORS, PUBLIC
from site_mirror.snapshot.lines import Profiles
from site_mirror.snapshot.streaming import Told

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
    """A document of the release in the making, of which `written` files are new.

    One that is taken over was examined for an earlier release: there is no new `evidence`. Its
    `entry` is the document as an item of a list, where it is one.
    """

    told: Entry
    written: int
    evidence: Evidence | None = None
    entry: bytes = b""


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
    place: Place,
    document: Document,
    previous: bytes | None,
    stamp: str,
    inputs: str = "",
) -> Staged:
    """Write a document's files, unless the published ones can stay, and tell its line.

    `previous` is the published line of the address, `inputs` a digest of what the document is
    made of. Depends on its arguments alone and keeps nothing, so any process may do it.
    """
    content = content_of(document)
    entry = kept(place, document, previous, content.sha256)
    if entry is None:
        made = fresh(place, document, content, stamp, inputs)
    elif compressed_as_today(place, entry, content):
        link_all(place, entry.files)
        return Staged(replace(entry, inputs=inputs), 0, entry=document.entry)
    else:
        made = fresh(place, document, content, entry.generated_at, inputs)
    return Staged(made, len(made.files), entry=document.entry)


@dataclass(frozen=True, slots=True)
class Content:
    """A document without a moment, as it is served live: its size, its digest, its codings."""

    size: int
    sha256: str
    codings: tuple[Encoding, ...]


def content_of(document: Document) -> Content:
    size, sha256 = streaming.told(document.parts())
    return Content(size, sha256, encodings.codings(size, document.media_type))


def taken_over(
    place: Place, previous: bytes | None, inputs: str, profiles: Profiles
) -> Staged | None:
    """A document as it is published, if it is made of the same and nobody touched its files."""
    if previous is None or not inputs or inputs.encode() not in previous:
        return None
    entry = published_entry(previous, profiles)
    if entry is None or entry.inputs != inputs or not carried(place, entry.files):
        return None
    return Staged(entry, written=0)


def carried(place: Place, files: Iterable[str]) -> bool:
    """Whether every file could be taken over as it was written, and was.

    A file must be older than the manifest; where in doubt, bytes are to be compared.
    """
    names = list(files)
    paths = (f"{place.published}/{PUBLIC}/{name}" for name in names)
    if place.published is None or not untouched(paths, place.since):
        return False
    link_all(place, names)
    return True


def kept(place: Place, document: Document, previous: bytes | None, content: str) -> Entry | None:
    """The published entry, with today's headers, if its bytes can stay."""
    held = published_entry(previous)
    if held is None or (held.file, held.content_sha256) != (document.file, content):
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


def fresh(place: Place, document: Document, content: Content, stamp: str, inputs: str) -> Entry:
    """Write a document and, where its live content has them too, its compressed variants."""
    made = (in_parts if content.size >= encodings.HUGE else whole)(place, document, content, stamp)
    etag = encodings.etag_of(made.sha256)
    return Entry(
        address=document.address,
        aliases=document.aliases,
        file=document.file,
        family=document.family,
        status=200,
        media_type=document.media_type,
        headers=all_headers(document, made.size, **{"ETag": etag, "Last-Modified": dated(stamp)}),
        size=made.size,
        sha256=made.sha256,
        content_sha256=content.sha256,
        generated_at=stamp,
        encodings=made.encodings,
        inputs=inputs,
    )


@dataclass(frozen=True, slots=True)
class Written:
    """A document as it was written, and its compressed variants."""

    size: int
    sha256: str
    encodings: tuple[EncodedFile, ...]


def whole(place: Place, document: Document, content: Content, stamp: str) -> Written:
    body, file = document.body(stamp), document.file
    own = content.sha256 if body is document.content else digest(body)
    write(f"{place.folder}/{PUBLIC}/{file}", body)
    variants = (variant(place, file, body, own, encoding) for encoding in content.codings)
    return Written(len(body), own, tuple(variants))


def in_parts(place: Place, document: Document, content: Content, stamp: str) -> Written:
    """The same of a document that is too long to be held."""
    path = f"{place.folder}/{PUBLIC}/{document.file}"
    size, own = streaming.write_parts(path, document.parts(stamp))
    variants = (
        encoded_file(document.file, own, encoding, streaming.compress(path, encoding))
        for encoding in content.codings
    )
    return Written(size, own, tuple(variants))


@lru_cache(maxsize=8)
def dated(stamp: str) -> str:
    """A moment of ISO 8601 as HTTP writes it."""
    return http_date(datetime.fromisoformat(stamp))


def variant(place: Place, file: str, body: bytes, sha256: str, encoding: Encoding) -> EncodedFile:
    compressed = encoding.compress(body)
    write(f"{place.folder}/{PUBLIC}/{file}{encoding.suffix}", compressed)
    return encoded_file(file, sha256, encoding, (len(compressed), digest(compressed)))


def encoded_file(file: str, sha256: str, encoding: Encoding, told: Told) -> EncodedFile:
    """The variant of a file, by the digest of that and by its own size and digest."""
    size, own = told
    return EncodedFile(
        encoding=encoding.name,
        file=file + encoding.suffix,
        size=size,
        sha256=own,
        headers=lines.encoding_headers(encoding.name, size)
        | {"ETag": encodings.etag_of(sha256, encoding)},
    )


def compressed_as_today(place: Place, entry: Entry, content: Content) -> bool:
    """Whether the compressed variants of a published document would be the same again."""
    body = (place.published or Path()).joinpath(PUBLIC, entry.file).read_bytes()
    return {variant.encoding: variant.sha256 for variant in entry.encodings} == {
        encoding.name: digest(encoding.compress(body)) for encoding in content.codings
    }


def all_headers(document: Document, size: int, **own: str) -> dict[str, str]:
    """Every header of the answer, but for `Date`."""
    return {
        **document.headers,
        "Content-Type": document.media_type,
        "Content-Length": str(size),
        **own,
    }


def stage_refusal(place: Place, refusal: Refusal) -> ErrorBody:
    write(f"{place.folder}/{ERRORS}/{refusal.file}", refusal.body)
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


def link_all(place: Place, files: Iterable[str]) -> None:
    """Take public files over from the published release."""
    here, there = f"{place.folder}/{PUBLIC}", f"{place.published}/{PUBLIC}"
    for file in files:
        link(f"{there}/{file}", f"{here}/{file}")
