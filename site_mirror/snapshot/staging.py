"""Stage documents beside what is published: what changed is written, the rest is linked."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from site_mirror.documents import Document
from site_mirror.encodings import digest
from site_mirror.gates.evidence import Evidence
from site_mirror.snapshot.entries import Entry, ErrorBody
from site_mirror.snapshot.files import write
from site_mirror.snapshot.fresh import content_of, fresh
from site_mirror.snapshot.keeping import carried, compressed_as_today, kept, published_entry
from site_mirror.snapshot.layout import ERRORS
from site_mirror.snapshot.lines import Profiles
from site_mirror.snapshot.places import Place, link_all


@dataclass(frozen=True, slots=True)
class Staged:
    """A document of the release in the making, of which `written` files are new.

    One that is taken over was examined for an earlier release: there is no new `evidence`. Its
    `entry` is the document as an item of a list, where it is one.
    """

    told: Entry
    written: int
    evidence: Evidence | None = None
    entry: bytes = b""


def stage(
    place: Place,
    document: Document,
    previous: bytes | None,
    stamp: str,
    inputs: str = "",
) -> Staged:
    """Write a document's files, unless the published ones can stay, and tell its line.

    `previous` is the published line of the address, `inputs` a digest of what the document is
    made of. Depends on its arguments alone and keeps nothing, so any process may do it.
    """
    content = content_of(document)
    entry = kept(place, document, previous, content.sha256)
    if entry is None:
        made = fresh(place, document, content, stamp, inputs)
    elif compressed_as_today(place, entry, content):
        link_all(place, entry.files)
        return Staged(replace(entry, inputs=inputs), 0, entry=document.entry)
    else:
        made = fresh(place, document, content, entry.generated_at, inputs)
    return Staged(made, len(made.files), entry=document.entry)


def taken_over(
    place: Place, previous: bytes | None, inputs: str, profiles: Profiles
) -> Staged | None:
    """A document as it is published, if it is made of the same and nobody touched its files."""
    if previous is None or not inputs or inputs.encode() not in previous:
        return None
    entry = published_entry(previous, profiles)
    if entry is None or entry.inputs != inputs or not carried(place, entry.files):
        return None
    return Staged(entry, written=0)


@dataclass(frozen=True, slots=True)
class Refusal:
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
