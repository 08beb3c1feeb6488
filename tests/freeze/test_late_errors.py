"""A disk that accepts writes and reports later that it lost them."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from site_mirror.snapshot.errors import FreezeError
from tests.freeze import engine, target_files
from tests.requirements import needs_loop_devices

pytestmark = [pytest.mark.disk, pytest.mark.exhaustive("mounts a file system as root")]

DISK_BYTES = 64 * 1024 * 1024
LARGE = os.urandom(2_000_000)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Path]:
    """A small file system for the image of a larger one."""
    needs_loop_devices()
    folder = tmp_path / "store"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


@pytest.fixture
def disk(store: Path, tmp_path: Path) -> Iterator[Path]:
    """A file system with more room than its image can have: writes fail when they are synced."""
    image, mountpoint = store / "image", tmp_path / "disk"
    mountpoint.mkdir()
    with image.open("wb") as file:
        file.truncate(DISK_BYTES)
    options = ["-E", "lazy_itable_init=1,nodiscard", "-O", "^has_journal"]
    subprocess.run(["mkfs.ext4", "-q", "-F", "-m", "0", *options, image], check=True)
    subprocess.run(["mount", "-o", "loop", image, mountpoint], check=True)
    try:
        yield mountpoint
    finally:
        subprocess.run(["umount", mountpoint], check=True)


def test_a_release_that_the_disk_lost_is_not_published(store: Path, disk: Path) -> None:
    target = disk / "site"
    engine.publish(target, *engine.FIRST, moment=engine.MOMENT)
    before = target_files.read_published(target)
    os.sync()
    state = os.statvfs(store)
    with (store / "ballast").open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, (state.f_bavail - 200) * state.f_frsize)

    with pytest.raises(FreezeError, match=r"Input/output error|No space left"):
        engine.publish(target, *engine.FIRST, engine.make_document("/large", LARGE))

    (store / "ballast").unlink()
    assert target_files.read_published(target) == before
