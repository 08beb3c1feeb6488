"""The releases of a target: their names and contents."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from catalogue.moments import iso_moment
from site_mirror.snapshot import manifest
from site_mirror.snapshot.errors import FreezeError
from site_mirror.snapshot.layout import MANIFEST
from site_mirror.snapshot.target import Target

ID_MOMENT_FORMAT = "%Y%m%dT%H%M%SZ"
RELEASE_ID = re.compile(r"(\d{8}T\d{6}Z)-([0-9a-f]{8})(?:-(\d+))?")


class ReleaseSummary(Struct, frozen=True):
    """A summary of a release; `size` is in bytes, `fault` is empty if it can be served."""

    id: str
    moment: str
    documents: int
    size: int
    current: bool
    fault: str = ""


def next_release_id(target: Target, moment: datetime, manifest_sha256: str) -> str:
    """Return the id of a release by its moment, manifest and sequence number.

    `20261121T023000Z-1f2e3d4c-7` is the seventh release of its target.
    """
    number = 1 + max(map(sequence_number, release_folders(target)), default=0)
    return f"{moment.astimezone(UTC):{ID_MOMENT_FORMAT}}-{manifest_sha256[:8]}-{number}"


def release_moment(release: str) -> datetime | None:
    match = RELEASE_ID.fullmatch(release)
    try:
        return datetime.strptime(match[1], ID_MOMENT_FORMAT).replace(tzinfo=UTC) if match else None
    except ValueError:
        return None


def is_published_after(target: Target, moment: datetime) -> bool:
    """Whether the moment of the current release is later than another one: a clock was wrong."""
    published = release_moment(target.release.name) if target.release else None
    return published is not None and published > moment


def release_folders(target: Target) -> list[Path]:
    """Return the releases of a target, the newest first."""
    folders = [path for path in target.releases.glob("*") if release_moment(path.name)]
    # The moment in a name is that of a clock, which may have been wrong.
    return sorted(folders, key=lambda folder: (sequence_number(folder), folder.name), reverse=True)


def sequence_number(release: Path) -> int:
    """Return the number of a release; 0 for one of an earlier program."""
    match = RELEASE_ID.fullmatch(release.name)
    return int(match[3] or 0) if match else 0


def list_releases(target: Target) -> Iterator[ReleaseSummary]:
    current = target.release
    for folder in release_folders(target):
        moment, contents = release_moment(folder.name), manifest.read_manifest(folder / MANIFEST)
        yield ReleaseSummary(
            id=folder.name,
            moment=iso_moment(moment) if moment else "",
            documents=len(contents.documents) if contents else 0,
            size=contents.size if contents else 0,
            current=folder.resolve() == current,
            fault="" if contents else f"{MANIFEST} is missing or not whole",
        )


def find_release(target: Target, release: str) -> Path:
    """Return the folder of a release. Raises `FreezeError`."""
    folders = {folder.name: folder for folder in release_folders(target)}
    if release not in folders:
        names = ", ".join(folders) or "none"
        raise FreezeError(f"{target.root} has no release {release!r}. It has: {names}.")
    return folders[release]


def superfluous_releases(target: Target, keep: int) -> list[Path]:
    """Return the releases to remove if `keep` stay, the current and the deployed among them."""
    lasting = {target.release, target.deployed_release} - {None}
    others = [folder for folder in release_folders(target) if folder.resolve() not in lasting]
    return others[max(0, keep - len(lasting)) :]


def served_since(target: Target) -> list[Path]:
    """Return the current release and those after it, which were served until a rollback."""
    folders = [folder.resolve() for folder in release_folders(target)]
    place = folders.index(target.release) if target.release in folders else 0
    return [*folders[place : place + 1], *folders[:place]]


def refused_releases(target: Target) -> list[Path]:
    """Return the releases since the deployed one and before the current one: none was deployed.

    If the site went back to the deployed one, those that are older than the link were deployed.
    """
    folders = [folder.resolve() for folder in release_folders(target)]
    if target.release not in folders or target.deployed_release not in folders:
        return []
    since = target.deployed.lstat().st_mtime_ns
    later = folders[folders.index(target.release) + 1 : folders.index(target.deployed_release)]
    return [folder for folder in later if folder.stat().st_mtime_ns > since]
