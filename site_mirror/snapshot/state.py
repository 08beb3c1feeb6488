"""The state of a release (`cache/state.json`): its inputs, and the metadata of its files.

A freeze with equal inputs has nothing to do while the files of the release are unchanged.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from site_mirror.documents import digests
from site_mirror.snapshot import published
from site_mirror.snapshot.files import (
    PRIVATE_FOLDER_MODE,
    make_folders,
    read_file,
    replace_private_file,
)
from site_mirror.snapshot.layout import CACHE, STATE
from site_mirror.snapshot.report import Report


class ReleaseState(Struct, frozen=True):
    """The inputs and the report of a release, and digests of metadata (`published`).

    `private` is of the files beside the public tree, and `tree` of what is served. `program` is a
    digest: another program renders and checks every document again.
    """

    program: str
    inputs: Mapping[str, Any]
    report: Report
    private: str
    tree: str


def write_state(release: Path, inputs: Mapping[str, Any], report: Report) -> None:
    """Record the state of a release as it is now; the cache of a published one may be missing."""
    make_folders(f"{release}/{CACHE}", PRIVATE_FOLDER_MODE)
    state = ReleaseState(
        digests.program_digest(),
        inputs,
        report,
        published.digest_private_metadata(release),
        published.digest_tree_metadata(release, report.files),
    )
    # Replaced by a rename: a published release may be renewed while a freeze is killed.
    replace_private_file(f"{release}/{STATE}", msgspec.json.encode(state))


def read_valid_state(release: Path | None) -> ReleaseState | None:
    """Return the state of a release of this program whose private files are unchanged."""
    if release is None:
        return None
    try:
        state = msgspec.json.decode(read_file(release, STATE), type=ReleaseState)
    except (OSError, msgspec.DecodeError):
        return None
    if state.program != digests.program_digest():
        return None
    return state if state.private == published.digest_private_metadata(release) else None
