"""Read a share of the published files in each freeze, to find damage that metadata does not show.

Metadata shows each change by a program, but not a disk that loses bits. The list of checksums is
cut into equal parts, of which each freeze reads the next. A share is a part and some lines of its
neighbours, because an edit between two freezes moves the lines of the list.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from site_mirror.snapshot.checksums import CHECKSUM_SEPARATOR
from site_mirror.snapshot.file_trees import file_fault
from site_mirror.snapshot.files import PUBLIC_FILE_MODE, open_regular_file
from site_mirror.snapshot.layout import CHECKSUMS, ERRORS, PUBLIC

SHARE_COUNT = 50
"""Freezes after which each published file was read again."""
MARGIN_DIVISOR = 10
"""A share also has this fraction (1 / 10) of each neighbouring part."""


def is_share_intact(release: Path, number: int) -> bool:
    """Whether the files of a share are as they were published."""
    try:
        return all(
            is_listed_file_intact(release, *line)
            for line in read_share(release, number % SHARE_COUNT)
        )
    except (OSError, ValueError):
        return False


def read_share(release: Path, number: int) -> Iterator[tuple[str, str]]:
    """Yield the files of a share with their SHA-256. Raises `OSError` or `ValueError`."""
    with open_regular_file(release, CHECKSUMS) as file:
        part = os.fstat(file.fileno()).st_size / SHARE_COUNT
        start, end = (number - 1 / MARGIN_DIVISOR) * part, (number + 1 + 1 / MARGIN_DIVISOR) * part
        if start > 0:
            file.seek(int(start))
            file.readline()
        while file.tell() < end and (line := file.readline()):
            sha256, _, name = line.decode().rstrip("\n").partition(CHECKSUM_SEPARATOR)
            yield name, sha256


def is_listed_file_intact(release: Path, name: str, sha256: str) -> bool:
    is_served = name.startswith((f"{PUBLIC}/", f"{ERRORS}/"))
    return not file_fault(release, name, sha256, PUBLIC_FILE_MODE if is_served else None)
