"""The releases of a target: their names, and what each holds."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from catalogue.moments import iso_moment
from site_mirror.snapshot import manifest
from site_mirror.snapshot.errors import NoSuchRelease
from site_mirror.snapshot.layout import MANIFEST
from site_mirror.snapshot.target import Target

MOMENT = "%Y%m%dT%H%M%SZ"
ID = re.compile(r"(\d{8}T\d{6}Z)-([0-9a-f]{8})(?:-(\d+))?")


class Release(Struct, frozen=True):
    """A release in short; `size` is the bytes that it serves, `fault` why it cannot be."""

    id: str
    moment: str
    documents: int
    size: int
    current: bool
    fault: str = ""

    def members(self) -> dict[str, Any]:
        return asdict(self)


def release_id(moment: datetime, manifest_sha256: str) -> str:
    """When and what: `20261121T023000Z-1f2e3d4c`. The same input gives the same id."""
    return f"{moment.astimezone(UTC):{MOMENT}}-{manifest_sha256[:8]}"


def moment_of(release: str) -> datetime | None:
    """When a release was made; none if this is no release's name."""
    found = ID.fullmatch(release)
    try:
        return datetime.strptime(found[1], MOMENT).replace(tzinfo=UTC) if found else None
    except ValueError:
        return None


def folders(target: Target) -> list[Path]:
    """The releases of a target, the newest first."""
    found = [path for path in target.releases.glob("*") if moment_of(path.name)]
    return sorted(found, key=age, reverse=True)


def age(release: Path) -> tuple[str, int]:
    """By the moment in its name and, where a fixed moment made several, by when it was written."""
    written = release / MANIFEST
    when = written.stat().st_mtime_ns if written.is_file() else 0
    return release.name.partition("-")[0], when


def listed(target: Target) -> Iterator[Release]:
    current = target.release
    for folder in folders(target):
        yield told(folder, current=folder.resolve() == current)


def told(folder: Path, *, current: bool) -> Release:
    moment, found = moment_of(folder.name), manifest.read(folder / MANIFEST)
    return Release(
        id=folder.name,
        moment=iso_moment(moment) if moment else "",
        documents=len(found.documents) if found else 0,
        size=found.size if found else 0,
        current=current,
        fault="" if found else f"{MANIFEST} is missing or not whole",
    )


def named(target: Target, release: str) -> Path:
    """The folder of a release. Raises `NoSuchRelease`."""
    there = {folder.name: folder for folder in folders(target)}
    if release not in there:
        raise NoSuchRelease(target.root, release, there)
    return there[release]


def superfluous(target: Target, keep: int) -> list[Path]:
    """The releases that go when so many are kept, the current one among them."""
    current = target.release
    others = [folder for folder in folders(target) if folder.resolve() != current]
    return others[max(0, keep - 1 if current else keep) :]
