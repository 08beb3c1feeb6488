"""Write documents: the file of each one, and its compressed variants.

Each step handles all documents of a chunk before the next step begins. To render, encode, compress
and write one document at a time takes a third longer, because each step then finds the processor's
caches filled by the others.
"""

import hashlib
import os
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from api.headers import http_date
from site_mirror.documents import encodings
from site_mirror.documents.encodings import Encoding
from site_mirror.documents.family import Document
from site_mirror.snapshot.entries import EncodedFile, Entry
from site_mirror.snapshot.files import create_file, write_file
from site_mirror.snapshot.published import damaged_files
from site_mirror.snapshot.results import BuiltDocument
from site_mirror.snapshot.workspace import Workspace

SizeAndDigest = tuple[int, str]
"""Bytes and SHA-256."""


class RenderedDocument(Struct, frozen=True):
    """A rendered document, the digest of its inputs, and the entry of its published form."""

    document: Document
    digest: str = ""
    published: Entry | None = None


class EncodedDocument(Struct, frozen=True):
    """A document's entry, and the bytes of its files in the order of `entry.files`."""

    source: RenderedDocument
    entry: Entry
    bodies: tuple[bytes, ...]


def write_documents(
    workspace: Workspace, sources: Sequence[RenderedDocument], generated_at: str
) -> list[BuiltDocument]:
    """Write documents, or link their published files if these have the same bytes.

    A document whose content did not change keeps its bytes and its `generatedAt`.
    """
    encoded = iter(
        encode_documents([each for each in sources if not each.document.items], generated_at)
    )
    return [
        write_list(workspace, source, generated_at)
        if source.document.items
        else write_document(workspace, next(encoded))
        for source in sources
    ]


def write_document(workspace: Workspace, encoded: EncodedDocument) -> BuiltDocument:
    entry, source = encoded.entry, encoded.source
    damaged = damaged_reusable_files(workspace, source.published, entry)
    if damaged == ():
        workspace.link_files(entry.files)
        return BuiltDocument(entry, item=source.document.list_item)
    for file, body in zip(entry.files, encoded.bodies, strict=True):
        write_file(workspace.public_path(file), body)
    return BuiltDocument(
        entry, len(entry.files), item=source.document.list_item, healed=damaged or ()
    )


def damaged_reusable_files(
    workspace: Workspace, published: Entry | None, entry: Entry
) -> tuple[str, ...] | None:
    """Return the damaged files of an unchanged document; `None` if its bytes have changed."""
    if workspace.published is None or published is None or published.digests != entry.digests:
        return None
    return damaged_files(workspace.published, published.digests)


def encode_documents(
    sources: Sequence[RenderedDocument], generated_at: str
) -> list[EncodedDocument]:
    contents = [source.document.body() for source in sources]
    digests = [encodings.sha256_hex(content) for content in contents]
    moments = [
        document_moment(source, digest, generated_at)
        for source, digest in zip(sources, digests, strict=True)
    ]
    bodies = [source.document.body(moment) for source, moment in zip(sources, moments, strict=True)]
    codings = [
        encodings.encodings_of_size(len(content), source.document.media_type)
        for source, content in zip(sources, contents, strict=True)
    ]
    variants = {
        encoding: iter(
            [
                encoding.compress(body)
                for body, offered in zip(bodies, codings, strict=True)
                if encoding in offered
            ]
        )
        for encoding in encodings.ENCODINGS
    }
    encoded = []
    for source, content, moment, body, offered in zip(
        sources, digests, moments, bodies, codings, strict=True
    ):
        compressed = [next(variants[encoding]) for encoding in offered]
        sizes = [(len(each), encodings.sha256_hex(each)) for each in (body, *compressed)]
        entry = entry_of(source, content, moment, sizes, offered)
        encoded.append(EncodedDocument(source, entry, (body, *compressed)))
    return encoded


def write_list(workspace: Workspace, source: RenderedDocument, generated_at: str) -> BuiltDocument:
    """Write a list of other documents item by item, because it may be too long for memory."""
    document = source.document
    size, content = size_and_digest(document.parts())
    moment = document_moment(source, content, generated_at)
    path = workspace.public_path(document.file)
    sizes = [write_parts(path, document.parts(moment))]
    codings = encodings.encodings_of_size(size, document.media_type)
    sizes += [
        write_parts(path + encoding.suffix, encodings.compress_file(Path(path), encoding))
        for encoding in codings
    ]
    entry = entry_of(source, content, moment, sizes, codings)
    damaged = damaged_reusable_files(workspace, source.published, entry)
    if damaged == ():
        for file in entry.files:
            Path(workspace.public_path(file)).unlink()
        workspace.link_files(entry.files)
        return BuiltDocument(entry)
    return BuiltDocument(entry, len(entry.files), healed=damaged or ())


def document_moment(source: RenderedDocument, content: str, generated_at: str) -> str:
    """Return the moment of the published document if its content is equal, else the new one."""
    published = source.published
    stays = (
        published and published.content_sha256 == content and published.file == source.document.file
    )
    return published.generated_at if published and stays else generated_at


def entry_of(
    source: RenderedDocument,
    content: str,
    moment: str,
    sizes: Sequence[SizeAndDigest],
    codings: Sequence[Encoding],
) -> Entry:
    """Return the manifest's entry of a document; `sizes` are of its file and of each variant."""
    document, (size, sha256) = source.document, sizes[0]
    headers = {
        **document.headers,
        "Content-Type": document.media_type,
        "Content-Length": str(size),
        "ETag": encodings.etag_of_digest(sha256),
        "Last-Modified": http_date_of(moment),
    }
    return Entry(
        address=document.address,
        aliases=document.aliases,
        file=document.file,
        family=document.family,
        status=200,
        media_type=document.media_type,
        headers=headers,
        size=size,
        sha256=sha256,
        content_sha256=content,
        generated_at=moment,
        encodings=tuple(
            EncodedFile(
                encoding=encoding.name,
                file=document.file + encoding.suffix,
                size=length,
                sha256=digest,
                own_headers={"ETag": encodings.etag_of_digest(sha256, encoding)},
            )
            for encoding, (length, digest) in zip(codings, sizes[1:], strict=True)
        ),
        inputs=source.digest,
    )


@lru_cache(maxsize=8)
def http_date_of(moment: str) -> str:
    return http_date(datetime.fromisoformat(moment))


def write_parts(path: str, parts: Iterable[bytes]) -> SizeAndDigest:
    """Write a new file part by part; a file of that name in another release keeps its bytes."""
    with os.fdopen(create_file(path), "wb") as file:
        return size_and_digest(each for each in parts if file.write(each))


def size_and_digest(parts: Iterable[bytes]) -> SizeAndDigest:
    size, digest = 0, hashlib.sha256()
    for each in parts:
        size += len(each)
        digest.update(each)
    return size, digest.hexdigest()
