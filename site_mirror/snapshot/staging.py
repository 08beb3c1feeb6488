"""Stage documents beside what is published: what changed is written, the rest is linked."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from site_mirror.documents import Document
from site_mirror.encodings import digest
from site_mirror.gates.evidence import Evidence
from site_mirror.snapshot.entries import Entry, ErrorBody
from site_mirror.snapshot.files import by_folder, write
from site_mirror.snapshot.fresh import Wanted, content_of, fresh
from site_mirror.snapshot.keeping import compressed_as_today, damaged, kept, published_entry
from site_mirror.snapshot.layout import ERRORS
from site_mirror.snapshot.lines import Profiles
from site_mirror.snapshot.places import Place, link_all


class Staged(Struct, frozen=True):
    """A document of the release in the making, of which `written` files are new.

    One that is taken over was examined for an earlier release: there is no new `evidence`. Its
    `entry` is the document as an item of a list, where it is one. `healed` are files that would
    have stayed, but were not as they were published.
    """

    told: Entry
    written: int
    evidence: Evidence | None = None
    entry: bytes = b""
    healed: tuple[str, ...] = ()


class Draft(Struct, frozen=True):
    """A document to be staged.

    `previous` is the published line of its address, `inputs` a digest of what it is made of.
    """

    document: Document
    previous: bytes | None = None
    inputs: str = ""


def stage(place: Place, drafts: Sequence[Draft], stamp: str) -> list[Staged]:
    """Write the files of documents, unless the published ones can stay, and tell their lines.

    Depends on its arguments alone and keeps nothing, so any process may do it.
    """
    decided = [decision(place, draft, stamp) for draft in drafts]
    made = iter(fresh(place, [each for each in decided if isinstance(each, Wanted)]))
    return [each if isinstance(each, Staged) else told(each, next(made)) for each in decided]


def decision(place: Place, draft: Draft, stamp: str) -> Staged | Wanted:
    """A document whose published files stay, or one whose files have to be written."""
    document, content = draft.document, content_of(draft.document)
    entry = kept(document, draft.previous, content.sha256)
    healed = damaged(place, entry) if entry else ()
    if entry and not healed and compressed_as_today(place, entry, content):
        link_all(place, by_folder(entry.files))
        return Staged(replace(entry, inputs=draft.inputs), 0, entry=document.entry)
    moment = entry.generated_at if entry else stamp
    return Wanted(document, content, moment, draft.inputs, healed)


def told(wanted: Wanted, made: Entry) -> Staged:
    return Staged(made, len(made.files), entry=wanted.document.entry, healed=wanted.healed)


def taken_over(
    place: Place, previous: bytes | None, inputs: str, profiles: Profiles
) -> Staged | None:
    """A document as it is published, if it is made of the same and its files have their bytes."""
    if previous is None or not inputs or inputs.encode() not in previous:
        return None
    entry = published_entry(previous, profiles)
    if entry is None or entry.inputs != inputs or damaged(place, entry):
        return None
    link_all(place, by_folder(entry.files))
    return Staged(entry, written=0)


class Refusal(Struct, frozen=True):
    """The answer to a request that failed below a scope, to be frozen."""

    scope: str
    status: int
    media_type: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def file(self) -> str:
        """`/api/` and 404 → `api/404.json`; `/` and 404 → `404.md`."""
        suffix = "json" if self.media_type.endswith("json") else "md"
        return f"{self.scope}{self.status}.{suffix}".lstrip("/")


def stage_refusal(place: Place, refusal: Refusal) -> ErrorBody:
    write(f"{place.folder}/{ERRORS}/{refusal.file}", refusal.body)
    length = {"Content-Type": refusal.media_type, "Content-Length": str(len(refusal.body))}
    return ErrorBody(
        scope=refusal.scope,
        status=refusal.status,
        file=refusal.file,
        media_type=refusal.media_type,
        headers={**refusal.headers, **length},
        size=len(refusal.body),
        sha256=digest(refusal.body),
    )
