"""A full or read-only disk keeps the published release, at any step of a freeze."""

import os
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from site_mirror.snapshot.errors import FreezeError
from tests.freeze import engine, target_files
from tests.requirements import needs_root

pytestmark = [pytest.mark.disk, pytest.mark.exhaustive("mounts a file system as root")]

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@contextmanager
def mount(mountpoint: Path, *words: str | Path) -> Iterator[Path]:
    mountpoint.mkdir()
    subprocess.run(["mount", *words, mountpoint], check=True)
    try:
        yield mountpoint
    finally:
        subprocess.run(["umount", mountpoint], check=True)


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


def test_a_published_release_on_a_disk_that_became_read_only_is_unchanged(tmp_path: Path) -> None:
    needs_root()
    with mount(tmp_path / "disk", "-t", "tmpfs", "tmpfs") as disk:
        engine.publish(disk / "site", *engine.FIRST, moment=engine.MOMENT)
        before = target_files.read_published(disk / "site")
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)

        with pytest.raises(FreezeError, match="cannot be written: Read-only file system"):
            engine.publish(disk / "site", *engine.SECOND)

        assert target_files.read_published(disk / "site") == before
