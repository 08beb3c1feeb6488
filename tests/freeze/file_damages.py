"""Ways to damage a published file."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

Damage = Callable[[Path], object]
OLD_TIMESTAMP = 1_000_000_000
"""Seconds since 1970 of a day long before any release."""


def flip_bit(file: Path) -> None:
    """Flip one bit of a file, in place."""
    body = bytearray(file.read_bytes())
    body[len(body) // 2] ^= 1
    with file.open("r+b") as descriptor:
        descriptor.write(body)


def flip_bit_without_a_trace(file: Path) -> None:
    """Flip one bit and leave the metadata as it was, as a failing disk does."""
    before = file.stat()
    flip_bit(file)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def flip_bit_and_set_old_date(file: Path) -> None:
    flip_bit(file)
    os.utime(file, (OLD_TIMESTAMP, OLD_TIMESTAMP))


def truncate(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)
    os.utime(file, (OLD_TIMESTAMP, OLD_TIMESTAMP))


def replace_by_rename(file: Path) -> None:
    """Rename another file with an old date over a file."""
    other = file.with_name("..other")
    other.write_bytes(b"x" * file.stat().st_size)
    other.chmod(0o644)
    os.utime(other, (OLD_TIMESTAMP, OLD_TIMESTAMP))
    other.replace(file)


def swap_with_index(file: Path) -> None:
    """Exchange the names of a file and `index.html`; bytes, dates and inodes stay."""
    other, aside = file.with_name("index.html"), file.with_name("..aside")
    file.rename(aside)
    other.rename(file)
    aside.rename(other)


def copy_outside(file: Path) -> Path:
    """Copy a published file to a place beside the target."""
    found = file.parents[file.parts[::-1].index("public") + 2] / "outside"
    shutil.copyfile(file, found)
    found.chmod(0o644)
    os.utime(found, (OLD_TIMESTAMP, OLD_TIMESTAMP))
    return found


def replace_by_symlink(file: Path) -> None:
    """Replace a file by a symbolic link to a file outside of the release."""
    other = copy_outside(file)
    file.unlink()
    file.symlink_to(other)


def replace_by_hard_link(file: Path) -> None:
    """Replace a file by a hard link to a file outside of the release, with other bytes."""
    other = copy_outside(file)
    other.write_bytes(b"secret")
    file.unlink()
    file.hardlink_to(other)


def replace_by_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file, 0o644)


def replace_by_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def remove(file: Path) -> None:
    file.unlink()


def make_private(file: Path) -> None:
    file.chmod(0o600)


def replace_folder_by_symlink(file: Path) -> None:
    """Replace the folder of a file by a symbolic link to a copy of that folder."""
    folder = file.parent
    elsewhere = folder.parents[folder.parts[::-1].index("public") + 2] / "elsewhere"
    shutil.copytree(folder, elsewhere)
    shutil.rmtree(folder)
    folder.symlink_to(elsewhere)


DAMAGES: dict[str, Damage] = {
    damage.__name__: damage
    for damage in (
        flip_bit,
        flip_bit_and_set_old_date,
        truncate,
        replace_by_rename,
        swap_with_index,
        replace_by_symlink,
        replace_by_hard_link,
        replace_by_pipe,
        replace_by_folder,
        remove,
        make_private,
    )
}
