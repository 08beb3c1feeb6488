"""The entries of a manifest: documents, redirects and errors, each with all of its headers.

Headers that many lines of a manifest share form a *profile*. A line names its profile by a digest,
so it means the same in every manifest: it can be written by any process and copied as bytes.
Headers that follow from other members are left out.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
import orjson
from msgspec import UNSET, Struct, UnsetType

from site_mirror.documents.encodings import sha256_hex

HeaderFields = Mapping[str, str]
Profiles = Mapping[str, HeaderFields]

UNSHARED_HEADERS = ("Link", "Content-Location", "ETag", "Last-Modified")
"""Headers that differ from line to line, so they are members of the line itself."""
MEMBERS_BY_HEADER = {"Content-Type": "mediaType", "Content-Length": "size", "Location": "location"}
"""Headers whose value is another member of the line."""


class EncodedFile(Struct, frozen=True, rename={"own_headers": "headers"}):
    """A compressed variant; `own_headers` follow neither from its attributes nor its document."""

    encoding: str
    file: str
    size: int
    sha256: str
    own_headers: HeaderFields

    @property
    def headers(self) -> dict[str, str]:
        """The headers that differ from the document's."""
        return {
            "Content-Encoding": self.encoding,
            "Content-Length": str(self.size),
            **self.own_headers,
        }


ENTRY_MEMBERS = {
    "address": "document",
    "media_type": "mediaType",
    "content_sha256": "contentSha256",
    "generated_at": "generatedAt",
    "superseded": "supersededAt",
}


class Entry(Struct, frozen=True, kw_only=True, rename=ENTRY_MEMBERS):
    """A document as it is served.

    `headers` are those of the response, except `Date`. `content_sha256` is the checksum of the
    bytes without `generatedAt`: while it stays the same, the document keeps its bytes and its
    moment. `inputs` is the digest of everything that the document was made of, if it is known. An
    asset of an earlier release, which this one carries, has the moment when it was `superseded`.
    """

    address: str
    aliases: tuple[str, ...]
    file: str
    family: str
    status: int
    media_type: str
    headers: HeaderFields
    size: int
    sha256: str
    content_sha256: str
    inputs: str = ""
    generated_at: str
    encodings: tuple[EncodedFile, ...] = ()
    superseded: str | UnsetType = UNSET

    @property
    def files(self) -> tuple[str, ...]:
        return (self.file, *(variant.file for variant in self.encodings))

    @property
    def total_size(self) -> int:
        """The total size of all files in bytes."""
        return sum([self.size, *[variant.size for variant in self.encodings]])

    @property
    def digests(self) -> dict[str, str]:
        """The SHA-256 of each file."""
        digests = {self.file: self.sha256}
        for variant in self.encodings:
            digests[variant.file] = variant.sha256
        return digests


class Redirect(Struct, frozen=True, rename={"address": "redirect"}):
    """The redirect of a former address."""

    address: str
    location: str
    status: int
    headers: HeaderFields


class ErrorBody(
    Struct, frozen=True, kw_only=True, rename={"status": "error", "media_type": "mediaType"}
):
    """The body that a host sends if a request to an address below `scope` fails with `status`."""

    status: int
    scope: str
    file: str
    media_type: str
    headers: HeaderFields
    size: int
    sha256: str


LineT = TypeVar("LineT", Entry, Redirect, ErrorBody)


class ManifestLine(Struct, frozen=True):
    """A line, including its line feed; the name of its profile, and the headers of that one."""

    text: bytes
    profile: str
    shared: HeaderFields


def format_line(entry: Entry | Redirect | ErrorBody) -> ManifestLine:
    members = msgspec.to_builtins(entry)
    shared = members["headers"]
    for name, value in implied_headers(members).items():
        if shared.get(name) == value:
            del shared[name]
    own = {name: shared.pop(name) for name in UNSHARED_HEADERS if name in shared}
    profile = name_profile(orjson.dumps(shared))
    line = dict[str, Any]()
    for name, value in members.items():
        line |= {"profile": profile, name: own} if name == "headers" else {name: value}
    return ManifestLine(encode_line(line), profile, shared)


def parse_line(line: bytes, kind: type[LineT], profiles: Profiles) -> LineT:
    """Raises `ValueError`, `KeyError` or `TypeError` for a line of another kind."""
    members = orjson.loads(line)
    shared, own = profiles[members["profile"]], members["headers"]
    members["headers"] = {**shared, **implied_headers(members), **own}
    return msgspec.convert(members, kind)


def implied_headers(members: Mapping[str, Any]) -> dict[str, str]:
    return {
        name: str(members[member])
        for name, member in MEMBERS_BY_HEADER.items()
        if member in members
    }


@lru_cache(maxsize=256)
def name_profile(headers: bytes) -> str:
    # Twelve digits are enough, because a site has some thirty profiles.
    return sha256_hex(headers)[:12]


def encode_line(members: Mapping[str, Any]) -> bytes:
    return orjson.dumps(members, option=orjson.OPT_APPEND_NEWLINE)
