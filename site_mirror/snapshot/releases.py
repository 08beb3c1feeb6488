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


def release_id(moment: datetime, manifest_sha256: str) -> str:
    """Return the id of a release by its moment and manifest: `20261121T023000Z-1f2e3d4c`."""
    return f"{moment.astimezone(UTC):{ID_MOMENT_FORMAT}}-{manifest_sha256[:8]}"


def release_moment(release: str) -> datetime | None:
    match = RELEASE_ID.fullmatch(release)
    try:
        return datetime.strptime(match[1], ID_MOMENT_FORMAT).replace(tzinfo=UTC) if match else None
    except ValueError:
        return None


def release_folders(target: Target) -> list[Path]:
    """Return the releases of a target, the newest first."""
    folders = [path for path in target.releases.glob("*") if release_moment(path.name)]
    return sorted(folders, key=age_of, reverse=True)


def age_of(release: Path) -> tuple[str, int]:
    path = release / MANIFEST
    # Two releases of one moment are ordered by when they were written, not by their checksums.
    written = path.stat().st_mtime_ns if path.is_file() else 0
    return release.name.partition("-")[0], written


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
    """Return the releases to remove if `keep` are to stay, including the current one."""
    current = target.release
    # The current one stays even if a rollback made an old one current.
    others = [folder for folder in release_folders(target) if folder.resolve() != current]
    return others[max(0, keep - 1 if current else keep) :]
