"""The entries of a manifest: documents, redirects and errors, each with all of its headers.

A line means the same in every manifest: any process can write it, and it can be copied as bytes.
"""

from collections.abc import Mapping
from typing import TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

HeaderFields = Mapping[str, str]


class EncodedFile(Struct, frozen=True):
    """A compressed variant; `headers` are those that differ from the document's."""

    encoding: str
    file: str
    size: int
    sha256: str
    headers: HeaderFields


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
        return {self.file: self.sha256} | {each.file: each.sha256 for each in self.encodings}


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


def format_line(line: Struct) -> bytes:
    """Return a line of a manifest, including its line feed."""
    return msgspec.json.encode(line) + b"\n"


def parse_line(line: bytes, kind: type[LineT]) -> LineT:
    """Return the entry of a line. Raises `msgspec.DecodeError` for a line of another kind."""
    return msgspec.json.decode(line, type=kind)
