"""Write a document that is too long to be held: in parts, as they are made."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from site_mirror.encodings import BLOCK, Encoding
from site_mirror.snapshot.files import created

Told = tuple[int, str]
"""Size in bytes and SHA-256 of what was written."""


def told(parts: Iterable[bytes]) -> Told:
    """The same of what is not written."""
    size, digest = 0, hashlib.sha256()
    for part in parts:
        size += len(part)
        digest.update(part)
    return size, digest.hexdigest()


def write_parts(path: str, parts: Iterable[bytes]) -> Told:
    """A new file, never the bytes of another name that it has in an earlier release."""
    with os.fdopen(created(path), "wb") as file:
        return told(each for each in parts if file.write(each))


def compress(path: str, encoding: Encoding) -> Told:
    """The compressed variant of a file, beside it."""
    return write_parts(path + encoding.suffix, encoding.stream(blocks(path)))


def blocks(path: str) -> Iterator[bytes]:
    with Path(path).open("rb", buffering=0) as file:
        while block := file.read(BLOCK):
            yield block
