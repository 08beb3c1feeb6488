"""Where a release is made."""

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from site_mirror.snapshot.files import Folders, Instead, by_folder, copy, link, untouched
from site_mirror.snapshot.layout import PUBLIC


class Place(Struct, frozen=True):
    """Where a release is made, beside the one that is published; fit to travel to a process.

    `since` is when that one's manifest was written, in nanoseconds since 1970.
    """

    folder: Path
    published: Path | None
    since: int = 0


def link_all(place: Place, folders: Folders, instead: Instead = copy) -> None:
    """Take public files over from the published release."""
    here, there = f"{place.folder}/{PUBLIC}", f"{place.published}/{PUBLIC}"
    for folder, names in folders.items():
        link(names, there + folder, here + folder, instead)


def carried(place: Place, files: Iterable[str]) -> bool:
    """Whether every file could be taken over as it was written, and was.

    What cannot be linked is copied.
    """
    folders = by_folder(files)
    if place.published is None or not as_written(place.published, folders, place.since):
        return False
    link_all(place, folders)
    return True


def as_written(published: Path, folders: Folders, since: int) -> bool:
    """Whether public files of a release are older than its manifest; where in doubt, bytes are to
    be compared.
    """
    there = f"{published}/{PUBLIC}"
    return all(untouched(names, there + folder, since) for folder, names in folders.items())
