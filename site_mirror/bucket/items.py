"""The objects that a release is made of: one for each address, aliases included.

On a website, former addresses are objects too, and so is the one body of errors that it has.
"""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import orjson
from msgspec import Struct

from site_mirror.hosts.release import SITE, Release
from site_mirror.snapshot.entries import Entry, ErrorBody, Redirect
from site_mirror.snapshot.files import reading_whole

INDEX = "index.html"
SYSTEM = ("Content-Type", "Cache-Control", "Content-Disposition", "Content-Language")
"""Headers that a bucket sends as they are; the others become user metadata."""

OF_A_TRANSFER = ("Content-Length", "Content-Encoding")
METADATA_LIMIT = 2048
"""Bytes of names and values together (Amazon S3, “Working with object metadata”)."""

LEADING = {"Content-Type": "text/plain; charset=utf-8"}
NOT_FOUND = ".errors/404.md"
"""What the website's configuration names as its error document."""


class Item(Struct, frozen=True):
    """An object as it shall be; `attributes` are header names and names of user metadata.

    `location` is where a former address leads, `dropped` headers for which there is no room.
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
        """Raises `OSError` for a file that is not a regular one."""
        if isinstance(self.source, bytes):
            return self.source
        with reading_whole(self.source) as file:
            return file.read()

    @property
    def digest(self) -> str:
        """Of the bytes and of all that is said with them; a location is among the bytes."""
        said = orjson.dumps([self.sha256, dict(self.attributes)], option=orjson.OPT_SORT_KEYS)
        return hashlib.sha256(said).hexdigest()


def items(release: Release, *, website: bool = False) -> Iterator[Item]:
    for address, entry in release.by_address.items():
        yield document(key(address), release.public / entry.file, entry)
    if website:
        body = release.bodies[SITE, 404]
        yield document(NOT_FOUND, body, release.error(SITE, 404))
        yield from map(leading_on, release.redirects)


def document(key: str, source: Path | bytes, entry: Entry | ErrorBody) -> Item:
    told = attributes(entry.headers)
    left = {name.lower() for name in entry.headers} - {name.lower() for name in told}
    dropped = sorted(left - {name.lower() for name in OF_A_TRANSFER})
    return Item(key, source, entry.size, entry.sha256, told, dropped=tuple(dropped))


def leading_on(redirect: Redirect) -> Item:
    """An object that a website answers with 301, and that says where to whoever reads it."""
    body = f"{redirect.location}\n".encode()
    return Item(
        key=key(redirect.address),
        source=body,
        size=len(body),
        sha256=hashlib.sha256(body).hexdigest(),
        attributes=LEADING | {"Cache-Control": redirect.headers["Cache-Control"]},
        location=redirect.location,
    )


def key(address: str) -> str:
    """An address without its first slash; a folder's is that of the index document in it."""
    path = address.removeprefix("/")
    return f"{path}{INDEX}" if not path or path.endswith("/") else path


def attributes(headers: Mapping[str, str]) -> dict[str, str]:
    own = {name: value for name, value in headers.items() if name in SYSTEM}
    return own | metadata(headers)


def metadata(headers: Mapping[str, str]) -> dict[str, str]:
    """Header names in lower case; the longest are left out where they are too many."""
    told = {
        name.lower(): value
        for name, value in headers.items()
        if name not in (*SYSTEM, *OF_A_TRANSFER) and value.isascii()
    }
    room = METADATA_LIMIT
    kept = {}
    for name, value in sorted(told.items(), key=lambda item: (len(item[1]), item[0])):
        room -= len(name) + len(value)
        if room >= 0:
            kept[name] = value
    return kept
