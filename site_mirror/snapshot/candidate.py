"""A release that is staged and not yet published, beside the one that it would follow."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from pathlib import Path
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from catalogue.moments import iso_moment
from site_mirror.gates.verdicts import Verdict
from site_mirror.snapshot import checksums, trees
from site_mirror.snapshot.ahead import undo
from site_mirror.snapshot.batches import Batch, Check
from site_mirror.snapshot.beginning import Beginning
from site_mirror.snapshot.collecting import Collector, collecting, refuse_two_on_one_file, whole
from site_mirror.snapshot.crews import ALONE, Crew, Stage
from site_mirror.snapshot.entries import Redirect
from site_mirror.snapshot.errors import ManifestDamaged, TwoOnOneFile
from site_mirror.snapshot.files import PRIVATE_FILE, write
from site_mirror.snapshot.layout import (
    CHECKSUMS,
    ERRORS,
    MANIFEST,
    PUBLIC,
    REMOVED,
    SERVED,
    SIGNATURE,
)
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.places import Place
from site_mirror.snapshot.portions import Entries, Portion, earlier
from site_mirror.snapshot.removed import write_removed
from site_mirror.snapshot.staging import Refusal, stage_refusal

Progress = Callable[[int], None]
"""Is told how many documents have been staged since."""

Sign = Callable[[str], bytes]
"""From the checksum of a manifest to its signature."""


def begin_nowhere(folder: Path) -> None:
    """No document is made of others."""


def leave(entries: Entries) -> None:
    """No list is made of them."""


class Published(Struct, frozen=True):
    """Everything that is to be published, read in one transaction.

    `due` is when the next scheduled content falls due. `begin` is told the folder of the release.
    `listed` is told where the entries of each portion are as soon as it is collected: lists that
    come later are made of them.
    """

    site_root: str
    batches: Iterable[Batch]
    redirects: Iterable[Redirect]
    refusals: Iterable[Refusal]
    due: datetime | None = None
    begin: Callable[[Path], None] = begin_nowhere
    listed: Callable[[Entries], None] = leave


Read = Callable[[], AbstractContextManager[Published]]


class Candidate(Struct, frozen=True):
    """What was staged; `written` counts files, `removed` documents.

    `folders` of the public tree have files. `clash` tells of two documents that would be written
    to one file. `differs` are files beside the public ones that are not as in the published
    release: they are compared where no public file was written. `healed` are files of the
    published release that were damaged and were made anew, `strange` are names in it that do not
    belong to it.
    """

    place: Place
    before: Manifest | None
    manifest: Manifest
    sha256: str
    written: int
    removed: int
    due: datetime | None
    folders: Collection[str] = ()
    clash: str = ""
    differs: Sequence[str] = ()
    healed: Sequence[str] = ()
    strange: Sequence[str] = ()

    @property
    def changes(self) -> bool:
        """Whether publishing it would change anything that is served."""
        anew = self.written or self.differs or self.healed or self.strange
        return bool(anew) or self.place.published is None


class Gates(Protocol):
    """What must hold of a release before it is published."""

    def note(self, portion: Portion) -> None:
        """Take in what is known of some documents."""

    def conclude(self, candidate: Candidate) -> Sequence[Verdict]:
        """Judge the release as a whole."""


class NoGates:
    """Lets everything pass."""

    def note(self, portion: Portion) -> None:
        pass

    def conclude(self, candidate: Candidate) -> Sequence[Verdict]:
        return ()


def staged(
    beginning: Beginning,
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
    place = beginning.place
    profiles = before.documents.profiles if before else None
    with (
        earlier(None if beginning.verify else place.published, profiles) as known,
        read() as published,
        collecting(place.folder, published.site_root) as collector,
    ):
        published.begin(place.folder)
        ahead = beginning.ahead
        if ahead and not known.portions:
            undo(place, ahead)
            ahead = None
        stage = Stage(place, known, iso_moment(moment), check, crew, ahead)
        collector.begin("documents")
        for portion in stage.portions(published.batches):
            published.listed(collector.portion(portion))
            gates.note(portion)
            progress(portion.documents)
        stage_the_rest(place, published, collector)
    clash = clash_of(place, collector)
    manifest = whole(place.folder)
    removed = write_removed(
        place.folder / REMOVED, collector.answered, before, manifest, stage.kept
    )
    sha256 = collector.manifest.sha256
    if sign:
        write(f"{place.folder}/{SIGNATURE}", sign(sha256), PRIVATE_FILE)
    counts = collector.written, removed
    found = Candidate(
        place, before, manifest, sha256, *counts, published.due, collector.folders, clash
    )
    return compared(found, collector.healed, verify=beginning.verify)


def compared(candidate: Candidate, healed: Sequence[str], *, verify: bool) -> Candidate:
    """The candidate with all that is wrong with the published release.

    Strange names matter where that release would stay, or where all of it is verified.
    """
    release = candidate.place.published
    if release is None:
        return candidate
    differs = () if candidate.written else tuple(differing(candidate, release))
    found = [f"{PUBLIC}/{file}" for file in healed] + damaged_errors(candidate, release)
    if CHECKSUMS in differs and MANIFEST not in differs:
        found.append(CHECKSUMS)
    candidate = replace(candidate, differs=differs, healed=found)
    if candidate.changes and not verify:
        return candidate
    return replace(candidate, strange=strange_in(release, candidate.manifest))


def differing(candidate: Candidate, release: Path) -> Iterator[str]:
    errors = (f"{ERRORS}/{error.file}" for error in candidate.manifest.errors)
    for name in (*SERVED, *errors):
        if not checksums.same([name], candidate.place.folder, release):
            yield name


def damaged_errors(candidate: Candidate, release: Path) -> list[str]:
    """Bodies of errors that are not as they were published."""
    found = list[str]()
    with suppress(ManifestDamaged):
        for error in candidate.before.errors if candidate.before else ():
            name = f"{ERRORS}/{error.file}"
            if trees.of_file(release, name, error.sha256):
                found.append(name)
    return found


def strange_in(release: Path, manifest: Manifest) -> list[str]:
    """Names in the public parts of a release that are not of this manifest."""

    def in_public() -> Iterator[str]:
        for entry in manifest.documents:
            yield from entry.files

    errors = [error.file for error in manifest.errors]
    found = trees.strange(release, PUBLIC, in_public, manifest.files)
    return [f"{PUBLIC}/{name}" for name in found] + [
        f"{ERRORS}/{name}"
        for name in trees.strange(release, ERRORS, lambda: iter(errors), len(errors))
    ]


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
