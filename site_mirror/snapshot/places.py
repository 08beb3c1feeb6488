"""Where a release is made."""

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from site_mirror.snapshot.files import by_folder, link
from site_mirror.snapshot.layout import PUBLIC


class Place(Struct, frozen=True):
    """Where a release is made, beside the one that is published; fit to travel to a process.

    `since` is when that one's manifest was written, in nanoseconds since 1970.
    """

    folder: Path
    published: Path | None
    since: int = 0


def link_all(place: Place, files: Iterable[str]) -> None:
    """Take public files over from the published release."""
    here, there = f"{place.folder}/{PUBLIC}", f"{place.published}/{PUBLIC}"
    for folder, names in by_folder(files).items():
        link(names, there + folder, here + folder)
