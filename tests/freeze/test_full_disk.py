"""A disk that is full, or may not be written, at whatever step it happens."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from site_mirror.snapshot.engine import Outcome
from site_mirror.snapshot.errors import TargetUnusable
from tests.freeze import makers, processes
from tests.needs import needs_root

PAGE = os.sysconf("SC_PAGE_SIZE")
ROOM = "64m"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own."""
    needs_root()
    mountpoint = tmp_path / "disk"
    mountpoint.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "tmpfs", mountpoint], check=True)
    try:
        yield mountpoint
    finally:
        subprocess.run(["umount", mountpoint], check=True)


def limit(disk: Path, option: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{option}", disk], check=True)


def used(disk: Path) -> dict[str, int]:
    """Pages and inodes in use."""
    state = os.statvfs(disk)
    pages = (state.f_blocks - state.f_bfree) * state.f_frsize // PAGE
    return {"size": pages, "nr_inodes": state.f_files - state.f_ffree}


def edit_everything() -> None:
    makers.edit("older", title_en="Another title", body_en="Another long body. " * 200)
    makers.edit("newer", title_en="Another title", body_en="Another long body. " * 200)


@pytest.fixture
def disk_site(small_site: Path, disk: Path) -> Path:
    """A published site on the file system, and an edit that waits to be frozen."""
    makers.freeze_into(disk / "site")
    edit_everything()
    return disk / "site"


@pytest.fixture
def need(small_site: Path, disk_site: Path, disk: Path) -> dict[str, int]:
    """What publishing the edit takes, measured on a copy beside."""
    rehearsal = disk / "rehearsal"
    subprocess.run(["cp", "-a", disk_site, rehearsal], check=True)
    before = used(disk)
    makers.freeze_into(rehearsal, makers.LATER)
    after = used(disk)
    subprocess.run(["rm", "-r", rehearsal], check=True)
    return {kind: after[kind] - before[kind] for kind in before}


@pytest.mark.parametrize("kind", ["size", "nr_inodes"])
def test_a_disk_that_fills_at_any_step_leaves_what_is_published(
    kind: str, disk: Path, disk_site: Path, need: dict[str, int]
) -> None:
    before, start = makers.published(disk_site), used(disk)
    for missing in steps(need[kind]):
        room = start[kind] + need[kind] - missing
        limit(disk, f"{kind}={room * PAGE if kind == 'size' else room}")
        with pytest.raises(TargetUnusable, match="No space left on device"):
            makers.freeze_into(disk_site, makers.LATER)

        assert (missing, makers.published(disk_site)) == (missing, before)
        assert (missing, makers.leftovers(disk_site)) == (missing, set())
        assert (missing, makers.releases(disk_site)) == (missing, {before[0]})

    limit(disk, f"{kind}={ROOM if kind == 'size' else 100_000}")
    assert makers.freeze_into(disk_site, makers.LATER).outcome is Outcome.PUBLISHED
    assert makers.leftovers(disk_site) == set()


def steps(need: int) -> list[int]:
    """How much is missing: all of it, a part, the last bit."""
    return sorted({need, need * 3 // 4, need // 2, need // 4, 3, 2, 1}, reverse=True)


def test_the_command_on_a_full_disk_says_so(
    database: Path, shipped_target: Path, disk: Path
) -> None:
    target = disk / "site"
    subprocess.run(["cp", "-a", shipped_target, target], check=True)
    before = makers.published(target)
    processes.edit_everything(database)
    limit(disk, f"size={(used(disk)['size'] + 50) * PAGE}")

    frozen = processes.freeze(target, database=database)

    assert frozen.returncode == processes.FAILED
    assert f"{target} cannot be written: No space left on device" in frozen.stderr
    assert "Traceback" not in frozen.stderr
    assert makers.published(target) == before
    limit(disk, f"size={ROOM}")
    assert processes.freeze(target, database=database).returncode == processes.PUBLISHED
    assert makers.leftovers(target) == set()


def test_the_command_on_a_read_only_disk_says_so(database: Path, disk: Path) -> None:
    limit(disk, "ro")

    frozen = processes.freeze(disk / "site", database=database)

    assert frozen.returncode == processes.FAILED
    assert f"{disk / 'site'} cannot be written: Read-only file system" in frozen.stderr
    assert "Traceback" not in frozen.stderr


def test_a_published_site_on_a_disk_turned_read_only_is_served_on(
    small_site: Path, disk: Path, disk_site: Path
) -> None:
    before = makers.published(disk_site)
    limit(disk, "ro")

    with pytest.raises(TargetUnusable, match="Read-only file system"):
        makers.freeze_into(disk_site, makers.LATER)

    assert makers.published(disk_site) == before
