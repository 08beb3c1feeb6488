"""Read the manifest: the file, headers and checksums of each address of a release.

A manifest is a file of lines. Each is a JSON object whose first member names its kind:

  format     the first line: the site's root and the version of the contract
  document   one for each document, in the order of the batches
  redirect   one for each former address
  error      one for each error response
  contents   the last line: the start and the number of lines of each kind

A manifest is read and written line by line, so it is never held in memory. One that was cut off has
no last line and counts as missing.
"""

import os
from collections.abc import Iterator
from functools import lru_cache
from io import DEFAULT_BUFFER_SIZE
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final, Generic, Literal

import msgspec
from msgspec import Struct

from site_mirror.snapshot.entries import Entry, ErrorBody, LineT, Redirect, parse_line
from site_mirror.snapshot.errors import ManifestDamaged
from site_mirror.snapshot.files import open_regular_file
from site_mirror.snapshot.layout import MANIFEST

MANIFEST_FORMAT: Final = 3
MAX_LAST_LINE_BYTES = 4096
LINE_BUFFER_BYTES = 1 << 20
"""Bytes that are read at a time when all lines are read: a third of the time of small reads."""
ONE_LINE_BUFFER_BYTES = 4096
SECOND_MEMBER = b',"aliases":'
"""Follows the address of a document in its line, and is in no address: JSON escapes the quotes."""


class FirstLine(Struct, frozen=True, rename="camel"):
    format: Literal[3]
    site_root: str
    api_version: str


class Place(Struct):
    """The place of the lines of a kind: the first byte, and the number of lines."""

    start: int = 0
    count: int = 0


class Contents(Struct):
    documents: Place
    redirects: Place
    errors: Place


class LastLine(Struct, rename={"size": "bytes"}):
    """The contents, and the number and size of the public files."""

    contents: Contents
    files: int
    size: int


class ManifestSection(Struct, Generic[LineT], frozen=True):
    """The lines of one kind; each iteration reads them from the file again."""

    path: Path
    place: Place
    kind: type[LineT]

    def __len__(self) -> int:
        return self.place.count

    def __iter__(self) -> Iterator[LineT]:
        """Yield the entry of each line. Raises `ManifestDamaged` for a line of another kind."""
        read = 0
        for line in self.raw_lines():
            read += 1
            try:
                yield parse_line(line, self.kind)
            except msgspec.DecodeError as error:
                raise ManifestDamaged(self.path, f"it has the line {line[:60]!r}") from error
        # A file that was cut after it was opened, or a section that begins at a wrong place.
        if read < len(self):
            raise ManifestDamaged(self.path, f"it has {read} of {len(self)} lines")

    def raw_lines(self) -> Iterator[bytes]:
        with open_manifest(self.path, LINE_BUFFER_BYTES) as file:
            file.seek(self.place.start)
            yield from islice(file, len(self))


class Manifest(Struct, frozen=True):
    """Everything that a host needs to serve a release; `size` is in bytes."""

    path: Path
    site_root: str
    api_version: str
    documents: ManifestSection[Entry]
    redirects: ManifestSection[Redirect]
    errors: ManifestSection[ErrorBody]
    files: int
    size: int

    def public_files(self) -> Iterator[tuple[str, str]]:
        """Yield each public file with its SHA-256."""
        for entry in self.documents:
            yield from entry.digests.items()

    def error_files(self) -> Iterator[tuple[str, str]]:
        return ((error.file, error.sha256) for error in self.errors)


def read_manifest(path: Path) -> Manifest | None:
    """Return the manifest in a file; `None` unless it is complete and of this format."""
    try:
        with open_manifest(path) as file:
            first = msgspec.json.decode(file.readline(), type=FirstLine)
            last = msgspec.json.decode(read_last_line(file), type=LastLine)
    except (OSError, msgspec.DecodeError):
        return None

    return Manifest(
        path=path,
        site_root=first.site_root,
        api_version=first.api_version,
        documents=ManifestSection(path, last.contents.documents, Entry),
        redirects=ManifestSection(path, last.contents.redirects, Redirect),
        errors=ManifestSection(path, last.contents.errors, ErrorBody),
        files=last.files,
        size=last.size,
    )


def open_manifest(path: Path, buffering: int = DEFAULT_BUFFER_SIZE) -> BinaryIO:
    return open_regular_file(path.parent, path.name, buffering)


def read_last_line(file: BinaryIO) -> bytes:
    file.seek(max(0, file.seek(0, os.SEEK_END) - MAX_LAST_LINE_BYTES))
    return file.read().removesuffix(b"\n").rpartition(b"\n")[2]


def read_whole_manifest(path: Path) -> Manifest:
    manifest = read_manifest(path)
    if manifest is None:
        raise ManifestDamaged(path, "it is missing, or is not whole")
    return manifest


class DocumentIndex(Struct, frozen=True):
    """The documents of a release by address: the place of each line by the start of that line."""

    path: Path
    offsets: dict[bytes, int]

    def find(self, address: str) -> Entry | None:
        """Return a document's entry; `None` if there is no such document or its line is damaged."""
        offset = self.offsets.get(b'{"document":' + msgspec.json.encode(address))
        if offset is None:
            return None
        with open_manifest(self.path, ONE_LINE_BUFFER_BYTES) as file:
            file.seek(offset)
            line = file.readline()
        try:
            return parse_line(line, Entry)
        except msgspec.DecodeError:
            return None


def index_documents(release: Path | None) -> DocumentIndex:
    """Return the documents of a release; none without a readable release."""
    try:
        status = (release / MANIFEST).stat() if release else None
    except OSError:
        status = None
    if release is None or status is None:
        return NO_DOCUMENTS
    # Date and size are part of the cache's key, so that a changed file is read again.
    return index_manifest(release / MANIFEST, status.st_mtime_ns, status.st_size)


# One index: for 100,000 posts it takes 100 MB in each process that builds documents.
@lru_cache(maxsize=1)
def index_manifest(path: Path, mtime: int, size: int) -> DocumentIndex:
    manifest = read_manifest(path)
    if manifest is None:
        return NO_DOCUMENTS
    offset, offsets = manifest.documents.place.start, dict[bytes, int]()
    for line in manifest.documents.raw_lines():
        offsets[start_of(line)] = offset
        offset += len(line)
    return DocumentIndex(path, offsets)


def start_of(line: bytes) -> bytes:
    """Return the first member of a document's line, its address.

    It is cut out, because parsing the line takes ten times as long.
    """
    return line[: line.find(SECOND_MEMBER)]


NO_DOCUMENTS = DocumentIndex(Path(), {})
