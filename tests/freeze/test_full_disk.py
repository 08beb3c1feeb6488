"""A full, read-only or lying disk keeps the published release, at any step of a freeze."""

import os
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from site_mirror.snapshot.errors import FreezeError
from tests.freeze import engine, target_files
from tests.requirements import needs_loop_devices, needs_root

pytestmark = [pytest.mark.disk, pytest.mark.exhaustive("mounts a file system as root")]

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
FREE_BLOCKS = [*range(12), *range(12, 60, 4), *range(60, 400, 20)]
"""Numbers of free blocks of an ext4, from none to enough."""


@contextmanager
def mount(mountpoint: Path, *words: str | Path) -> Iterator[Path]:
    mountpoint.mkdir()
    subprocess.run(["mount", *words, mountpoint], check=True)
    try:
        yield mountpoint
    finally:
        subprocess.run(["umount", mountpoint], check=True)


@contextmanager
def mount_ext4(image: Path, mountpoint: Path, size: int, *options: str) -> Iterator[Path]:
    """Mount an ext4 of an image with holes."""
    with image.open("wb") as file:
        file.truncate(size)
    subprocess.run(["mkfs.ext4", "-q", "-F", "-m", "0", *options, image], check=True)
    with mount(mountpoint, "-o", "loop", image) as disk:
        yield disk


def fill(disk: Path, blocks: int) -> None:
    """Fill a file system except for a number of blocks."""
    os.sync()
    with (disk / "ballast").open("wb") as file:
        state = os.statvfs(disk)
        size = (state.f_bavail - blocks) * state.f_frsize
        while size > 0:
            with suppress(OSError):
                os.posix_fallocate(file.fileno(), 0, size)
                break
            size -= state.f_frsize


def publish_with_more_room(
    target: Path, rooms: Iterable[int], make_room: Callable[[int], object]
) -> None:
    """Publish a second release with more and more room, until there is enough."""
    before, messages = target_files.read_published(target), list[str]()
    for room in rooms:
        make_room(room)
        try:
            engine.publish(target, *engine.SECOND)
        except FreezeError as error:
            messages.append(str(error))
            assert (room, target_files.read_published(target)) == (room, before)
            assert (room, target_files.find_leftovers(target)) == (room, set())
            assert (room, target_files.list_releases(target)) == (room, {before[0]})
        else:
            break

    assert len(messages) > 5
    assert all("cannot be written: No space left on device" in each for each in messages)
    releases = target_files.list_releases(target)
    assert (len(releases), target_files.find_leftovers(target)) == (2, set())
    assert [target_files.list_discrepancies(target / release) for release in releases] == [[], []]


@pytest.mark.parametrize("kind", ["size", "nr_inodes"])
def test_a_tmpfs_that_fills_at_any_step_keeps_the_published_release(
    kind: str, tmp_path: Path
) -> None:
    needs_root()
    with mount(tmp_path / "disk", "-t", "tmpfs", "-o", "size=64m", "tmpfs") as disk:
        engine.publish(disk / "site", *engine.FIRST, moment=engine.MOMENT)
        state = os.statvfs(disk)
        pages = (state.f_blocks - state.f_bfree) * state.f_frsize // PAGE_BYTES
        used, unit = {
            "size": (pages, PAGE_BYTES),
            "nr_inodes": (state.f_files - state.f_ffree, 1),
        }[kind]

        def make_room(room: int) -> None:
            option = f"remount,{kind}={(used + room) * unit}"
            subprocess.run(["mount", "-o", option, disk], check=True)

        publish_with_more_room(disk / "site", range(1, 200), make_room)


def test_an_ext4_that_fills_at_any_step_keeps_the_published_release(tmp_path: Path) -> None:
    needs_loop_devices()
    image, mountpoint = tmp_path / "image", tmp_path / "disk"
    with mount_ext4(image, mountpoint, 16 << 20, "-b", "1024") as disk:
        engine.publish(disk / "site", *engine.FIRST, moment=engine.MOMENT)

        def make_room(blocks: int) -> None:
            (disk / "ballast").unlink(missing_ok=True)
            fill(disk, blocks)

        publish_with_more_room(disk / "site", FREE_BLOCKS, make_room)


def test_a_published_release_on_a_disk_that_became_read_only_is_unchanged(tmp_path: Path) -> None:
    needs_root()
    with mount(tmp_path / "disk", "-t", "tmpfs", "tmpfs") as disk:
        engine.publish(disk / "site", *engine.FIRST, moment=engine.MOMENT)
        before = target_files.read_published(disk / "site")
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)

        with pytest.raises(FreezeError, match="cannot be written: Read-only file system"):
            engine.publish(disk / "site", *engine.SECOND)

        assert target_files.read_published(disk / "site") == before


def test_a_release_that_the_disk_lost_is_not_published(tmp_path: Path) -> None:
    """The image has less room than its file system, so writes fail when they are synced."""
    needs_loop_devices()
    options = ("-E", "lazy_itable_init=1,nodiscard", "-O", "^has_journal")
    with (
        mount(tmp_path / "store", "-t", "tmpfs", "-o", "size=24m", "tmpfs") as store,
        mount_ext4(store / "image", tmp_path / "disk", 64 << 20, *options) as disk,
    ):
        engine.publish(disk / "site", *engine.FIRST, moment=engine.MOMENT)
        before = target_files.read_published(disk / "site")
        fill(store, 200)
        large = engine.make_document("/large", os.urandom(2_000_000))

        with pytest.raises(FreezeError, match=r"Input/output error|No space left"):
            engine.publish(disk / "site", *engine.FIRST, large)

        (store / "ballast").unlink()
        assert target_files.read_published(disk / "site") == before
