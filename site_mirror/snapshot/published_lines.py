"""Find the documents of a release by address, as lines of its manifest."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import orjson
from msgspec import Struct

from site_mirror.snapshot import lines
from site_mirror.snapshot.entries import Entry
from site_mirror.snapshot.files import open_regular_file
from site_mirror.snapshot.layout import MANIFEST
from site_mirror.snapshot.lines import Profiles
from site_mirror.snapshot.manifest import Manifest, read_manifest

SECOND_MEMBER = b',"aliases":'
"""Follows the address of a document in its line, and is in no address: JSON escapes the quotes."""
READ_BUFFER_BYTES = 4096
VALIDATOR_HEADERS = frozenset({"ETag", "Last-Modified"})


class PublishedLines(Struct, frozen=True):
    """The lines of a manifest by address: `offsets` has the place of each line by its start."""

    path: Path
    offsets: dict[bytes, int]
    profiles: Profiles

    def line(self, address: str) -> bytes | None:
        offset = self.offsets.get(b'{"document":' + orjson.dumps(address))
        if offset is None:
            return None
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
        # A document without validators cannot be served, so it counts as damaged.
        return entry if entry and entry.headers.keys() >= VALIDATOR_HEADERS else None


def published_lines(release: Path | None) -> PublishedLines:
    """Return the lines of a release's documents; none without a readable release."""
    if release is None:
        return NO_LINES
    try:
        status = (release / MANIFEST).stat()
    except OSError:
        return NO_LINES
    # Date and size are part of the cache's key, so that a changed file is read again.
    return index_lines(release / MANIFEST, status.st_mtime_ns, status.st_size)


# One index: for 100,000 posts it takes 100 MB in each process that builds documents.
@lru_cache(maxsize=1)
def index_lines(path: Path, mtime: int, size: int) -> PublishedLines:
    manifest = read_manifest(path)
    if manifest is None:
        return NO_LINES
    return PublishedLines(path, dict(locate_lines(manifest)), manifest.documents.profiles)


def locate_lines(manifest: Manifest) -> Iterator[tuple[bytes, int]]:
    offset = manifest.documents.start
    for line in manifest.documents.raw_lines():
        yield start_of(line), offset
        offset += len(line)


def start_of(line: bytes) -> bytes:
    """Return the first member of a document's line, its address.

    It is cut out, because parsing the line takes ten times as long.
    """
    return line[: line.find(SECOND_MEMBER)]


NO_LINES = PublishedLines(Path(), {}, {})
