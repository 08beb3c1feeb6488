"""Ways in which a file of a published release is not as it was published."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from site_mirror.snapshot import state
from site_mirror.snapshot.target import Target

Damage = Callable[[Path], object]
OLD = 1_000_000_000
"""A date long before any release."""


def flipped(file: Path) -> None:
    """One bit of a file, in place."""
    body = bytearray(file.read_bytes())
    body[len(body) // 2] ^= 1
    with file.open("r+b") as descriptor:
        descriptor.write(body)


def flipped_and_dated(file: Path) -> None:
    flipped(file)
    os.utime(file, (OLD, OLD))


def cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)
    os.utime(file, (OLD, OLD))


def exchanged(file: Path) -> None:
    """By another file that is renamed over it, with an old date."""
    other = file.with_name("..other")
    other.write_bytes(b"x" * file.stat().st_size)
    other.chmod(0o644)
    os.utime(other, (OLD, OLD))
    other.replace(file)


def swapped(file: Path) -> None:
    """With another file of the release; the bytes, dates and inodes of both are old."""
    other, aside = file.with_name("index.html"), file.with_name("..aside")
    file.rename(aside)
    other.rename(file)
    aside.rename(other)


def outside(file: Path) -> Path:
    """A file beside the target, with the bytes of a published one."""
    found = file.parents[file.parts[::-1].index("public") + 2] / "outside"
    shutil.copyfile(file, found)
    found.chmod(0o644)
    os.utime(found, (OLD, OLD))
    return found


def linked(file: Path) -> None:
    """To a file outside of the release."""
    other = outside(file)
    file.unlink()
    file.symlink_to(other)


def linked_hard(file: Path) -> None:
    """To a file outside of the release, of other bytes."""
    other = outside(file)
    other.write_bytes(b"secret")
    file.unlink()
    file.hardlink_to(other)


def a_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file, 0o644)


def a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def gone(file: Path) -> None:
    file.unlink()


def unreadable(file: Path) -> None:
    file.chmod(0o600)


def behind_a_link(file: Path) -> None:
    """The folder of a file is a symbolic link to a copy of it."""
    folder = file.parent
    elsewhere = folder.parents[folder.parts[::-1].index("public") + 2] / "elsewhere"
    shutil.copytree(folder, elsewhere)
    shutil.rmtree(folder)
    folder.symlink_to(elsewhere)


DAMAGES: dict[str, Damage] = {
    damage.__name__: damage
    for damage in (
        flipped,
        flipped_and_dated,
        cut,
        exchanged,
        swapped,
        linked,
        linked_hard,
        a_pipe,
        a_folder,
        gone,
        unreadable,
    )
}


def silently(damage: Damage, target: Path, file: str) -> None:
    """Damage a public file and leave no trace in its metadata, as a failing disk does.

    No program can set a change time back, so the target is told that the time is its own.
    """
    damage(target / "current/public" / file)
    release = Target(target).release
    assert release is not None
    state.trust(target, release)
