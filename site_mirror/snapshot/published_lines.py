"""Find the documents of the published release by address, as lines of its manifest."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import orjson

from site_mirror.snapshot import lines
from site_mirror.snapshot.entries import Entry
from site_mirror.snapshot.files import open_regular_file
from site_mirror.snapshot.layout import MANIFEST
from site_mirror.snapshot.lines import Profiles
from site_mirror.snapshot.manifest import Manifest, read_manifest

PREFIX_BYTES = len(b'{"document":"')
OFFSET_BITS = 40
HASH_BITS = 64 - OFFSET_BITS
READ_BUFFER_BYTES = 4096
VALIDATOR_HEADERS = frozenset({"ETag", "Last-Modified"})


class PublishedLines:
    """The lines of a manifest by address, with eight bytes of memory for each document.

    `index` is a sorted array of numbers: a hash of the address in the upper bits, the offset of the
    line in the lower ones. Lines with equal hashes are next to each other and are distinguished by
    their text.
    """

    def __init__(self, path: Path, index: "array[int]", profiles: Profiles) -> None:
        self.path = path
        self.index = index
        self.profiles = profiles

    def line(self, address: str) -> bytes | None:
        start = b'{"document":' + orjson.dumps(address) + b","
        lowest = address_hash_in(start) << OFFSET_BITS
        for position in range(bisect_left(self.index, lowest), len(self.index)):
            offset = self.index[position] - lowest
            if offset >= 1 << OFFSET_BITS:
                break
            line = self.line_at(offset)
            if line.startswith(start):
                return line
        return None

    def line_at(self, offset: int) -> bytes:
        with open_regular_file(self.path.parent, self.path.name, READ_BUFFER_BYTES) as file:
            file.seek(offset)
            return file.readline()

    def entry(self, address: str) -> Entry | None:
        """Return a document's entry; `None` if there is no such document or its line is damaged."""
        line = self.line(address)
        try:
            entry = lines.parse_document(line, self.profiles) if line else None
        except (ValueError, TypeError, KeyError):
            return None
        return entry if entry and entry.headers.keys() >= VALIDATOR_HEADERS else None


def published_lines(release: Path | None) -> PublishedLines:
    """Return the lines of a release's documents; none without a readable release."""
    if release is None:
        return NO_LINES
    try:
        status = (release / MANIFEST).stat()
    except OSError:
        return NO_LINES
    return index_lines(release / MANIFEST, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=1)
def index_lines(path: Path, mtime: int, size: int) -> PublishedLines:
    """Index the lines of a manifest, once in each process.

    Time and size are part of the cache's key, so that a changed file is indexed again.
    """
    manifest = read_manifest(path)
    if manifest is None:
        return NO_LINES
    index = array("Q", sorted(index_numbers(manifest)))
    return PublishedLines(path, index, manifest.documents.profiles)


def index_numbers(manifest: Manifest) -> Iterator[int]:
    offset = manifest.documents.start
    for line in manifest.documents.raw_lines():
        yield address_hash_in(line) << OFFSET_BITS | offset
        offset += len(line)


def address_hash_in(line: bytes) -> int:
    """Return the hash of the address at the start of a line, which is valid in one process."""
    return hash(address_in(line)) & (1 << HASH_BITS) - 1


def address_in(line: bytes) -> bytes:
    """Return the address of a document as its line has it, with JSON escapes."""
    return line[PREFIX_BYTES : line.find(b'"', PREFIX_BYTES)]


NO_LINES = PublishedLines(Path(), array("Q"), {})
