"""The manifest: what a release serves at each address, with which headers and bytes.

A file of lines, each a JSON object whose first member says what it is:

  format     the first line: the site's root and the version of the contract
  document   one for each, in the order in which they were collected
  redirect   one for each former address
  error      one for each way to fail
  contents   the last line: where each kind begins, how many there are, the profiles

It is written from the top to the bottom and never held in memory. One that was cut off has no
last line, and counts as none.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import DEFAULT_BUFFER_SIZE
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Generic, TypeVar

import orjson
from msgspec import Struct

from site_mirror.snapshot import lines
from site_mirror.snapshot.entries import EncodedFile, Entry, ErrorBody, Redirect
from site_mirror.snapshot.errors import ManifestDamaged
from site_mirror.snapshot.files import reading
from site_mirror.snapshot.lines import Profiles

__all__ = ["EncodedFile", "Entry", "ErrorBody", "Manifest", "Redirect", "by_address", "read"]

FORMAT = 2
TAIL = 65_536
"""Bytes that are read to find the last line, and again twice as many until it is found."""
BUFFER = 1 << 20
"""Bytes that are read at a time where all lines are: that takes a third of the usual time."""

Told = TypeVar("Told")
Decode = Callable[[bytes, Profiles], Told]


class Section(Struct, Generic[Told], frozen=True):
    """The lines of one kind, read anew each time they are asked for."""

    path: Path
    start: int
    count: int
    profiles: Profiles
    decode: Decode[Told]

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Told]:
        """Raises `ManifestDamaged` at a line that is none of the kind."""
        read = 0
        for line in self.raw():
            read += 1
            try:
                yield self.decode(line, self.profiles)
            except (ValueError, TypeError, KeyError) as error:
                raise ManifestDamaged(self.path, f"it has the line {line[:60]!r}") from error
        if read < self.count:
            raise ManifestDamaged(self.path, f"it has {read} of {self.count} lines")

    def part(self, start: int, length: int) -> list[bytes]:
        """Lines by where they lie, in bytes from the first."""
        with opened(self.path) as file:
            file.seek(self.start + start)
            return file.read(length).splitlines()

    def but(self, parts: Iterable[tuple[int, int, int]]) -> Iterator[bytes]:
        """The lines as bytes, but for parts of the file: starts, lengths and numbers of lines."""
        with opened(self.path) as file:
            file.seek(self.start)
            left = self.count
            for start, length, lines in sorted(parts):
                while file.tell() < start and left:
                    yield file.readline()
                    left -= 1
                file.seek(start + length)
                left -= lines
            yield from islice(file, left)

    def raw(self) -> Iterator[bytes]:
        """The lines as bytes, whatever they say."""
        with opened(self.path, BUFFER) as file:
            file.seek(self.start)
            yield from islice(file, self.count)


class Manifest(Struct, frozen=True):
    """Everything that a host has to know to serve a release; `size` is in bytes."""

    path: Path
    site_root: str
    api_version: str
    documents: Section[Entry]
    redirects: Section[Redirect]
    errors: Section[ErrorBody]
    files: int
    size: int


def read(path: Path) -> Manifest | None:
    """The manifest in a file; none where there is no whole file of this format."""
    try:
        with opened(path) as file:
            head, contents = orjson.loads(file.readline()), orjson.loads(last_line(file))
        return of_contents(path, head, contents) if head["format"] == FORMAT else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def opened(path: Path, buffering: int = DEFAULT_BUFFER_SIZE) -> BinaryIO:
    return reading(path.parent, path.name, buffering)


def of_contents(path: Path, head: Mapping[str, Any], contents: Mapping[str, Any]) -> Manifest:
    def section(name: str, decode: Decode[Told]) -> Section[Told]:
        place = contents["contents"][name]
        start, count = int(place["start"]), int(place["count"])
        return Section(path, start, count, contents["profiles"], decode)

    return Manifest(
        path=path,
        site_root=head["siteRoot"],
        api_version=head["apiVersion"],
        documents=section("documents", lines.document),
        redirects=section("redirects", lines.redirect),
        errors=section("errors", lines.error),
        files=int(contents["files"]),
        size=int(contents["bytes"]),
    )


def last_line(file: BinaryIO) -> bytes:
    """The last line of a file, without its line feed."""
    end = file.seek(0, os.SEEK_END)
    length = TAIL
    while True:
        start = max(0, end - length)
        file.seek(start)
        _, feed, line = file.read().removesuffix(b"\n").rpartition(b"\n")
        if feed or start == 0:
            return line
        length *= 2


def by_address(entries: Iterable[Entry]) -> dict[str, Entry]:
    """All of them in memory: for a site of moderate size."""
    return {entry.address: entry for entry in entries}
