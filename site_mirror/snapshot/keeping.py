"""What of the published release can stay: told by its lines, and held to its files."""

from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from site_mirror.documents import Document
from site_mirror.encodings import digest
from site_mirror.snapshot import lines
from site_mirror.snapshot.entries import Entry
from site_mirror.snapshot.fresh import Content, all_headers
from site_mirror.snapshot.layout import PUBLIC
from site_mirror.snapshot.lines import Profiles
from site_mirror.snapshot.places import Place

VALIDATORS = frozenset({"ETag", "Last-Modified"})
"""Headers that a document keeps with its bytes."""


def kept(place: Place, document: Document, previous: bytes | None, content: str) -> Entry | None:
    """The published entry, with today's headers, if its bytes can stay."""
    held = published_entry(previous)
    if held is None or (held.file, held.content_sha256) != (document.file, content):
        return None
    if not holds(place, held):
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


def holds(place: Place, entry: Entry) -> bool:
    """Whether the published release still has an entry's files as they were written."""
    return all(digest_of(place, file) == sha256 for file, sha256 in entry.digests.items())


def digest_of(place: Place, file: str) -> str | None:
    if place.published is None:
        return None
    try:
        return digest((place.published / PUBLIC / file).read_bytes())
    except OSError:
        return None


def compressed_as_today(place: Place, entry: Entry, content: Content) -> bool:
    """Whether the compressed variants of a published document would be the same again."""
    body = (place.published or Path()).joinpath(PUBLIC, entry.file).read_bytes()
    return {variant.encoding: variant.sha256 for variant in entry.encodings} == {
        encoding.name: digest(encoding.compress(body)) for encoding in content.codings
    }
