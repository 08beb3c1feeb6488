"""The state of a release (`cache/state.json`): its inputs, and the metadata of its files.

A freeze with equal inputs has nothing to do while the files of the release are unchanged.
"""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from site_mirror.snapshot.cache import read_release_state, referenced_metadata
from site_mirror.snapshot.files import PRIVATE_FOLDER_MODE, make_folders, replace_private_file
from site_mirror.snapshot.integrity import Windows, is_own_change
from site_mirror.snapshot.layout import (
    CACHE,
    CHECKSUMS,
    ERRORS,
    MANIFEST,
    PUBLIC,
    REPORT,
    STATE,
)
from site_mirror.snapshot.metadata import (
    Metadata,
    is_regular_file,
    metadata_of,
    without_change_time,
)
from site_mirror.snapshot.report import Report

PRIVATE_FILES = (MANIFEST, CHECKSUMS, REPORT)
MAX_WATCHED_FILES = 10_000
"""Files up to which the metadata of each is recorded; of more, only that of their folders."""


def write_state(
    release: Path,
    inputs: Mapping[str, Any],
    batches: Mapping[str, str],
    report: Report,
    folders: Collection[str],
) -> None:
    """Write the state of a staged release; `batches` has the metadata digest of each batch."""
    files = referenced_metadata(release)
    write_members(release, inputs, {"files": files, "metadata": batches}, report, folders)


def renew_state(
    release: Path, inputs: Mapping[str, Any], report: Report, folders: Collection[str]
) -> None:
    """Replace the inputs of a published release, which also give it; its cache stays valid."""
    try:
        state = read_release_state(release)
        cache = {"files": state["files"], "metadata": state["metadata"]}
    except (OSError, ValueError, KeyError):
        cache = {"files": {}, "metadata": {}}
    make_folders(f"{release}/{CACHE}", PRIVATE_FOLDER_MODE)
    write_members(release, inputs, cache, report, folders)


def write_members(
    release: Path,
    inputs: Mapping[str, Any],
    cache: Mapping[str, Any],
    report: Report,
    folders: Collection[str],
) -> None:
    state = {
        "inputs": inputs,
        **cache,
        "touched": watched_metadata(release, report.files, folders),
        "report": report.members(),
    }
    replace_private_file(f"{release}/{STATE}", orjson.dumps(state))


def watched_metadata(release: Path, files: int, folders: Collection[str]) -> dict[str, Metadata]:
    """Return the metadata of the folders of a release and, if it is not large, of its files.

    `folders` are those of the public tree that have files.
    """
    has_few = files <= MAX_WATCHED_FILES
    public = names_below(release, PUBLIC, files=True) if has_few else with_parents(folders)
    names = [*PRIVATE_FILES, *public, *names_below(release, ERRORS, files=has_few)]
    return {name: metadata_of(f"{release}/{name}") for name in names}


def is_as_published(release: Path, state: Mapping[str, Any], windows: Windows) -> bool:
    """Whether no file of a release was written, renamed, created or removed."""
    return all(
        is_unchanged_metadata(name, metadata_of(f"{release}/{name}"), tuple(before), windows)
        for name, before in state["touched"].items()
    )


def is_unchanged_metadata(name: str, now: Metadata, before: Metadata, windows: Windows) -> bool:
    """Whether metadata is unchanged, except the change time of a file that this program linked."""
    if now == before or not name.startswith(f"{PUBLIC}/") or not is_regular_file(now):
        return now == before
    return without_change_time(now) == without_change_time(before) and is_own_change(
        now[-1], windows
    )


def with_parents(folders: Iterable[str]) -> set[str]:
    """Return the public tree, these folders of it and the folders between."""
    own = {f"{PUBLIC}/{folder}".rstrip("/") for folder in folders}
    return {str(each) for folder in own for each in (Path(folder), *Path(folder).parents)} - {"."}


def names_below(release: Path, part: str, *, files: bool) -> Iterator[str]:
    """Yield a folder of a release and the folders below it and, with `files`, their files."""
    for folder, _, inside in os.walk(release / part):
        own = os.path.relpath(folder, release)
        yield own
        if files:
            yield from (f"{own}/{name}" for name in inside)
