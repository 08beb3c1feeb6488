"""A full ext4 keeps the published release, at any step of a freeze."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from site_mirror.snapshot import releases
from site_mirror.snapshot.errors import FreezeError
from site_mirror.snapshot.report import Outcome
from site_mirror.snapshot.target import Target
from site_mirror.snapshot.verify import find_discrepancies, find_files_to_verify
from tests.freeze import engine, target_files
from tests.requirements import needs_loop_devices

pytestmark = [pytest.mark.disk, pytest.mark.exhaustive("mounts a file system as root")]

DISK_BYTES = 16 * 1024 * 1024
FREE_BLOCKS = [*range(12), *range(12, 60, 4), *range(60, 400, 20)]
"""Numbers of free blocks, from none to enough."""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small ext4 file system in a file."""
    needs_loop_devices()
    image, mountpoint = tmp_path / "image", tmp_path / "disk"
    mountpoint.mkdir()
    with image.open("wb") as file:
        file.truncate(DISK_BYTES)
    subprocess.run(["mkfs.ext4", "-q", "-F", "-m", "0", "-b", "1024", image], check=True)
    subprocess.run(["mount", "-o", "loop", image, mountpoint], check=True)
    try:
        yield mountpoint
    finally:
        subprocess.run(["umount", mountpoint], check=True)


@contextmanager
def leave_free(blocks: int, disk: Path) -> Iterator[None]:
    """Fill a file system except for a number of blocks."""
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


def test_an_ext4_that_fills_at_any_step_keeps_the_published_release(disk: Path) -> None:
    target = disk / "site"
    engine.publish(target, *engine.FIRST, moment=engine.MOMENT)
    before, messages = target_files.read_published(target), list[str]()
    for room in FREE_BLOCKS:
        with leave_free(room, disk):
            try:
                report = engine.publish(target, *engine.SECOND)
            except FreezeError as error:
                messages.append(str(error))
                assert (room, target_files.read_published(target)) == (room, before)
                assert (room, target_files.find_leftovers(target)) == (room, set())
            else:
                break

    assert (len(messages) > 5, report.outcome) == (True, Outcome.PUBLISHED)
    assert all("cannot be written: No space left on device" in each for each in messages)
    assert [
        list(find_discrepancies(find_files_to_verify(folder)))
        for folder in releases.release_folders(Target(target))
    ] == [
        [],
        [],
    ]
