"""The build cache: the result of each batch of a release, for the next freeze.

Batches with equal digests have equal results. So a result is a file that is named by the digest of
its batch, and that is hard-linked into the next release together with the files of the batch. It
begins with its own checksum: a damaged one is not used.
"""

import os
from hashlib import sha256
from pathlib import Path

import msgspec

from site_mirror.snapshot.files import PRIVATE_FILE_MODE, read_file, write_file
from site_mirror.snapshot.layout import BATCHES
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


def link_result(workspace: Workspace, digest: str) -> None:
    name = f"{BATCHES}/{digest}"
    if workspace.linked is None:
        os.link(f"{workspace.published}/{name}", f"{workspace.staging}/{name}")
