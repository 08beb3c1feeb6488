"""The objects of a release: one for each address and alias.

On a website, former addresses and the body of errors are objects, too.
"""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import orjson
from msgspec import Struct

from site_mirror.hosts.release import SITE_SCOPE, ServedRelease
from site_mirror.snapshot.entries import Entry, ErrorBody, Redirect
from site_mirror.snapshot.files import open_regular_path

INDEX_DOCUMENT = "index.html"
SYSTEM_HEADERS = ("Content-Type", "Cache-Control", "Content-Disposition", "Content-Language")
"""Headers that a bucket stores as such; other headers become user metadata."""

TRANSFER_HEADERS = ("Content-Length", "Content-Encoding")
MAX_METADATA_BYTES = 2048
"""Bytes of names and values together (Amazon S3, “Working with object metadata”)."""

REDIRECT_OBJECT_HEADERS = {"Content-Type": "text/plain; charset=utf-8"}
NOT_FOUND_KEY = ".errors/404.md"
"""The key of the error document in the configuration of the website."""


class BucketObject(Struct, frozen=True):
    """An object to write; `attributes` has headers and user metadata by name.

    `location` is the target of a redirect, `dropped` has the headers that exceed the limit.
    """

    key: str
    source: Path | bytes
    size: int
    sha256: str
    attributes: Mapping[str, str]
    location: str = ""
    dropped: tuple[str, ...] = ()

    @property
    def body(self) -> bytes:
        """The bytes of the object. Raises `OSError` for a file that is not a regular file."""
        if isinstance(self.source, bytes):
            return self.source
        with open_regular_path(self.source) as file:
            return file.read()

    @property
    def digest(self) -> str:
        """A digest of the bytes and the attributes; the bytes contain the location."""
        members = orjson.dumps([self.sha256, dict(self.attributes)], option=orjson.OPT_SORT_KEYS)
        return hashlib.sha256(members).hexdigest()


def objects_of_release(release: ServedRelease, *, website: bool = False) -> Iterator[BucketObject]:
    for address, entry in release.by_address.items():
        yield document_object(key_of_address(address), release.public / entry.file, entry)
    if website:
        body = release.bodies[SITE_SCOPE, 404]
        yield document_object(NOT_FOUND_KEY, body, release.error(SITE_SCOPE, 404))
        yield from map(redirect_object, release.redirects)


def document_object(key: str, source: Path | bytes, entry: Entry | ErrorBody) -> BucketObject:
    stored = object_attributes(entry.headers)
    omitted = {name.lower() for name in entry.headers} - {name.lower() for name in stored}
    dropped = sorted(omitted - {name.lower() for name in TRANSFER_HEADERS})
    return BucketObject(key, source, entry.size, entry.sha256, stored, dropped=tuple(dropped))


def redirect_object(redirect: Redirect) -> BucketObject:
    """Return an object that a website answers with 301; its body is the location."""
    body = f"{redirect.location}\n".encode()
    return BucketObject(
        key=key_of_address(redirect.address),
        source=body,
        size=len(body),
        sha256=hashlib.sha256(body).hexdigest(),
        attributes=REDIRECT_OBJECT_HEADERS | {"Cache-Control": redirect.headers["Cache-Control"]},
        location=redirect.location,
    )


def key_of_address(address: str) -> str:
    """Return an address without its first slash; for a folder, the key of its index document."""
    path = address.removeprefix("/")
    return f"{path}{INDEX_DOCUMENT}" if not path or path.endswith("/") else path


def object_attributes(headers: Mapping[str, str]) -> dict[str, str]:
    own = {name: value for name, value in headers.items() if name in SYSTEM_HEADERS}
    return own | object_metadata(headers)


def object_metadata(headers: Mapping[str, str]) -> dict[str, str]:
    """Return user metadata by name in lower case; the longest are left out above the limit."""
    metadata = {
        name.lower(): value
        for name, value in headers.items()
        if name not in (*SYSTEM_HEADERS, *TRANSFER_HEADERS) and value.isascii()
    }
    free_bytes = MAX_METADATA_BYTES
    stored = {}
    for name, value in sorted(metadata.items(), key=lambda item: (len(item[1]), item[0])):
        free_bytes -= len(name) + len(value)
        if free_bytes >= 0:
            stored[name] = value
    return stored
