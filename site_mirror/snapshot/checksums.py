"""Lists of checksums in the format of `sha256sum`."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from site_mirror.snapshot.files import open_regular_file
from site_mirror.snapshot.layout import PUBLIC

NAME_OFFSET = 64 + len("  ")
"""Where the name of a file begins in its line, after the digits of its SHA-256."""


def format_checksums(digests: Mapping[str, str]) -> bytes:
    return "".join([f"{sha256}  {file}\n" for file, sha256 in digests.items()]).encode()


def public_files_of(checksums: bytes) -> list[str]:
    """Return the files that lines name, relative to the public tree."""
    lines = checksums.decode().splitlines()
    return [line[NAME_OFFSET:].removeprefix(f"{PUBLIC}/") for line in lines]


def sha256_of(path: Path) -> str | None:
    """Return the checksum of a file; `None` if it is not a regular file."""
    try:
        with open_regular_file(path.parent, path.name) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
