"""Flush a file system to disk, and report writes that failed.

Most writes fail long after `write` has returned, when the kernel passes them to the device. `sync`
does not report that; since Linux 5.8, `syncfs` returns the error of any write that failed after the
descriptor was opened (man 2 syncfs). So the descriptor is opened before a release is staged.
"""

import os
from pathlib import Path


def sync_disk(descriptor: int) -> None:
    """Wait until all data of a file system is on disk. Raises `OSError` if a write failed.

    Without `syncfs`, as on macOS, all file systems are synced and errors are not reported.
    """
    import ctypes  # noqa: PLC0415  (only a freeze that publishes needs it)

    # Python has no `os.syncfs`.
    syncfs = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
    if syncfs is None:
        # This waits for other disks as well, and returns no error.
        os.sync()
    elif syncfs(descriptor):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def sync_path(path: Path) -> None:
    """Wait until a file, or the list of names in a folder, is on disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
