"""The entries of a manifest: documents, redirects and errors, each with all of its headers."""

from collections.abc import Mapping

from msgspec import Struct


class EncodedFile(Struct, frozen=True):
    """A compressed variant; `own_headers` follow neither from its attributes nor its document."""

    encoding: str
    file: str
    size: int
    sha256: str
    own_headers: Mapping[str, str]

    @property
    def headers(self) -> dict[str, str]:
        """The headers that differ from the document's."""
        return {
            "Content-Encoding": self.encoding,
            "Content-Length": str(self.size),
            **self.own_headers,
        }


class Entry(Struct, frozen=True):
    """A document as it is served.

    `headers` are those of the response, except `Date`. `content_sha256` is the checksum of the
    bytes without `generatedAt`: while it stays the same, the document keeps its bytes and its
    moment. `inputs` is the digest of everything that the document was made of, if it is known.
    """

    address: str
    aliases: tuple[str, ...]
    file: str
    family: str
    status: int
    media_type: str
    headers: Mapping[str, str]
    size: int
    sha256: str
    content_sha256: str
    generated_at: str
    encodings: tuple[EncodedFile, ...] = ()
    inputs: str = ""

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


class Redirect(Struct, frozen=True):
    """The redirect of a former address."""

    address: str
    location: str
    status: int
    headers: Mapping[str, str]


class ErrorBody(Struct, frozen=True):
    """The body that a host sends if a request to an address below `scope` fails with `status`."""

    scope: str
    status: int
    file: str
    media_type: str
    headers: Mapping[str, str]
    size: int
    sha256: str
