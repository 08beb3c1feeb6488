"""The documents of the published release by address, as the lines that its manifest has."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import orjson

from site_mirror.snapshot.files import reading
from site_mirror.snapshot.layout import MANIFEST
from site_mirror.snapshot.lines import Profiles
from site_mirror.snapshot.manifest import Manifest, read

KEY = len(b'{"document":"')
OFFSET_BITS = 40
HASH_BITS = 64 - OFFSET_BITS
PART = 4096


class Held:
    """Lines by address, at eight bytes of memory a document.

    A sorted array of numbers, each a hash of the address above the place of its line; lines of
    the same hash lie beside each other and are told apart by what they say.
    """

    def __init__(self, path: Path, places: "array[int]", profiles: Profiles) -> None:
        self.path = path
        self.profiles = profiles
        self.places = places

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
                return line
        return None

    def line_at(self, offset: int) -> bytes:
        with reading(self.path.parent, self.path.name, PART) as file:
            file.seek(offset)
            return file.readline()


def lines_of(release: Path | None) -> Held:
    """The lines of a release's documents; no line at all without a release that can be read."""
    if release is None:
        return NOTHING
    try:
        found = (release / MANIFEST).stat()
    except OSError:
        return NOTHING
    return opened(release / MANIFEST, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=1)
def opened(path: Path, mtime: int, size: int) -> Held:
    """Once for each process and manifest."""
    manifest = read(path)
    if manifest is None:
        return NOTHING
    places = array("Q", sorted(places_in(manifest)))
    return Held(path, places, manifest.documents.profiles)


def places_in(manifest: Manifest) -> Iterator[int]:
    offset = manifest.documents.start
    for line in manifest.documents.raw():
        yield hashed(line) << OFFSET_BITS | offset
        offset += len(line)


def hashed(line: bytes) -> int:
    """A hash of the address that a line begins with, the same within one process."""
    return hash(address_in(line)) & (1 << HASH_BITS) - 1


def address_in(line: bytes) -> bytes:
    """The address of a document, as its line has it."""
    return line[KEY : line.find(b'"', KEY)]


NOTHING = Held(Path(), array("Q"), {})
