"""A real disk that accepts writes and reports later that it lost them."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from site_mirror.snapshot.errors import TargetUnusable
from tests.freeze import makers, plain
from tests.needs import needs_loop_devices

SIZE = 64 * 1024 * 1024
LARGE = os.urandom(2_000_000)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Path]:
    """A small file system that holds the image of a larger one."""
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
    """A file system that believes in more room than there is: the kernel finds out at the end."""
    image, mountpoint = store / "image", tmp_path / "disk"
    mountpoint.mkdir()
    with image.open("wb") as file:
        file.truncate(SIZE)
    options = ["-E", "lazy_itable_init=1,nodiscard", "-O", "^has_journal"]
    subprocess.run(["mkfs.ext4", "-q", "-F", "-m", "0", *options, image], check=True)
    subprocess.run(["mount", "-o", "loop", image, mountpoint], check=True)
    try:
        yield mountpoint
    finally:
        subprocess.run(["umount", mountpoint], check=True)


def test_a_release_that_the_disk_has_lost_is_not_served(store: Path, disk: Path) -> None:
    target = disk / "site"
    plain.published(target, *plain.FIRST, moment=plain.MOMENT)
    before = makers.published(target)
    os.sync()
    state = os.statvfs(store)
    with (store / "ballast").open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, (state.f_bavail - 200) * state.f_frsize)

    with pytest.raises(TargetUnusable, match=r"Input/output error|No space left"):
        plain.published(target, *plain.FIRST, plain.document("/large", LARGE))

    (store / "ballast").unlink()
    assert makers.published(target) == before
