"""The manifest: what a release serves at each address, with which headers and bytes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import orjson

FORMAT = 1


@dataclass(frozen=True, slots=True)
class EncodedFile:
    """A compressed variant: its file, and the headers that differ from the document's."""

    encoding: str
    file: str
    size: int
    sha256: str
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Entry:
    """A document as it is served.

    `headers` are all of an answer's but `Date`. `contentSha256` is of the bytes without
    `generatedAt`: while it stays, the document keeps its bytes and its moment.
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

    @property
    def files(self) -> tuple[str, ...]:
        return (self.file, *(variant.file for variant in self.encodings))


@dataclass(frozen=True, slots=True)
class Redirect:
    """A former address and where it leads."""

    address: str
    location: str
    status: int
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ErrorBody:
    """What a host answers below `scope` when a request fails with `status`."""

    scope: str
    status: int
    file: str
    media_type: str
    headers: Mapping[str, str]
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything that a host has to know to serve a release."""

    site_root: str
    documents: tuple[Entry, ...]
    redirects: tuple[Redirect, ...] = ()
    errors: tuple[ErrorBody, ...] = ()
    format: int = field(default=FORMAT)

    def to_json(self) -> bytes:
        layout = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
        return orjson.dumps(members(self), option=layout)


def read(path: Path) -> Manifest | None:
    """The manifest in a file; none where there is no file of this format."""
    try:
        found = orjson.loads(path.read_bytes())
        return built(found) if found["format"] == FORMAT else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def built(found: dict[str, Any]) -> Manifest:
    return Manifest(
        site_root=found["siteRoot"],
        documents=tuple(built_entry(entry) for entry in found["documents"]),
        redirects=tuple(Redirect(**attributes(redirect)) for redirect in found["redirects"]),
        errors=tuple(ErrorBody(**attributes(error)) for error in found["errors"]),
    )


def built_entry(found: dict[str, Any]) -> Entry:
    variants = tuple(EncodedFile(**attributes(variant)) for variant in found["encodings"])
    given = attributes(found)
    return Entry(**{**given, "aliases": tuple(given["aliases"]), "encodings": variants})


def by_address(entries: Iterable[Entry]) -> dict[str, Entry]:
    return {entry.address: entry for entry in entries}


def members(value: Any) -> Any:
    """A value of this module as JSON has it, its members in the contract's spelling."""
    if is_dataclass(value):
        return {camel(part.name): members(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, tuple):
        return [members(item) for item in value]
    return value


def attributes(found: dict[str, Any]) -> dict[str, Any]:
    return {snake(name): value for name, value in found.items()}


@cache
def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


@cache
def snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
