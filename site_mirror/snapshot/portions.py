"""Documents that are staged together, and what is left of them for the main process.

A portion is a few kilobytes of numbers and finished lines, however long its documents are. A
release remembers its portions (`portions.jsonl`, `entries`), so that the next freeze can take
one over as a whole where all that it is made of is the same.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import orjson
from msgspec import Struct, field

from site_mirror.gates.findings import Findings
from site_mirror.snapshot.checksums import digests_of, files_of
from site_mirror.snapshot.files import PRIVATE_FILE, body, private, reading, write
from site_mirror.snapshot.layout import CHECKSUMS, ENTRIES, MANIFEST, PORTIONS, SEAL
from site_mirror.snapshot.lines import Headers
from site_mirror.snapshot.traces import trace

SEALED = (MANIFEST, CHECKSUMS, ENTRIES)
"""The files that portions are parts of, as `Files` has them."""

Range = tuple[int, int]
"""Where bytes of a file begin, and how many there are."""
Entries = Mapping[str, tuple[Range, int]]
"""Where the documents of a family are as items of a list, and how many these are."""


class Portion(Struct, frozen=True):
    """Some documents of the release in the making.

    `inputs` is a digest of what all of it is made of, empty if unknown. `lines` and `checksums`
    are those of the manifest and of the list of checksums. `addresses` are the marks of what is
    answered, `paths` those of files, which are in `folders` of the public tree. `entries` has the
    documents of a family as items of a list. `seen` is the record of the files' metadata
    (`staying`), and `healed` are files that were made anew since the published ones were damaged.
    """

    inputs: str
    lines: bytes
    profiles: Mapping[str, Headers]
    checksums: bytes
    documents: int
    files: int
    size: int
    written: int
    held: int
    families: Mapping[str, int]
    addresses: bytes
    paths: bytes
    folders: frozenset[str] = frozenset()
    entries: Mapping[str, tuple[bytes, int]] = field(default_factory=dict)
    findings: Findings = field(default_factory=Findings)
    seen: str = ""
    healed: tuple[str, ...] = ()


class Remembered(Struct, frozen=True):
    """A portion of the published release: what it counts, and where its bytes are.

    `seen` is the record of its files' metadata.
    """

    members: Mapping[str, Any]
    seen: str = ""

    @property
    def lines(self) -> Range:
        start, length = self.members["lines"]
        return start, length

    @property
    def checksums(self) -> Range:
        start, length = self.members["checksums"]
        return start, length

    @property
    def documents(self) -> int:
        return int(self.members["documents"])

    def portion(self, files: "Files", profiles: Mapping[str, Headers]) -> Portion:
        """The portion as it is published, every document of it taken over."""
        told = self.members
        return Portion(
            inputs=told["inputs"],
            lines=files.manifest.part(told["lines"]),
            profiles={name: profiles[name] for name in told["profiles"]},
            checksums=files.checksums.part(self.checksums),
            documents=told["documents"],
            files=told["files"],
            size=told["size"],
            written=0,
            held=told["documents"],
            families=Counter(told["families"]),
            addresses=bytes.fromhex(told["addresses"]),
            paths=bytes.fromhex(told["paths"]),
            folders=frozenset(told["folders"]),
            entries={
                family: (files.entries.part(place), count)
                for family, (place, count) in told["entries"].items()
            },
            seen=self.seen,
        )


class Bytes(Struct, frozen=True):
    """A file that parts are read of."""

    file: BinaryIO

    def part(self, place: Range) -> bytes:
        start, length = place
        self.file.seek(start)
        return self.file.read(length)


def digests_in(release: Path, checksums: Range) -> dict[str, str]:
    """The public files that a part of a release's checksums names, with their SHA-256."""
    with reading(release, CHECKSUMS) as file:
        return digests_of(Bytes(file).part(checksums))


def files_in(release: Path, checksums: Range) -> list[str]:
    """The public files that a part of a release's checksums names."""
    with reading(release, CHECKSUMS) as file:
        return files_of(Bytes(file).part(checksums))


