"""A full or read-only disk keeps the published release, at any step of a freeze."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from site_mirror.snapshot.errors import FreezeError
from site_mirror.snapshot.report import Outcome
from tests.freeze import sites, target_files
from tests.requirements import needs_root

pytestmark = [pytest.mark.disk, pytest.mark.exhaustive("mounts a file system as root")]

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
DISK_SIZE = "64m"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small tmpfs."""
    needs_root()
    mountpoint = tmp_path / "disk"
    mountpoint.mkdir()
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK_SIZE}", "tmpfs", mountpoint], check=True
    )
    try:
        yield mountpoint
    finally:
        subprocess.run(["umount", mountpoint], check=True)


def remount(disk: Path, option: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{option}", disk], check=True)


def measure_use(disk: Path) -> dict[str, int]:
    """Return the numbers of used pages and inodes."""
    state = os.statvfs(disk)
    pages = (state.f_blocks - state.f_bfree) * state.f_frsize // PAGE_BYTES
    return {"size": pages, "nr_inodes": state.f_files - state.f_ffree}


def edit_posts() -> None:
    sites.edit_post("older", title_en="Another title", body_en="Another long body. " * 200)
    sites.edit_post("newer", title_en="Another title", body_en="Another long body. " * 200)


@pytest.fixture
def disk_site(small_site: Path, disk: Path) -> Path:
    """A target with a release on the small file system, and an edit that is not frozen yet."""
    sites.freeze_into(disk / "site")
    edit_posts()
    return disk / "site"


@pytest.fixture
def need(small_site: Path, disk_site: Path, disk: Path) -> dict[str, int]:
    """The pages and inodes that publishing the edit needs, measured on a copy."""
    rehearsal = disk / "rehearsal"
    subprocess.run(["cp", "-a", disk_site, rehearsal], check=True)
    before = measure_use(disk)
    sites.freeze_into(rehearsal, sites.LATER)
    after = measure_use(disk)
    subprocess.run(["rm", "-r", rehearsal], check=True)
    return {kind: after[kind] - before[kind] for kind in before}


@pytest.mark.parametrize("kind", ["size", "nr_inodes"])
def test_a_tmpfs_that_fills_at_any_step_keeps_the_published_release(
    kind: str, disk: Path, disk_site: Path, need: dict[str, int]
) -> None:
    before, start = target_files.read_published(disk_site), measure_use(disk)
    for missing in list_shortages(need[kind]):
        room = start[kind] + need[kind] - missing
        remount(disk, f"{kind}={room * PAGE_BYTES if kind == 'size' else room}")
        with pytest.raises(FreezeError, match="No space left on device"):
            sites.freeze_into(disk_site, sites.LATER)

        assert (missing, target_files.read_published(disk_site)) == (missing, before)
        assert (missing, target_files.find_leftovers(disk_site)) == (missing, set())
        assert (missing, target_files.list_releases(disk_site)) == (missing, {before[0]})

    remount(disk, f"{kind}={DISK_SIZE if kind == 'size' else 100_000}")
    assert sites.freeze_into(disk_site, sites.LATER).outcome is Outcome.PUBLISHED
    assert target_files.find_leftovers(disk_site) == set()


def list_shortages(need: int) -> list[int]:
    """Return numbers of missing units: all, three parts and the last few."""
    return sorted({need, need * 3 // 4, need // 2, need // 4, 3, 2, 1}, reverse=True)


def test_a_published_release_on_a_disk_that_became_read_only_is_unchanged(
    small_site: Path, disk: Path, disk_site: Path
) -> None:
    before = target_files.read_published(disk_site)
    remount(disk, "ro")

    with pytest.raises(FreezeError, match="Read-only file system"):
        sites.freeze_into(disk_site, sites.LATER)

    assert target_files.read_published(disk_site) == before
