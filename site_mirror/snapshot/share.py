"""Read a share of the published files again: the next share at the next freeze.

Metadata tells of every change that a program made, but not of a disk that loses bits. The list of
checksums is cut into equal parts. A share is one part and a little of its neighbours, since an
edit between two freezes moves the lines of the list.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from site_mirror.snapshot import trees
from site_mirror.snapshot.checksums import SEPARATOR
from site_mirror.snapshot.files import reading
from site_mirror.snapshot.layout import CHECKSUMS, PUBLIC
from site_mirror.snapshot.staying import whole

SHARES = 50
"""Freezes after which every published file has been read again."""
MARGIN = 10
"""The part of a share, one in so many, that it has in common with each neighbour."""


def is_whole(release: Path, number: int) -> bool:
    """Whether the files of a share are as they were published."""
    try:
        return all(as_published(release, *line) for line in lines(release, number % SHARES))
    except (OSError, ValueError):
        return False


def lines(release: Path, number: int) -> Iterator[tuple[str, str]]:
    """The files of a share with their SHA-256. Raises `OSError` or `ValueError`."""
    with reading(release, CHECKSUMS) as file:
        part = os.fstat(file.fileno()).st_size / SHARES
        start, end = (number - 1 / MARGIN) * part, (number + 1 + 1 / MARGIN) * part
        if start > 0:
            file.seek(int(start))
            file.readline()
        while file.tell() < end and (line := file.readline()):
            sha256, _, name = line.decode().rstrip("\n").partition(SEPARATOR)
            yield name, sha256


def as_published(release: Path, name: str, sha256: str) -> bool:
    folder, _, file = name.partition("/")
    return (
        whole(release, file, sha256)
        if folder == PUBLIC
        else not trees.of_file(release, name, sha256)
    )
