"""Write documents: the file of each one, and its compressed variants.

Each step handles all documents of a chunk before the next step begins. To render, encode and write
one document at a time takes longer, because each step then finds the processor's caches filled by
the others.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from api.headers import Headers
from site_mirror.documents import encodings
from site_mirror.documents.encodings import Encoding
from site_mirror.documents.family import Document
from site_mirror.snapshot.entries import EncodedFile, Entry
from site_mirror.snapshot.evidence import Evidence
from site_mirror.snapshot.files import write_file
from site_mirror.snapshot.published import damaged_files
from site_mirror.snapshot.workspace import Workspace


class Moment(Struct, frozen=True):
    """The moment in a document: its `generatedAt`, and its `Last-Modified` or nothing."""

    generated_at: str
    last_modified: str = ""

    @property
    def headers(self) -> Headers:
        return {"Last-Modified": self.last_modified} if self.last_modified else {}


class EncodedDocument(Struct, frozen=True):
    """A document as it is stored: its entry, and the bytes of its files.

    `bodies` are in the order of `entry.files` until they are written, and then only the first,
    until it is checked. `written` counts files that are new. `item` is the document as an item of a
    list. `evidence` is `None` if the document is the published one, which was checked before.
    `healed` are damaged files, which were built again.
    """

    entry: Entry
    bodies: tuple[bytes, ...] = ()
    item: bytes = b""
    written: int = 0
    evidence: Evidence | None = None
    healed: tuple[str, ...] = ()


def write_documents(
    workspace: Workspace,
    documents: Sequence[Document],
    digests: Sequence[str],
    published: Sequence[Entry | None],
    now: Moment,
) -> list[EncodedDocument]:
    """Write documents, or link their published files if these have the same bytes.

    A document whose content did not change keeps its bytes and its `generatedAt`.
    """
    encoded = [
        encode_document(*source, now) for source in zip(documents, digests, published, strict=True)
    ]
    return [
        write_document(workspace, each, before)
        for each, before in zip(encoded, published, strict=True)
    ]


def write_document(
    workspace: Workspace, encoded: EncodedDocument, published: Entry | None
) -> EncodedDocument:
    entry, body = encoded.entry, encoded.bodies[:1]
    damaged = damaged_reusable_files(workspace, published, entry)
    if damaged == ():
        workspace.link_files(entry.files)
        return replace(encoded, bodies=body)
    for file, stored in zip(entry.files, encoded.bodies, strict=True):
        write_file(workspace.public_path(file), stored)
    return replace(encoded, bodies=body, written=len(entry.files), healed=damaged or ())


def damaged_reusable_files(
    workspace: Workspace, published: Entry | None, entry: Entry
) -> tuple[str, ...] | None:
    """Return the damaged files of an unchanged document; `None` if its bytes have changed."""
    # A damaged file is reported only if its document is unchanged: another one is replaced anyway.
    if workspace.published is None or published is None or published.digests != entry.digests:
        return None
    return damaged_files(workspace.published, published.digests)


def encode_document(
    document: Document, digest: str, published: Entry | None, now: Moment
) -> EncodedDocument:
    # Without `generatedAt`, so that equal content is recognized at another moment.
    content = document.body()
    checksum = encodings.sha256_hex(content)
    moment = document_moment(document, checksum, published, now)
    body = document.body(moment.generated_at)
    # The live origin decides by the size without `generatedAt`, and both must offer the same.
    codings = encodings.encodings_of_size(len(content), document.media_type)
    bodies = (body, *(coding.compress(body) for coding in codings))
    entry = entry_of(document, digest, checksum, moment, bodies, codings)
    return EncodedDocument(entry, bodies, document.list_item)


def document_moment(
    document: Document, content: str, published: Entry | None, now: Moment
) -> Moment:
    if published and published.content_sha256 == content and published.file == document.file:
        return Moment(published.generated_at, published.headers.get("Last-Modified", ""))
    return now


def entry_of(
    document: Document,
    digest: str,
    content: str,
    moment: Moment,
    bodies: Sequence[bytes],
    codings: Sequence[Encoding],
) -> Entry:
    """Return the manifest's entry of a document; `bodies` are its own and those of its variants."""
    body, *variants = bodies
    sha256 = encodings.sha256_hex(body)
    headers = {
        **document.headers,
        "Content-Type": document.media_type,
        "Content-Length": str(len(body)),
        "ETag": encodings.etag_of_digest(sha256),
        **moment.headers,
    }
    return Entry(
        address=document.address,
        aliases=document.aliases,
        file=document.file,
        family=document.family,
        status=200,
        media_type=document.media_type,
        headers=headers,
        size=len(body),
        sha256=sha256,
        content_sha256=content,
        generated_at=moment.generated_at,
        encodings=tuple(
            variant_of(document.file, sha256, coding, variant)
            for coding, variant in zip(codings, variants, strict=True)
        ),
        inputs=digest,
    )


def variant_of(file: str, sha256: str, coding: Encoding, body: bytes) -> EncodedFile:
    """Return the entry of a compressed body; file and checksum are those of the document."""
    return EncodedFile(
        encoding=coding.name,
        file=file + coding.suffix,
        size=len(body),
        sha256=encodings.sha256_hex(body),
        headers={
            "Content-Encoding": coding.name,
            "Content-Length": str(len(body)),
            "ETag": encodings.etag_of_digest(sha256, coding),
        },
    )
