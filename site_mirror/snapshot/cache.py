"""The build cache: the results of a release's batches, for the next freeze.

Batches with equal digests have equal results. So the files of a cached batch are linked, and its
result is read from `batches.jsonl` and from the files that this refers to, while their metadata is
the recorded one (`state`).
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import orjson
from msgspec import Struct, field

from site_mirror.documents.built import Built, Range
from site_mirror.snapshot.checksums import public_files_of
from site_mirror.snapshot.files import (
    PRIVATE_FOLDER_MODE,
    create_private_file,
    make_folders,
    open_regular_file,
    read_range,
)
from site_mirror.snapshot.layout import BATCHES, CACHE, CHECKSUMS, ITEMS, MANIFEST, PUBLIC
from site_mirror.snapshot.lines import HeaderFields
from site_mirror.snapshot.manifest import read_manifest
from site_mirror.snapshot.results import BatchResult
from site_mirror.snapshot.state import read_valid_state
from site_mirror.snapshot.workspace import Workspace

REFERENCED_FILES = (BATCHES, MANIFEST, CHECKSUMS, ITEMS)
"""The files that cached results are read from."""


class CachedBatch(Struct, frozen=True):
    """A batch of the published release.

    `members` is its line in `batches.jsonl`, `metadata` the digest of its files' metadata.
    """

    members: Mapping[str, Any]
    metadata: str

    @property
    def digest(self) -> str:
        return str(self.members["digest"])

    @property
    def documents(self) -> int:
        return int(self.members["documents"])

    @property
    def lines(self) -> Range:
        """The range of its lines in the manifest."""
        return parse_range(self.members["lines"])

    @property
    def checksums(self) -> Range:
        return parse_range(self.members["checksums"])

    def files_in(self, release: Path) -> list[str]:
        """Return the names of its public files."""
        with open_regular_file(release, CHECKSUMS) as file:
            return public_files_of(read_range(file, self.checksums))


def parse_range(members: Any) -> Range:
    start, length = members
    return int(start), int(length)


class BuildCache(Struct, frozen=True):
    """The batches of the published release by digest; empty without a valid cache."""

    batches: Mapping[str, CachedBatch] = field(default_factory=dict)
    files: Mapping[str, BinaryIO] = field(default_factory=dict)
    profiles: Mapping[str, HeaderFields] = field(default_factory=dict)

    def find(self, digest: str) -> CachedBatch | None:
        return self.batches.get(digest) if digest else None

    def read_result(self, cached: CachedBatch, metadata: str) -> BatchResult:
        """Return the result of a batch whose documents are all reused."""
        members = cached.members
        return BatchResult(
            digest=cached.digest,
            lines=read_range(self.files[MANIFEST], cached.lines),
            profiles={name: self.profiles[name] for name in members["profiles"]},
            checksums=read_range(self.files[CHECKSUMS], cached.checksums),
            documents=cached.documents,
            files=members["files"],
            size=members["size"],
            families=members["families"],
            addresses=bytes.fromhex(members["addresses"]),
            paths=bytes.fromhex(members["paths"]),
            items={
                family: (read_range(self.files[ITEMS], parse_range(where)), count)
                for family, (where, count) in members["items"].items()
            },
            reused=cached.documents,
            metadata=metadata,
        )


@contextmanager
def open_build_cache(workspace: Workspace) -> Iterator[BuildCache]:
    """Open the cache of the published release; it is empty if its files were changed."""
    release = workspace.published if workspace.is_cached else None
    batches, manifest = (
        read_cached_batches(release),
        read_manifest(release / MANIFEST) if release else None,
    )
    with ExitStack() as stack:
        if not batches or release is None or manifest is None:
            yield BuildCache()
            return
        files = {
            name: stack.enter_context(open_regular_file(release, name)) for name in REFERENCED_FILES
        }
        yield BuildCache(batches, files, manifest.documents.profiles)


def read_cached_batches(release: Path | None) -> dict[str, CachedBatch]:
    """Return the cached batches of a release by digest; none if a file of the cache is damaged."""
    state = read_valid_state(release)
    if state is None or release is None:
        return {}
    try:
        with open_regular_file(release, BATCHES) as lines:
            members = map(orjson.loads, lines)
            batches = [CachedBatch(each, state.batches[each["digest"]]) for each in members]
        return {cached.digest: cached for cached in batches}
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return {}


class CacheWriter(Struct):
    """Writes the cache of a staged release, batch by batch.

    `checksums` and `written` are the bytes of `SHA256SUMS` and of `items` so far.
    """

    staging: Path
    batches: BinaryIO
    items: BinaryIO
    checksums: int = 0
    written: int = 0
    metadata: dict[str, str] = field(default_factory=dict)
    ranges: dict[str, list[Range]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, result: BatchResult, manifest_offset: int) -> None:
        """Write a result whose lines begin at this offset of the manifest."""
        items = {family: self.write_items(family, *items) for family, items in result.items.items()}
        if result.digest:
            members = {
                "digest": result.digest,
                "profiles": sorted(result.profiles),
                "documents": result.documents,
                "files": result.files,
                "size": result.size,
                "families": dict(result.families),
                "addresses": result.addresses.hex(),
                "paths": result.paths.hex(),
                "lines": (manifest_offset, len(result.lines)),
                "checksums": (self.checksums, len(result.checksums)),
                "items": items,
            }
            self.batches.write(orjson.dumps(members, option=orjson.OPT_APPEND_NEWLINE))
            self.metadata[result.digest] = result.metadata
        self.checksums += len(result.checksums)

    def write_items(self, family: str, items: bytes, count: int) -> tuple[Range, int]:
        where = self.written, self.items.write(items)
        self.written += len(items)
        self.ranges.setdefault(family, []).append(where)
        self.counts[family] = self.counts.get(family, 0) + count
        return where, count

    def built(self) -> Built:
        """Return the documents that were added, as a value from which workers make lists."""
        self.items.flush()
        ranges = {family: tuple(each) for family, each in self.ranges.items()}
        return Built(self.staging / PUBLIC, self.staging / ITEMS, ranges, dict(self.counts))


@contextmanager
def writing_cache(staging: Path) -> Iterator[CacheWriter]:
    make_folders(f"{staging}/{CACHE}", PRIVATE_FOLDER_MODE)
    with (
        create_private_file(staging / BATCHES) as batches,
        create_private_file(staging / ITEMS) as items,
    ):
        yield CacheWriter(staging, batches, items)
