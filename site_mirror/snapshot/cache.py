"""The build cache: the result of each batch of a release, for the next freeze.

Batches with equal digests have equal results. So a result is a file that is named by the digest of
its batch, and that is hard-linked into the next release together with the files of the batch. It
begins with its own checksum: a damaged one is not used.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct, field

from site_mirror.documents.built import Built, Range
from site_mirror.snapshot.files import (
    PRIVATE_FILE_MODE,
    PRIVATE_FOLDER_MODE,
    create_private_file,
    make_folders,
    read_file,
    write_file,
)
from site_mirror.snapshot.layout import BATCHES, ITEMS, PUBLIC
from site_mirror.snapshot.results import BatchResult
from site_mirror.snapshot.workspace import Workspace

CHECKSUM_BYTES = sha256().digest_size
STORED_MEMBERS = BatchResult.__struct_fields__[: BatchResult.__struct_fields__.index("written")]


def write_result(release: Path, result: BatchResult) -> None:
    members = {name: getattr(result, name) for name in STORED_MEMBERS}
    # The next freeze that has this result reuses all of its documents.
    body = msgspec.msgpack.encode(members | {"reused": result.documents})
    path = f"{release}/{BATCHES}/{result.digest}"
    write_file(path, sha256(body).digest() + body, PRIVATE_FILE_MODE)


def read_result(release: Path | None, digest: str) -> BatchResult | None:
    """Return the stored result of a batch; `None` if it is missing or damaged."""
    if release is None or not digest:
        return None
    try:
        stored = memoryview(read_file(release, f"{BATCHES}/{digest}"))
        checksum, body = stored[:CHECKSUM_BYTES], stored[CHECKSUM_BYTES:]
        if sha256(body).digest() != checksum:
            return None
        # The names of members are checked here, their types by the checksum.
        return BatchResult(**msgspec.msgpack.decode(body))
    except (OSError, TypeError, msgspec.DecodeError):
        return None


def link_result(workspace: Workspace, digest: str) -> bool:
    """Hard-link the stored result of a batch; return false where that is impossible."""
    name = f"{BATCHES}/{digest}"
    try:
        os.link(f"{workspace.published}/{name}", f"{workspace.staging}/{name}")
    except OSError:
        return False
    return True


class ItemsWriter(Struct):
    """Writes documents as items of lists into a file of the staging folder, for the lists.

    A site of 100,000 posts has more of them than fit in memory.
    """

    staging: Path
    file: BinaryIO
    written: int = 0
    ranges: dict[str, list[Range]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, result: BatchResult) -> None:
        for family, (items, count) in result.items.items():
            self.file.write(items)
            self.ranges.setdefault(family, []).append((self.written, len(items)))
            self.counts[family] = self.counts.get(family, 0) + count
            self.written += len(items)

    def built(self) -> Built:
        """Return the documents that were added, as a value from which workers make lists."""
        self.file.flush()
        ranges = {family: tuple(each) for family, each in self.ranges.items()}
        return Built(self.staging / PUBLIC, self.staging / ITEMS, ranges, dict(self.counts))


@contextmanager
def writing_items(staging: Path) -> Iterator[ItemsWriter]:
    """Make the folder of the cache; the file of items exists within the block."""
    make_folders(f"{staging}/{BATCHES}", PRIVATE_FOLDER_MODE)
    # On disk and not in memory, and removed once all lists are built.
    with create_private_file(staging / ITEMS) as file:
        yield ItemsWriter(staging, file)
    (staging / ITEMS).unlink()
