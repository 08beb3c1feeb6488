"""Compare a staged release with the published one."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from site_mirror.snapshot import checksums, file_trees
from site_mirror.snapshot.errors import ManifestDamaged
from site_mirror.snapshot.files import PUBLIC_FILE_MODE
from site_mirror.snapshot.layout import CHECKSUMS, COMPARED_FILES, ERRORS, MANIFEST, PUBLIC
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.workspace import Workspace


class Candidate(Struct, frozen=True):
    """A release that is staged and not yet published.

    `sha256` is the checksum of the manifest, `previous` the published manifest. `written` counts
    new files, `removed` documents. `folders` are the folders of the public tree that have files.
    `clash` names two documents that would be written to one file. `differing` are files outside the
    public tree that differ from the published ones. `healed` are damaged files of the published
    release, which were built again; `strange` are names in it that its manifest does not have.
    """

    workspace: Workspace
    manifest: Manifest
    sha256: str
    previous: Manifest | None = None
    next_due: datetime | None = None
    written: int = 0
    removed: int = 0
    folders: Collection[str] = ()
    clash: str = ""
    differing: Sequence[str] = ()
    healed: Sequence[str] = ()
    strange: Sequence[str] = ()

    @property
    def differs(self) -> bool:
        """Whether publishing it would change anything that is served."""
        changes = self.written or self.differing or self.healed or self.strange
        return bool(changes) or self.workspace.published is None

    @property
    def published_name(self) -> str:
        published = self.workspace.published
        return published.name if published else ""


def differing_files(staging: Path, published: Path, manifest: Manifest) -> Iterator[str]:
    """Yield the files outside the public tree that differ from the published ones."""
    names = [*COMPARED_FILES, *(f"{ERRORS}/{error.file}" for error in manifest.errors)]
    return (name for name in names if not checksums.have_same_files([name], staging, published))


def damaged_private_files(
    published: Path, previous: Manifest | None, differing: Sequence[str]
) -> Iterator[str]:
    """Yield the damaged files of the published release outside the public tree."""
    with suppress(ManifestDamaged):
        for error in previous.errors if previous else ():
            name = f"{ERRORS}/{error.file}"
            if file_trees.file_fault(published, name, error.sha256, PUBLIC_FILE_MODE):
                yield name
    if CHECKSUMS in differing and MANIFEST not in differing:
        yield CHECKSUMS


def strange_files(published: Path, manifest: Manifest) -> Iterator[str]:
    """Yield the names in `public` and `errors` of a release that its manifest does not have."""

    def in_public() -> Iterator[str]:
        for entry in manifest.documents:
            yield from entry.files

    errors = [error.file for error in manifest.errors]
    for name in file_trees.strange_names(published, PUBLIC, in_public, manifest.files):
        yield f"{PUBLIC}/{name}"
    for name in file_trees.strange_names(published, ERRORS, lambda: iter(errors), len(errors)):
        yield f"{ERRORS}/{name}"
