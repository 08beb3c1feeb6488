"""Lists of checksums in the format of `sha256sum`."""

import hashlib
from collections.abc import Iterator, Mapping
from io import TextIOWrapper
from pathlib import Path

from site_mirror.snapshot.errors import ReleaseDamaged
from site_mirror.snapshot.files import open_regular_file
from site_mirror.snapshot.layout import CHECKSUMS, PUBLIC

CHECKSUM_SEPARATOR = "  "
CHECKSUM_CHARACTERS = 64
"""Hexadecimal digits of a SHA-256 checksum."""
NAME_OFFSET = CHECKSUM_CHARACTERS + len(f"{CHECKSUM_SEPARATOR}{PUBLIC}/")
"""Where the name of a public file, below the public tree, begins in its line."""


def format_checksums(digests: Mapping[str, str]) -> bytes:
    lines = [f"{sha256}{CHECKSUM_SEPARATOR}{file}\n" for file, sha256 in digests.items()]
    return "".join(lines).encode()


def public_files_of(checksums: bytes) -> list[str]:
    """Return the files that lines name, relative to the public tree."""
    return [line[NAME_OFFSET:] for line in checksums.decode().splitlines()]


def read_checksums(release: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the checksum of each file in a release's `SHA256SUMS`."""
    # A damaged list may be no UTF-8; it is reported and not an error of this program.
    with TextIOWrapper(
        open_regular_file(release, CHECKSUMS), encoding="utf-8", errors="replace"
    ) as file:
        for text in file:
            sha256, separator, name = text.rstrip("\n").partition(CHECKSUM_SEPARATOR)
            if not separator:
                raise ReleaseDamaged(release.name, f"{CHECKSUMS} has the line {text[:60]!r}")
            yield name, sha256


def sha256_of(path: Path) -> str | None:
    """Return the checksum of a file; `None` if it is not a regular file."""
    try:
        with open_regular_file(path.parent, path.name) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
