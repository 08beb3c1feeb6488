"""The objects that a release is made of: one for each address, aliases included."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson

from site_mirror.hosts.release import Release
from site_mirror.snapshot.entries import Entry

INDEX = "index.html"
SYSTEM = ("Content-Type", "Cache-Control", "Content-Disposition", "Content-Language")
"""Headers that a bucket sends as they are; the others become user metadata."""

OF_A_TRANSFER = ("Content-Length", "Content-Encoding")
METADATA_LIMIT = 2048
"""Bytes of names and values together (Amazon S3, “Working with object metadata”)."""


@dataclass(frozen=True, slots=True)
class Item:
    """An object as it shall be; `attributes` are header names and names of user metadata."""

    key: str
    file: Path
    size: int
    sha256: str
    attributes: Mapping[str, str]

    @property
    def digest(self) -> str:
        """Of the bytes and of all that is said with them."""
        said = orjson.dumps([self.sha256, dict(self.attributes)], option=orjson.OPT_SORT_KEYS)
        return hashlib.sha256(said).hexdigest()


def items(release: Release) -> Iterator[Item]:
    for address, entry in release.by_address.items():
        yield Item(
            key=key(address),
            file=release.public / entry.file,
            size=entry.size,
            sha256=entry.sha256,
            attributes=attributes(entry),
        )


def key(address: str) -> str:
    """An address without its first slash; a folder's is that of the index document in it."""
    path = address.removeprefix("/")
    return f"{path}{INDEX}" if not path or path.endswith("/") else path


def attributes(entry: Entry) -> dict[str, str]:
    own = {name: value for name, value in entry.headers.items() if name in SYSTEM}
    return own | metadata(entry.headers)


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
