"""Collect what was staged: the lines of a release's manifest, its checksums, its counts.

Nothing is kept of a document but eight bytes, however many there are.
"""

from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct, field

from api.contract import API_VERSION
from site_mirror.snapshot import checksums, lines, marks
from site_mirror.snapshot.entries import ErrorBody, Redirect
from site_mirror.snapshot.errors import TwoOnOneFile
from site_mirror.snapshot.files import private
from site_mirror.snapshot.layout import CHECKSUMS, ERRORS, MANIFEST
from site_mirror.snapshot.manifest import Manifest, read
from site_mirror.snapshot.portions import Entries, Memory, Portion, remembering, seal
from site_mirror.snapshot.writing import Writer, writing


class Collector(Struct):
    """A release in the making, as far as the main process knows it.

    `answered` are the marks of addresses, `paths` those of files, which are in `folders` of the
    public tree. `healed` are files that were made anew since the published ones were damaged.
    """

    manifest: Writer
    checksums: BinaryIO
    memory: Memory
    written: int = 0
    answered: "array[int]" = field(default_factory=lambda: array("Q"))
    paths: "array[int]" = field(default_factory=lambda: array("Q"))
    folders: set[str] = field(default_factory=set)
    healed: list[str] = field(default_factory=list)

    def begin(self, section: str) -> None:
        self.manifest.begin(section)

    def portion(self, portion: Portion) -> Entries:
        """Take in some documents; returns where they are as items of lists."""
        self.answered.extend(marks.unpacked(portion.addresses))
        self.paths.extend(marks.unpacked(portion.paths))
        self.folders |= portion.folders
        self.healed += portion.healed
        self.written += portion.written
        self.manifest.files += portion.files
        self.manifest.size += portion.size
        entries = self.memory.add(portion, self.manifest.written)
        self.checksums.write(portion.checksums)
        self.manifest.extend("documents", portion.lines, portion.documents, portion.profiles)
        return entries

    def redirect(self, redirect: Redirect) -> None:
        self.manifest.add("redirects", lines.redirect_line(redirect))

    def error(self, error: ErrorBody) -> None:
        self.checksums.write(checksums.lines(ERRORS, {error.file: error.sha256}))
        self.manifest.add("errors", lines.error_line(error))

    def suspects(self) -> set[int]:
        """Marks of files that more than one document seems to be written to."""
        if len(set(self.paths)) == len(self.paths):
            return set()
        return {one for one, next_one in pairwise(sorted(self.paths)) if one == next_one}


@contextmanager
def collecting(folder: Path, site_root: str) -> Iterator[Collector]:
    """The manifest and the checksums of a folder, complete when this ends without an error."""
    with private(folder / CHECKSUMS) as sums, remembering(folder) as memory:
        with writing(folder / MANIFEST, site_root, API_VERSION) as manifest:
            collector = Collector(manifest, sums, memory)
            yield collector
        sums.write(checksums.line(MANIFEST, manifest.sha256))
    seal(folder, memory.seen)


def refuse_two_on_one_file(folder: Path, collector: Collector) -> None:
    """Raises `TwoOnOneFile` with both addresses."""
    suspects = collector.suspects()
    found = read(folder / MANIFEST) if suspects else None
    owners: dict[str, str] = {}
    for entry in found.documents if found else ():
        if marks.mark(entry.file.encode()) in suspects and owners.setdefault(
            entry.file, entry.address
        ) != (entry.address):
            raise TwoOnOneFile(entry.file, (owners[entry.file], entry.address))


def whole(folder: Path) -> Manifest:
    """The manifest that has just been written."""
    found = read(folder / MANIFEST)
    if found is None:
        raise FileNotFoundError(folder / MANIFEST)
    return found
