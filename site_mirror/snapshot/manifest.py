"""The manifest: what a release serves at each address, with which headers and bytes."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

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
        members = camel_case(asdict(self))
        return (json.dumps(members, ensure_ascii=False, indent=1) + "\n").encode()


def read(path: Path) -> Manifest | None:
    """The manifest in a file; none where there is no file of this format."""
    try:
        members = snake_case(json.loads(path.read_text()))
        return built(members) if members["format"] == FORMAT else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def built(members: dict[str, Any]) -> Manifest:
    return Manifest(
        site_root=members["site_root"],
        documents=tuple(built_entry(entry) for entry in members["documents"]),
        redirects=tuple(Redirect(**redirect) for redirect in members["redirects"]),
        errors=tuple(ErrorBody(**error) for error in members["errors"]),
    )


def built_entry(members: dict[str, Any]) -> Entry:
    encodings = tuple(EncodedFile(**variant) for variant in members["encodings"])
    return Entry(**{**members, "aliases": tuple(members["aliases"]), "encodings": encodings})


def by_address(entries: Iterable[Entry]) -> dict[str, Entry]:
    return {entry.address: entry for entry in entries}


def camel_case(value: Any) -> Any:
    """Members in the contract's spelling; header names are kept."""
    return renamed(value, camel)


def snake_case(value: Any) -> Any:
    return renamed(value, snake)


def renamed(value: Any, rename: Any) -> Any:
    if isinstance(value, dict):
        return {
            rename(name): part if name == "headers" else renamed(part, rename)
            for name, part in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [renamed(item, rename) for item in value]
    return value


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
