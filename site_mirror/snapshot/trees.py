"""Whether a folder holds exactly the files that it should, byte for byte."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from site_mirror.snapshot import checksums

Promised = Callable[[], Iterator[tuple[str, str]]]
"""Gives each file below a folder with its SHA-256, as often as it is asked."""

MISSING = "is missing"
UNKNOWN = "is not in the manifest"


def faults(folder: Path, promised: Promised) -> Iterator[tuple[str, str]]:
    """Files with what is wrong with them; memory does not grow with the number of files.

    A folder with all the files that are promised, and with as many, has no other.
    """
    there = 0
    for file, sha256 in promised():
        fault = of_file(folder / file, sha256)
        there += fault != MISSING
        if fault:
            yield file, fault
    if sum(1 for _ in files_below(folder)) != there:
        known = {file for file, _ in promised()}
        yield from ((file, UNKNOWN) for file in sorted({*files_below(folder)} - known))


def of_file(path: Path, sha256: str) -> str:
    if path.is_symlink():
        return "is a link, and no file of its own"
    if not path.is_file():
        return MISSING
    return "" if checksums.sha256_of(path) == sha256 else "has other bytes than were published"


def files_below(folder: Path) -> Iterator[str]:
    """Whatever is no folder; a link to a folder is none."""
    for place, folders, names in os.walk(folder):
        links = (name for name in folders if (Path(place) / name).is_symlink())
        for name in (*names, *links):
            yield str((Path(place) / name).relative_to(folder))
