"""Stage documents beside what is published: what changed is written, the rest is linked."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path, PurePosixPath

from api.headers import http_date
from catalogue.moments import iso_moment
from site_mirror import encodings
from site_mirror.documents import Document
from site_mirror.encodings import Encoding
from site_mirror.snapshot.errors import TwoOnOneFile
from site_mirror.snapshot.manifest import EncodedFile, Entry, ErrorBody
from site_mirror.snapshot.target import ERRORS, PUBLIC


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


@dataclass(slots=True)
class Staging:
    """A release in the making.

    What changed is written at once; what did not is linked at the end, and only if there is
    something to publish, so an unchanged site costs no write at all.
    """

    folder: Path
    published: Path | None
    moment: datetime
    held: dict[str, Entry] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    written: set[str] = field(default_factory=set)
    owners: dict[PurePosixPath, str] = field(default_factory=dict)

    @property
    def stamp(self) -> str:
        """The moment as documents tell it."""
        return iso_moment(self.moment)

    def add(self, document: Document) -> None:
        """Take in a document; bytes that are published already are not written again."""
        self.claim(document)
        content = document.body()
        entry = self.kept(document, encodings.digest(content)) or self.fresh(document, content)
        self.entries.append(entry)

    def claim(self, document: Document) -> None:
        owner = self.owners.get(document.file)
        if owner is not None:
            raise TwoOnOneFile(document.file, (owner, document.address))
        self.owners[document.file] = document.address

    def kept(self, document: Document, content: str) -> Entry | None:
        """The published entry, with today's headers, if its bytes can stay."""
        held = self.held.get(document.address)
        if held is None or (held.file, held.content_sha256) != (str(document.file), content):
            return None
        if not self.holds(held):
            return None
        if not {"ETag", "Last-Modified"} <= held.headers.keys():
            return None
        moment = held.headers["Last-Modified"]
        headers = all_headers(document, held.size, held.headers["ETag"], moment)
        return replace(
            held,
            headers=headers,
            aliases=document.aliases,
            family=document.family,
            media_type=document.media_type,
        )

    def holds(self, entry: Entry) -> bool:
        """Whether the published release still has an entry's files as they were written."""
        digests = {entry.file: entry.sha256} | {file.file: file.sha256 for file in entry.encodings}
        return all(self.digest_of(file) == digest for file, digest in digests.items())

    def digest_of(self, file: str) -> str | None:
        if self.published is None:
            return None
        try:
            return encodings.digest((self.published / PUBLIC / file).read_bytes())
        except OSError:
            return None

    def fresh(self, document: Document, content: bytes) -> Entry:
        """Write a document and, where its live content has them too, its compressed variants."""
        body = document.body(self.stamp)
        self.write(str(document.file), body)
        headers = all_headers(document, len(body), encodings.etag(body), http_date(self.moment))
        return Entry(
            address=document.address,
            aliases=document.aliases,
            file=str(document.file),
            family=document.family,
            status=200,
            media_type=document.media_type,
            headers=headers,
            size=len(body),
            sha256=encodings.digest(body),
            content_sha256=encodings.digest(content),
            generated_at=self.stamp,
            encodings=tuple(
                self.variant(str(document.file), body, encoding)
                for encoding in encodings.offered(content)
            ),
        )

    def variant(self, file: str, body: bytes, encoding: Encoding) -> EncodedFile:
        encoded = encoding.compress(body)
        self.write(file + encoding.suffix, encoded)
        return EncodedFile(
            encoding=encoding.name,
            file=file + encoding.suffix,
            size=len(encoded),
            sha256=encodings.digest(encoded),
            headers={
                "Content-Encoding": encoding.name,
                "Content-Length": str(len(encoded)),
                "ETag": encodings.etag(body, encoding),
            },
        )

    def write(self, file: str, body: bytes) -> None:
        write(self.folder / PUBLIC / file, body)
        self.written.add(file)

    def link_the_rest(self) -> None:
        """Take over from the published release what did not change."""
        for entry in self.entries:
            for file in entry.files:
                if file not in self.written and self.published:
                    link(self.published / PUBLIC / file, self.folder / PUBLIC / file)


def all_headers(document: Document, size: int, etag: str, moment: str) -> dict[str, str]:
    """Every header of the answer, but for `Date`."""
    return {
        **document.headers,
        "Content-Type": document.media_type,
        "Content-Length": str(size),
        "ETag": etag,
        "Last-Modified": moment,
    }


def write(path: Path, body: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)


def link(source: Path, path: Path) -> None:
    """A second name for the same file, or a copy on a file system without such names."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, path)
    except OSError:
        shutil.copy2(source, path)


def stage_refusal(folder: Path, refusal: Refusal) -> ErrorBody:
    write(folder / ERRORS / refusal.file, refusal.body)
    return ErrorBody(
        scope=refusal.scope,
        status=refusal.status,
        file=refusal.file,
        media_type=refusal.media_type,
        headers={
            **refusal.headers,
            "Content-Type": refusal.media_type,
            "Content-Length": str(len(refusal.body)),
        },
        size=len(refusal.body),
        sha256=encodings.digest(refusal.body),
    )
