"""What a freeze would change, and what its gates say, without a write to the target.

So a process that may not write there can tell. Only what differs is written, into a folder that is
removed at the end.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from django.conf import settings
from django.utils import timezone
from django.utils.translation import override
from msgspec import Struct

from catalogue.read_transactions import read_transaction
from site_mirror.documents.headers import MARKDOWN_TYPE
from site_mirror.freeze.site import gates_of, read_context, read_site, readable_database
from site_mirror.gates.deletions import MAX_DELETED_PERCENT
from site_mirror.snapshot import files
from site_mirror.snapshot.changes import find_differences
from site_mirror.snapshot.entries import Entry
from site_mirror.snapshot.errors import FreezeError, GatesFailed
from site_mirror.snapshot.files import open_folder
from site_mirror.snapshot.freeze import Options, freeze
from site_mirror.snapshot.layout import MANIFEST, PUBLIC
from site_mirror.snapshot.manifest import (
    index_documents,
    read_manifest,
    read_whole_manifest,
)
from site_mirror.snapshot.pool import MAIN_PROCESS_POOL
from site_mirror.snapshot.state import read_valid_state
from site_mirror.snapshot.target import Target
from site_mirror.snapshot.verdicts import Verdict
from site_mirror.snapshot.workspace import Workspace


class Change(Struct, frozen=True):
    """An address that is new, changed or gone; of a mirror, the texts before and after."""

    address: str
    family: str
    change: str
    before: str = ""
    after: str = ""


class TooMuch(FreezeError):
    """A rehearsal that was given up."""


class RehearsedTarget(Target):
    """A target whose next release is staged in another folder, and stays there."""

    def __init__(self, root: Path, folder: Path) -> None:
        super().__init__(root)
        self.folder = folder

    @contextmanager
    def staging(self, now: str = "", *, verify: bool = False) -> Iterator[tuple[Workspace, int]]:
        is_cached = not verify and read_valid_state(self.release) is not None
        with open_folder(self.folder) as descriptor:
            yield Workspace(self.folder, self.release, is_cached, now, set()), descriptor


def rehearse_freeze(root: Path, seconds: float) -> tuple[list[Change], Sequence[Verdict]]:
    """Return what a freeze would change, with the verdicts of the gates. Raises `FreezeError`.

    It is given up after some seconds, because somebody waits for it.
    """
    at, until = timezone.now(), monotonic() + seconds

    def watch(documents: int) -> None:
        if monotonic() > until:
            raise TooMuch(f"Only {documents} documents are compared after {seconds} s.")

    # Readers have no language of their own, and who asks may have another one.
    language = override(settings.LANGUAGE_CODE)
    with language, readable_database(), read_transaction(), TemporaryDirectory() as folder:
        target, context = RehearsedTarget(root, Path(folder)), read_context(at)
        gates = gates_of(context, (), MAX_DELETED_PERCENT)
        options = Options(dry_run=True, progress=watch)
        try:
            report = freeze(target, read_site(context, at), MAIN_PROCESS_POOL, gates, options)
            verdicts = report.gates
        except GatesFailed as failed:
            verdicts = failed.verdicts
        return compare_releases(target.release, target.folder), verdicts


def compare_releases(before: Path | None, after: Path) -> list[Change]:
    """Return what differs in a release from another one. Raises `ManifestDamaged`."""
    known = read_manifest(before / MANIFEST) if before else None
    old, new = (index_documents(release) for release in (before, after))
    changes = []
    for each in find_differences(known, read_whole_manifest(after / MANIFEST)):
        was, now = old.find(each.address), new.find(each.address)
        family = (now or was).family if now or was else ""  # type: ignore[union-attr]
        texts = read_mirror(before, was), read_mirror(after, now)
        changes.append(Change(each.address, family, each.change, *texts))
    return changes


def read_mirror(release: Path | None, entry: Entry | None) -> str:
    if release is None or entry is None or entry.media_type != MARKDOWN_TYPE:
        return ""
    return files.read_file(release, f"{PUBLIC}/{entry.file}").decode()
