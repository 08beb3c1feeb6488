"""Wait for a disk, and hear of what it could not write.

Most writes fail long after `write` has returned, when the system hands them to the device.
`sync` tells nothing of that; since Linux 5.8 `syncfs` returns the error of any write that failed
after the descriptor was opened (man 2 syncfs). So the descriptor is opened before a release is
staged.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def of(folder: Path) -> Iterator[int]:
    """A descriptor by which the file system of a folder is synced later."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def sync(descriptor: int) -> None:
    """Wait until everything that was written to a file system is on disk.

    Raises `OSError` if something could not be written. A system without `syncfs` syncs all file
    systems, and says nothing.
    """
    import ctypes  # noqa: PLC0415  (only a freeze that publishes needs it)

    syncfs = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
    if syncfs is None:
        os.sync()
    elif syncfs(descriptor):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def fsync(path: Path) -> None:
    """Wait until a file, or the names of a folder, are on disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
