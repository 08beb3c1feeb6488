"""Which document of the published release can stay: its line says so, and its files agree."""

from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from site_mirror.documents import Document
from site_mirror.encodings import digest
from site_mirror.snapshot import files, lines
from site_mirror.snapshot.entries import Entry
from site_mirror.snapshot.fresh import Content, all_headers
from site_mirror.snapshot.layout import PUBLIC
from site_mirror.snapshot.lines import Profiles
from site_mirror.snapshot.places import Place
from site_mirror.snapshot.staying import altered

VALIDATORS = frozenset({"ETag", "Last-Modified"})
"""Headers that a document keeps with its bytes."""


def kept(document: Document, previous: bytes | None, content: str) -> Entry | None:
    """The published entry, with today's headers, if its content is still the document's."""
    held = published_entry(previous)
    if held is None or (held.file, held.content_sha256) != (document.file, content):
        return None
    own = {name: held.headers[name] for name in sorted(VALIDATORS)}
    return replace(
        held,
        headers=all_headers(document, held.size, **own),
        aliases=document.aliases,
        family=document.family,
        media_type=document.media_type,
    )


def published_entry(line: bytes | None, profiles: Profiles | None = None) -> Entry | None:
    """What a line says, if it can be relied on; without profiles, but for their headers."""
    if line is None:
        return None
    try:
        entry = lines.document(line, NO_PROFILES if profiles is None else profiles)
    except (ValueError, TypeError, KeyError):
        return None
    return entry if entry.headers.keys() >= VALIDATORS else None


class AnyProfile(dict[str, Mapping[str, str]]):
    """Profiles of which nobody needs the headers."""

    def __missing__(self, name: str) -> Mapping[str, str]:
        return {}


NO_PROFILES = AnyProfile()


def damaged(place: Place, entry: Entry) -> tuple[str, ...]:
    """The files of an entry that the published release no longer has as they were written."""
    return altered(place.published, entry.digests) if place.published else entry.files


def compressed_as_today(place: Place, entry: Entry, content: Content) -> bool:
    """Whether the compressed variants of a published document would be the same again."""
    body = files.body(place.published or Path(), f"{PUBLIC}/{entry.file}")
    return {variant.encoding: variant.sha256 for variant in entry.encodings} == {
        encoding.name: digest(encoding.compress(body)) for encoding in content.codings
    }
