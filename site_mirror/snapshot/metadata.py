"""Metadata of files and folders, which shows a write without reading the file."""

import os
import stat

Metadata = tuple[int, ...]
NO_METADATA: Metadata = ()


def metadata_of(path: str) -> Metadata:
    """Return mode, inode, size and change time in nanoseconds, without following symbolic links.

    The change time of a folder changes when a name in it is created, renamed or removed.
    """
    try:
        status = os.lstat(path)
    except OSError:
        return NO_METADATA
    return status.st_mode, status.st_ino, status.st_size, status.st_ctime_ns


def without_change_time(metadata: Metadata) -> Metadata:
    """Return the part of a file's metadata that a new hard link does not change."""
    return metadata[:-1]


def is_regular_file(metadata: Metadata) -> bool:
    return bool(metadata) and stat.S_ISREG(metadata[0])
