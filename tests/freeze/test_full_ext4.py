"""A real file system that is full, at whatever step it happens."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from site_mirror.snapshot import releases
from site_mirror.snapshot.engine import Outcome
from site_mirror.snapshot.errors import TargetUnusable
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from site_mirror.snapshot.verification import findings, subject
from tests.freeze import makers, plain, steps
from tests.needs import needs_loop_devices

SIZE = 16 * 1024 * 1024
ROOMS = [*range(12), *range(12, 60, 4), *range(60, 400, 20)]
"""Blocks that are free, from none to enough."""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, in a file."""
    needs_loop_devices()
    image, mountpoint = tmp_path / "image", tmp_path / "disk"
    mountpoint.mkdir()
    with image.open("wb") as file:
        file.truncate(SIZE)
    subprocess.run(["mkfs.ext4", "-q", "-F", "-m", "0", "-b", "1024", image], check=True)
    subprocess.run(["mount", "-o", "loop", image, mountpoint], check=True)
    try:
        yield mountpoint
    finally:
        subprocess.run(["umount", mountpoint], check=True)


@contextmanager
def only(blocks: int, disk: Path) -> Iterator[None]:
    """Fill a file system but for so many blocks."""
    ballast = disk / "ballast"
    os.sync()
    with ballast.open("wb") as file:
        state = os.statvfs(disk)
        size = (state.f_bavail - blocks) * state.f_frsize
        while size > 0:
            with suppress(OSError):
                os.posix_fallocate(file.fileno(), 0, size)
                break
            size -= state.f_frsize
    try:
        yield
    finally:
        ballast.unlink()
        os.sync()


def test_a_disk_that_fills_at_any_step_leaves_what_is_published(disk: Path) -> None:
    target = disk / "site"
    plain.published(target, *plain.FIRST, moment=plain.MOMENT)
    before, reasons, failed = makers.published(target), set(), 0
    for room in ROOMS:
        with only(room, disk):
            try:
                report = plain.published(target, *plain.SECOND)
            except TargetUnusable as error:
                failed += 1
                reasons.add(error.reason)
                assert (room, makers.published(target)) == (room, before)
                assert (room, makers.leftovers(target)) == (room, set())
            else:
                break

    assert (failed > 5, report.outcome) == (True, Outcome.PUBLISHED)
    assert reasons == {"No space left on device"}
    assert [list(findings(subject(folder))) for folder in releases.folders(Target(target))] == [
        [],
        [],
    ]


def test_a_full_disk_can_be_rolled_back_and_tidied_up(disk: Path) -> None:
    target = disk / "site"
    first, _ = plain.two_releases(target)

    with only(0, disk):
        roll_back(Target(target), first)
        steps.keep_one(target)

    assert makers.releases(target) == {f"releases/{first}"} == {makers.published(target)[0]}
    assert list(findings(subject(target))) == []
