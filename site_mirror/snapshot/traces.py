"""Metadata of files and folders, by which a write is noticed without reading a byte."""

import os
import stat

Trace = tuple[int, ...]
NOTHING_THERE: Trace = ()


def trace(path: str) -> Trace:
    """Kind, inode, size and the time of the last change in nanoseconds; links are not followed.

    The change time of a folder moves when a name in it is made, renamed or removed.
    """
    try:
        found = os.lstat(path)
    except OSError:
        return NOTHING_THERE
    return found.st_mode, found.st_ino, found.st_size, found.st_ctime_ns


def lasting(trace: Trace) -> Trace:
    """The part of a public file's trace that a link to it does not move."""
    return trace[:-1]


def is_file(trace: Trace) -> bool:
    return bool(trace) and stat.S_ISREG(trace[0])
