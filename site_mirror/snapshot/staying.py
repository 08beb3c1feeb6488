"""Whether a published file may be reused: its metadata decides, or else its bytes.

A write, a rename, a new mode and a new link of a file all move its change time, which no program
can set back. A release also links its files into its successor, and a removed release takes its
links away: these moves are the program's own, and the target keeps the *windows* in which they
were made (`state`). So a portion stays if each of its files is a regular file of the public mode
that last changed within a window, and if inodes and sizes are the recorded ones. Otherwise the
files are read and compared with their checksums.
"""

import hashlib
import os
import stat
from array import array
from collections.abc import Mapping
from pathlib import Path

from site_mirror.snapshot.files import PUBLIC_FILE, Folders, opened, reading
from site_mirror.snapshot.layout import PUBLIC

Window = tuple[int, int]
"""Change times that the program itself caused lie between the two, in nanoseconds since 1970."""
Windows = tuple[Window, ...]

MODE = stat.S_IFREG | PUBLIC_FILE
SIZE = 8


def untouched(release: Path, folders: Folders, seen: str, windows: Windows) -> bool:
    """Whether the metadata of public files is what the program left.

    `seen` is the record that was made of them when they were published.
    """
    if not windows or not seen:
        return False
    try:
        return record(release, folders, windows) == seen
    except OSError:
        return False


def record(release: Path, folders: Folders, windows: Windows = ()) -> str:
    """A digest of the inodes and sizes of public files.

    Raises `OSError` for what is not a regular file of the public mode and, with windows, for a
    file that changed outside of them.
    """
    found = array("Q")
    for folder, names in folders.items():
        with opened(release, PUBLIC + folder) as there:
            for name in names:
                status = os.stat(name, dir_fd=there, follow_symlinks=False)
                if status.st_mode != MODE or (windows and not is_own(status.st_ctime_ns, windows)):
                    raise PermissionError(f"{folder}/{name} is not as the program left it.")
                found.append(status.st_ino)
                found.append(status.st_size)
    return hashlib.blake2b(found.tobytes(), digest_size=SIZE).hexdigest()


def is_own(changed: int, windows: Windows) -> bool:
    """Whether the program itself caused a change time; at a window's edge it may be another's."""
    return any(start < changed < end for start, end in windows)


def altered(release: Path, digests: Mapping[str, str]) -> tuple[str, ...]:
    """The public files that are not as they were published; every byte is read."""
    return tuple(file for file, sha256 in digests.items() if not whole(release, file, sha256))


def whole(release: Path, file: str, sha256: str) -> bool:
    """Whether a public file has the mode and the bytes that it was published with."""
    try:
        with reading(release, f"{PUBLIC}/{file}") as found:
            same_mode = os.fstat(found.fileno()).st_mode == MODE
            return same_mode and hashlib.file_digest(found, "sha256").hexdigest() == sha256
    except OSError:
        return False
