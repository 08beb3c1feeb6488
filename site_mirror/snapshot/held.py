"""The documents of the published release by address, as the lines that its manifest has."""

import os
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager

import orjson

from site_mirror.snapshot.lines import Profiles
from site_mirror.snapshot.manifest import Manifest

KEY = len(b'{"document":"')
OFFSET_BITS = 40
HASH_BITS = 64 - OFFSET_BITS
PART = 4096


class Held:
    """Lines by address, at eight bytes of memory a document.

    A sorted array of numbers, each a hash of the address above the place of its line; lines of
    the same hash lie beside each other and are told apart by what they say.
    """

    def __init__(self, file: int, places: "array[int]", profiles: Profiles) -> None:
        self.file = file
        self.profiles = profiles
        self.places = places
        self.asked = bytearray(len(places))

    def line(self, address: str) -> bytes | None:
        """The line of a document; none if the release has no such document."""
        start = b'{"document":' + orjson.dumps(address) + b","
        place = hashed(start) << OFFSET_BITS
        for position in range(bisect_left(self.places, place), len(self.places)):
            offset = self.places[position] - place
            if offset >= 1 << OFFSET_BITS:
                break
            line = self.line_at(offset)
            if line.startswith(start):
                self.asked[position] = True
                return line
        return None

    def line_at(self, offset: int) -> bytes:
        line = b""
        while b"\n" not in line and (part := os.pread(self.file, PART, offset + len(line))):
            line += part
        return line.partition(b"\n")[0] + b"\n"

    def left(self) -> Iterator[bytes]:
        """The lines that nobody has asked for, in order: documents that are no longer published."""
        offset = (1 << OFFSET_BITS) - 1
        left = (
            place & offset
            for place, asked in zip(self.places, self.asked, strict=True)
            if not asked
        )
        yield from map(self.line_at, sorted(left))


@contextmanager
def held(manifest: Manifest | None) -> Iterator[Held]:
    """The lines of a manifest's documents; no line at all without a manifest."""
    if manifest is None:
        yield Held(-1, array("Q"), {})
        return
    with manifest.path.open("rb") as file:
        profiles = manifest.documents.profiles
        yield Held(file.fileno(), array("Q", sorted(places(manifest))), profiles)


def places(manifest: Manifest) -> Iterator[int]:
    offset = manifest.documents.start
    for line in manifest.documents.raw():
        yield hashed(line) << OFFSET_BITS | offset
        offset += len(line)


def hashed(line: bytes) -> int:
    """A hash of the address that a line begins with, the same within one process."""
    return hash(line[: line.find(b'"', KEY)]) & (1 << HASH_BITS) - 1
