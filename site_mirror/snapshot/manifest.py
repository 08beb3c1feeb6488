"""Read the manifest: the file, headers and checksums of each address of a release.

A manifest is a file of lines. Each is a JSON object whose first member names its kind:

  format     the first line: the site's root and the version of the contract
  document   one for each document, in the order of the batches
  redirect   one for each former address
  error      one for each error response
  contents   the last line: the start and the number of lines of each kind, and the profiles

A manifest is read and written line by line, so it is never held in memory. One that was cut off has
no last line and counts as missing.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from io import DEFAULT_BUFFER_SIZE
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Generic, TypeVar

import orjson
from msgspec import Struct

from site_mirror.snapshot import lines
from site_mirror.snapshot.entries import EncodedFile, Entry, ErrorBody, Redirect
from site_mirror.snapshot.errors import ManifestDamaged
from site_mirror.snapshot.files import open_regular_file
from site_mirror.snapshot.lines import Profiles

__all__ = [
    "EncodedFile",
    "Entry",
    "ErrorBody",
    "Manifest",
    "Redirect",
    "read_manifest",
    "read_written_manifest",
]

MANIFEST_FORMAT = 2
TAIL_BYTES = 65_536
"""Bytes that are read first to find the last line; the number doubles until it is found."""
LINE_BUFFER_BYTES = 1 << 20
"""Bytes that are read at a time when all lines are read: a third of the time of small reads."""

LineT = TypeVar("LineT")
Decode = Callable[[bytes, Profiles], LineT]


class ManifestSection(Struct, Generic[LineT], frozen=True):
    """The lines of one kind; each iteration reads them from the file again."""

    path: Path
    start: int
    count: int
    profiles: Profiles
    decode: Decode[LineT]

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[LineT]:
        """Yield the entry of each line. Raises `ManifestDamaged` for a line of another kind."""
        read = 0
        for line in self.raw_lines():
            read += 1
            try:
                yield self.decode(line, self.profiles)
            except (ValueError, TypeError, KeyError) as error:
                raise ManifestDamaged(self.path, f"it has the line {line[:60]!r}") from error
        # A file that was cut after it was opened, or a section that begins at a wrong place.
        if read < self.count:
            raise ManifestDamaged(self.path, f"it has {read} of {self.count} lines")

    def lines_at(self, start: int, length: int) -> list[bytes]:
        """Return the lines in a range of bytes, counted from the first line of the section."""
        with open_manifest(self.path) as file:
            file.seek(self.start + start)
            return file.read(length).splitlines()

    def raw_lines(self) -> Iterator[bytes]:
        """Yield the lines as bytes, without parsing them."""
        with open_manifest(self.path, LINE_BUFFER_BYTES) as file:
            file.seek(self.start)
            yield from islice(file, self.count)


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


def read_manifest(path: Path) -> Manifest | None:
    """Return the manifest in a file; `None` unless it is complete and of this format."""
    try:
        with open_manifest(path) as file:
            head, contents = orjson.loads(file.readline()), orjson.loads(read_last_line(file))
        return (
            manifest_of_contents(path, head, contents)
            if head["format"] == MANIFEST_FORMAT
            else None
        )
    except (OSError, ValueError, TypeError, KeyError):
        return None


def open_manifest(path: Path, buffering: int = DEFAULT_BUFFER_SIZE) -> BinaryIO:
    return open_regular_file(path.parent, path.name, buffering)


def manifest_of_contents(
    path: Path, head: Mapping[str, Any], contents: Mapping[str, Any]
) -> Manifest:
    def section(name: str, decode: Decode[LineT]) -> ManifestSection[LineT]:
        members = contents["contents"][name]
        start, count = int(members["start"]), int(members["count"])
        return ManifestSection(path, start, count, contents["profiles"], decode)

    return Manifest(
        path=path,
        site_root=head["siteRoot"],
        api_version=head["apiVersion"],
        documents=section("documents", lines.parse_document),
        redirects=section("redirects", lines.parse_redirect),
        errors=section("errors", lines.parse_error),
        files=int(contents["files"]),
        size=int(contents["bytes"]),
    )


def read_last_line(file: BinaryIO) -> bytes:
    """Return the last line of a file, without its line feed."""
    end = file.seek(0, os.SEEK_END)
    length = TAIL_BYTES
    # The last line has all profiles, so its length is not known.
    while True:
        start = max(0, end - length)
        file.seek(start)
        _, feed, line = file.read().removesuffix(b"\n").rpartition(b"\n")
        if feed or start == 0:
            return line
        length *= 2


def read_written_manifest(path: Path) -> Manifest:
    """Return a manifest that must exist, because it was just written."""
    manifest = read_manifest(path)
    if manifest is None:
        raise FileNotFoundError(path)
    return manifest
