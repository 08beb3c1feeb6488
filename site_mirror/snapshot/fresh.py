"""Write the files of a document: its own and, where it has them, its compressed variants."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache

from msgspec import Struct

from api.headers import http_date
from site_mirror import encodings
from site_mirror.documents import Document
from site_mirror.encodings import Encoding, digest
from site_mirror.snapshot import streaming
from site_mirror.snapshot.entries import EncodedFile, Entry
from site_mirror.snapshot.files import write
from site_mirror.snapshot.layout import PUBLIC
from site_mirror.snapshot.places import Place
from site_mirror.snapshot.streaming import Told


class Content(Struct, frozen=True):
    """A document without a moment, as it is served live: its size, its digest, its codings."""

    size: int
    sha256: str
    codings: tuple[Encoding, ...]


def content_of(document: Document) -> Content:
    """In parts where it is long: it is a list of other documents."""
    if document.items:
        size, sha256 = streaming.told(document.parts())
    else:
        body = document.body()
        size, sha256 = len(body), digest(body)
    return Content(size, sha256, encodings.codings(size, document.media_type))


class Wanted(Struct, frozen=True):
    """A document to be written: its content, its moment, and a digest of what it is made of.

    `healed` are its published files that are damaged, where they would have stayed.
    """

    document: Document
    content: Content
    stamp: str
    inputs: str
    healed: tuple[str, ...] = ()

    @property
    def long(self) -> bool:
        return self.content.size >= encodings.HUGE


class Plain(Struct, frozen=True):
    """A document's own file, as it was written."""

    file: str
    body: bytes
    sha256: str


class Written(Struct, frozen=True):
    """A document as it was written, and its compressed variants."""

    file: str
    size: int
    sha256: str
    encodings: tuple[EncodedFile, ...]


def fresh(place: Place, wanted: Sequence[Wanted]) -> list[Entry]:
    """Write documents and, where their live content has them too, their compressed variants."""
    whole = iter(written(place, [each for each in wanted if not each.long]))
    return [entry(each, in_parts(place, each) if each.long else next(whole)) for each in wanted]


def entry(wanted: Wanted, made: Written) -> Entry:
    document, stamp = wanted.document, wanted.stamp
    etag = encodings.etag_of(made.sha256)
    return Entry(
        address=document.address,
        aliases=document.aliases,
        file=made.file,
        family=document.family,
        status=200,
        media_type=document.media_type,
        headers=all_headers(document, made.size, **{"ETag": etag, "Last-Modified": dated(stamp)}),
        size=made.size,
        sha256=made.sha256,
        content_sha256=wanted.content.sha256,
        generated_at=stamp,
        encodings=made.encodings,
        inputs=wanted.inputs,
    )


def written(place: Place, wanted: Sequence[Wanted]) -> list[Written]:
    """Documents that can be held together; each step is taken for all of them before the next."""
    public = f"{place.folder}/{PUBLIC}"
    plains = [plain(public, each) for each in wanted]
    variants = {
        encoding: compressed(public, encoding, of_coding(encoding, wanted, plains))
        for encoding in encodings.ENCODINGS
    }
    return [
        Written(
            each.file,
            len(each.body),
            each.sha256,
            tuple([next(variants[encoding]) for encoding in one.content.codings]),
        )
        for one, each in zip(wanted, plains, strict=True)
    ]


def plain(public: str, wanted: Wanted) -> Plain:
    document, body = wanted.document, wanted.document.body(wanted.stamp)
    file = document.file
    write(f"{public}/{file}", body)
    same = body is document.content
    return Plain(file, body, wanted.content.sha256 if same else digest(body))


def of_coding(encoding: Encoding, wanted: Sequence[Wanted], plains: Sequence[Plain]) -> list[Plain]:
    return [
        each for one, each in zip(wanted, plains, strict=True) if encoding in one.content.codings
    ]


def compressed(public: str, encoding: Encoding, plains: Sequence[Plain]) -> Iterator[EncodedFile]:
    bodies = [encoding.compress(each.body) for each in plains]
    for each, body in zip(plains, bodies, strict=True):
        write(f"{public}/{each.file}{encoding.suffix}", body)
        yield encoded_file(each.file, each.sha256, encoding, (len(body), digest(body)))


def in_parts(place: Place, wanted: Wanted) -> Written:
    """The same of a document that is too long to be held."""
    file = wanted.document.file
    path = f"{place.folder}/{PUBLIC}/{file}"
    size, own = streaming.write_parts(path, wanted.document.parts(wanted.stamp))
    variants = (
        encoded_file(file, own, encoding, streaming.compress(path, encoding))
        for encoding in wanted.content.codings
    )
    return Written(file, size, own, tuple(variants))


@lru_cache(maxsize=8)
def dated(stamp: str) -> str:
    """A moment of ISO 8601 as HTTP writes it."""
    return http_date(datetime.fromisoformat(stamp))


def encoded_file(file: str, sha256: str, encoding: Encoding, told: Told) -> EncodedFile:
    """The variant of a file, by the digest of that and by its own size and digest."""
    size, own = told
    return EncodedFile(
        encoding=encoding.name,
        file=file + encoding.suffix,
        size=size,
        sha256=own,
        own={"ETag": encodings.etag_of(sha256, encoding)},
    )


def all_headers(document: Document, size: int, **own: str) -> dict[str, str]:
    """Every header of the answer, but for `Date`."""
    return {
        **document.headers,
        "Content-Type": document.media_type,
        "Content-Length": str(size),
        **own,
    }
