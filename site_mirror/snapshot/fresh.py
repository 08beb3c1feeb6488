"""Write the files of a document: its own and, where it has them, its compressed variants."""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from api.headers import http_date
from site_mirror import encodings
from site_mirror.documents import Document
from site_mirror.encodings import Encoding, digest
from site_mirror.snapshot import lines, streaming
from site_mirror.snapshot.entries import EncodedFile, Entry
from site_mirror.snapshot.files import write
from site_mirror.snapshot.layout import PUBLIC
from site_mirror.snapshot.places import Place
from site_mirror.snapshot.streaming import Told


@dataclass(frozen=True, slots=True)
class Content:
    """A document without a moment, as it is served live: its size, its digest, its codings."""

    size: int
    sha256: str
    codings: tuple[Encoding, ...]


def content_of(document: Document) -> Content:
    size, sha256 = streaming.told(document.parts())
    return Content(size, sha256, encodings.codings(size, document.media_type))


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


def all_headers(document: Document, size: int, **own: str) -> dict[str, str]:
    """Every header of the answer, but for `Date`."""
    return {
        **document.headers,
        "Content-Type": document.media_type,
        "Content-Length": str(size),
        **own,
    }
