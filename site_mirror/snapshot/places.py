"""Where a release is made."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from site_mirror.snapshot.files import Folders, Instead, by_folder, copy, link
from site_mirror.snapshot.layout import PUBLIC
from site_mirror.snapshot.staying import Windows, altered, record, untouched


class Place(Struct, frozen=True):
    """Where a release is made, beside the one that is published; fit to travel to a process.

    Within the `windows` the program itself changed files of the published one; without any,
    bytes decide what stays.
    """

    folder: Path
    published: Path | None
    windows: Windows = ()


def link_all(place: Place, folders: Folders, instead: Instead = copy) -> bool:
    """Take public files over from the published release; returns whether all could be linked."""
    here, there = f"{place.folder}/{PUBLIC}", str(place.published)
    made = [
        link(names, (there, f"/{PUBLIC}{folder}"), here + folder, instead)
        for folder, names in folders.items()
    ]
    return all(made)


def carried(place: Place, digests: Mapping[str, str], seen: str) -> str:
    """Take files over if all of them may stay; returns their record, as they lie there now.

    It is empty if a file may not stay. What cannot be linked is copied. `seen` is the record of
    the published files.
    """
    release, folders = place.published, by_folder(digests)
    if release is None:
        return ""
    trusted = untouched(release, folders, seen, place.windows)
    if not trusted and altered(release, digests):
        return ""
    linked = link_all(place, folders)
    return seen if trusted and linked else record(place.folder, folders)
