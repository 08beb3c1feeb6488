"""A release that is staged and not yet published, beside the one that it would follow."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from catalogue.moments import iso_moment
from site_mirror.gates.verdicts import Verdict
from site_mirror.snapshot import checksums
from site_mirror.snapshot.batches import ALONE, Batch, Check, Crew, stage_batches
from site_mirror.snapshot.collecting import Collector, collecting, refuse_two_on_one_file, whole
from site_mirror.snapshot.entries import Redirect
from site_mirror.snapshot.errors import TwoOnOneFile
from site_mirror.snapshot.held import held
from site_mirror.snapshot.layout import ERRORS, REMOVED, SERVED, SIGNATURE
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.removed import write_removed
from site_mirror.snapshot.staging import Place, Refusal, Staged, stage_refusal

Progress = Callable[[Staged], None]
Sign = Callable[[str], bytes]
"""From the checksum of a manifest to its signature."""


@dataclass(frozen=True, slots=True)
class Published:
    """Everything that is to be published, read in one transaction.

    `due` is when the next scheduled content falls due.
    """

    site_root: str
    batches: Iterable[Batch]
    redirects: Iterable[Redirect]
    refusals: Iterable[Refusal]
    due: datetime | None = None


Read = Callable[[], AbstractContextManager[Published]]


@dataclass(frozen=True, slots=True)
class Candidate:
    """What was staged; `written` counts files, `removed` documents.

    `clash` tells of two documents that would be written to one file.
    """

    place: Place
    before: Manifest | None
    manifest: Manifest
    sha256: str
    written: int
    removed: int
    due: datetime | None
    clash: str = ""

    @property
    def changes(self) -> bool:
        """Whether publishing it would change anything that is served."""
        here, there = self.place.folder, self.place.published
        if self.written or there is None:
            return True
        errors = (f"{ERRORS}/{error.file}" for error in self.manifest.errors)
        return not checksums.same((*SERVED, *errors), here, there)


class Gates(Protocol):
    """What must hold of a release before it is published."""

    def note(self, staged: Staged) -> None:
        """Take in what is known of a document."""

    def conclude(self, candidate: Candidate) -> Sequence[Verdict]:
        """Judge the release as a whole."""


class NoGates:
    """Lets everything pass."""

    def note(self, staged: Staged) -> None:
        pass

    def conclude(self, candidate: Candidate) -> Sequence[Verdict]:
        return ()


def staged(
    place: Place,
    before: Manifest | None,
    read: Read,
    *,
    moment: datetime,
    check: Check,
    progress: Progress,
    sign: Sign | None,
    gates: Gates,
    crew: Crew = ALONE,
) -> Candidate:
    """Stage everything that `read` gives. Raises `FreezeError`."""
    with held(before) as lines:
        with read() as published, collecting(place.folder, published.site_root) as collector:
            stamp = iso_moment(moment)
            collector.begin("documents")
            for document in stage_batches(place, lines, published.batches, stamp, check, crew):
                collector.document(document)
                gates.note(document)
                progress(document)
            stage_the_rest(place, published, collector)
        clash = clash_of(place, collector)
        manifest = whole(place.folder)
        removed = write_removed(place.folder / REMOVED, lines, before, manifest)
    sha256 = collector.manifest.sha256
    if sign:
        (place.folder / SIGNATURE).write_bytes(sign(sha256))
    counts = collector.written, removed
    return Candidate(place, before, manifest, sha256, *counts, published.due, clash)


def clash_of(place: Place, collector: Collector) -> str:
    try:
        refuse_two_on_one_file(place.folder, collector)
    except TwoOnOneFile as error:
        return str(error)
    return ""


def stage_the_rest(place: Place, published: Published, collector: Collector) -> None:
    collector.begin("redirects")
    for redirect in published.redirects:
        collector.redirect(redirect)
    collector.begin("errors")
    for refusal in published.refusals:
        collector.error(stage_refusal(place, refusal))