class Files(Struct, frozen=True):
    """The files of a release that portions are parts of."""

    manifest: Bytes
    checksums: Bytes
    entries: Bytes


class Memory(Struct):
    """Remembers the portions of a release in the making, as they are collected.

    `seen` has the records of their files' metadata by the portions' inputs.
    """

    portions: BinaryIO
    entries: BinaryIO
    checksums: int = 0
    written: int = 0
    seen: dict[str, str] = field(default_factory=dict)

    def add(self, portion: Portion, lines: int) -> Entries:
        """Where its items are now; `lines` is where its lines begin in the manifest."""
        entries = {name: self.entry(*entry) for name, entry in portion.entries.items()}
        self.entries.flush()
        if portion.inputs:
            told = members(portion) | {
                "lines": (lines, len(portion.lines)),
                "checksums": (self.checksums, len(portion.checksums)),
                "entries": entries,
            }
            self.portions.write(orjson.dumps(told, option=orjson.OPT_APPEND_NEWLINE))
            self.seen[portion.inputs] = portion.seen
        self.checksums += len(portion.checksums)
        return entries

    def entry(self, items: bytes, count: int) -> tuple[Range, int]:
        start = self.written
        self.written += self.entries.write(items)
        return (start, len(items)), count


def members(portion: Portion) -> dict[str, Any]:
    return {
        "inputs": portion.inputs,
        "profiles": sorted(portion.profiles),
        "documents": portion.documents,
        "files": portion.files,
        "size": portion.size,
        "families": dict(portion.families),
        "addresses": portion.addresses.hex(),
        "paths": portion.paths.hex(),
        "folders": sorted(portion.folders),
    }


@contextmanager
def remembering(folder: Path) -> Iterator[Memory]:
    """A memory that counts once it is sealed."""
    with private(folder / PORTIONS) as portions, private(folder / ENTRIES) as entries:
        yield Memory(portions, entries)


def seal(folder: Path, seen: Mapping[str, str]) -> None:
    """Write down the metadata of the files that the portions are parts of, and the records of
    the public files' metadata: inodes differ between two machines, and `portions.jsonl` does not.
    """
    kept = {"files": touched(folder), "seen": seen}
    write(f"{folder}/{SEAL}", orjson.dumps(kept), PRIVATE_FILE)


def touched(folder: Path) -> dict[str, list[int]]:
    """How each of the files was last touched."""
    return {name: [*trace(f"{folder}/{name}")] for name in (PORTIONS, *SEALED)}


class Earlier(Struct, frozen=True):
    """The portions of the published release by what they are made of."""

    portions: Mapping[str, Remembered]
    files: Files | None = None
    profiles: Mapping[str, Headers] = field(default_factory=dict)

    def find(self, inputs: str) -> Remembered | None:
        return self.portions.get(inputs) if inputs else None

    def portion(self, found: Remembered) -> Portion:
        """One of those that were found."""
        if self.files is None:
            raise KeyError(found.members["inputs"])
        return found.portion(self.files, self.profiles)


@contextmanager
def earlier(release: Path | None, profiles: Mapping[str, Headers] | None) -> Iterator[Earlier]:
    """What a release remembers; nothing where it remembers nothing, or something unreadable."""
    try:
        known = remembered(release) if release and profiles is not None else {}
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        known = {}
    if not known or release is None:
        yield Earlier({})
        return
    with ExitStack() as opened:
        parts = [Bytes(opened.enter_context(reading(release, name))) for name in SEALED]
        yield Earlier(known, Files(*parts), profiles or {})


def remembered(release: Path) -> dict[str, Remembered]:
    """Raises `ValueError` or `KeyError` for a file that is not as it was written."""
    kept = orjson.loads(body(release, SEAL))
    if kept["files"] != touched(release):
        return {}
    with reading(release, PORTIONS) as lines:
        found = {line["inputs"]: line for line in map(orjson.loads, lines)}
    return {inputs: Remembered(line, kept["seen"][inputs]) for inputs, line in found.items()}
