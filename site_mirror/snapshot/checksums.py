"""Lists of checksums as `sha256sum` writes and checks them."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from io import TextIOWrapper
from pathlib import Path

from site_mirror.snapshot.errors import ReleaseDamaged
from site_mirror.snapshot.files import reading
from site_mirror.snapshot.layout import CHECKSUMS, PUBLIC

SEPARATOR = "  "
DIGEST = 64
"""Digits of a checksum."""
NAME = DIGEST + len(f"{SEPARATOR}{PUBLIC}/")
"""Where the name of a public file begins in a line, as it lies in the public tree."""


def lines(folder: str, digests: Mapping[str, str]) -> bytes:
    """Checksums of files below a folder of a release."""
    found = [f"{sha256}{SEPARATOR}{folder}/{file}\n" for file, sha256 in digests.items()]
    return "".join(found).encode()


def line(file: str, sha256: str) -> bytes:
    return f"{sha256}{SEPARATOR}{file}\n".encode()


def files_of(checksums: bytes) -> list[str]:
    """The public files of a part of a list, as they lie in the public tree."""
    return [line[NAME:] for line in checksums.decode().splitlines()]


def digests_of(checksums: bytes) -> dict[str, str]:
    """The public files of a part of a list, with their SHA-256."""
    return {line[NAME:]: line[:DIGEST] for line in checksums.decode().splitlines()}


def listed(release: Path) -> Iterator[tuple[str, str]]:
    """Each file of a release and its checksum, as its list has them."""
    with TextIOWrapper(reading(release, CHECKSUMS), encoding="utf-8", errors="replace") as file:
        for text in file:
            sha256, separator, name = text.rstrip("\n").partition(SEPARATOR)
            if not separator:
                raise ReleaseDamaged(release.name, f"{CHECKSUMS} has the line {text[:60]!r}")
            yield name, sha256


def sha256_of(path: Path) -> str | None:
    """The checksum of a file's bytes; none if there is no such regular file."""
    try:
        with reading(path.parent, path.name) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def same(names: Iterable[str], here: Path, there: Path) -> bool:
    """Whether two folders agree about files, those that neither has included."""
    return all(sha256_of(here / name) == sha256_of(there / name) for name in names)
