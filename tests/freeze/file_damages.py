"""Ways to damage a published file, and to plant others beside it."""

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


def truncate(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)
    os.utime(file, (OLD_TIMESTAMP, OLD_TIMESTAMP))


def swap_with_index(file: Path) -> None:
    """Exchange the names of a file and `index.html`; bytes, dates and inodes stay."""
    other, aside = file.with_name("index.html"), file.with_name("..aside")
    file.rename(aside)
    other.rename(file)
    aside.rename(other)


def replace_by_rename(file: Path) -> None:
    """Rename another file of the same size and date over a file."""
    other, status = file.with_name("..other"), file.stat()
    other.write_bytes(b"x" * status.st_size)
    other.chmod(0o644)
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.replace(file)


def replace_by_symlink(path: Path) -> None:
    """Move a file or a folder beside the target, and leave a symbolic link to it."""
    outside = path.parents[path.parts[::-1].index("releases") + 1] / "outside"
    shutil.move(path, outside)
    path.symlink_to(outside)


def replace_by_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file, 0o644)


def replace_by_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def make_private(file: Path) -> None:
    file.chmod(0o600)


DAMAGES: dict[str, Damage] = {
    damage.__name__: damage
    for damage in (
        *(flip_bit, truncate, swap_with_index, replace_by_rename, remove, make_private),
        *(replace_by_symlink, replace_by_pipe, replace_by_folder),
    )
}
