"""What a manifest tells: documents, redirects and errors, each with all of its headers."""

from collections.abc import Mapping

from msgspec import Struct


class EncodedFile(Struct, frozen=True):
    """A compressed variant; `own` are its headers that neither it nor the document tells."""

    encoding: str
    file: str
    size: int
    sha256: str
    own: Mapping[str, str]

    @property
    def headers(self) -> dict[str, str]:
        """Those that differ from the document's."""
        return {
            "Content-Encoding": self.encoding,
            "Content-Length": str(self.size),
            **self.own,
        }


class Entry(Struct, frozen=True):
    """A document as it is served.

    `headers` are all of an answer's but `Date`. `content_sha256` is of the bytes without
    `generatedAt`: while it stays, the document keeps its bytes and its moment. `inputs` is a
    digest of what the document was made of, where its maker knows one.
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
    def sizes(self) -> int:
        """Bytes of all files together."""
        return sum([self.size, *[variant.size for variant in self.encodings]])

    @property
    def digests(self) -> dict[str, str]:
        """SHA-256 of each file."""
        found = {self.file: self.sha256}
        for variant in self.encodings:
            found[variant.file] = variant.sha256
        return found


class Redirect(Struct, frozen=True):
    """A former address and where it leads."""

    address: str
    location: str
    status: int
    headers: Mapping[str, str]


class ErrorBody(Struct, frozen=True):
    """What a host answers below `scope` when a request fails with `status`."""

    scope: str
    status: int
    file: str
    media_type: str
    headers: Mapping[str, str]
    size: int
    sha256: str
