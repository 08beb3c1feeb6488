"""Decide whether published files may be reused, by their metadata or else by their bytes.

A write, a rename, a new mode and a new link of a file all update its change time, which no program
can set back. A freeze does so itself when it links the files of a release into the next one, and
when it removes a release. So the target records the *windows* of time in which it did this
(`state`). A batch is reused if each of its files is a regular file of the public mode that last
changed within a window, and if inodes and sizes are the recorded ones. Otherwise the files are read
and compared with their checksums.
"""

import hashlib
import os
import stat
from array import array
from collections.abc import Mapping
from pathlib import Path

from site_mirror.snapshot.file_trees import file_fault
from site_mirror.snapshot.files import PUBLIC_FILE_MODE, FilesByFolder, open_folder
from site_mirror.snapshot.layout import PUBLIC

Window = tuple[int, int]
"""Two times in nanoseconds since 1970; changes between them were made by this program."""
Windows = tuple[Window, ...]

PUBLIC_FILE_TYPE_AND_MODE = stat.S_IFREG | PUBLIC_FILE_MODE
METADATA_DIGEST_BYTES = 8


def is_untouched(release: Path, folders: FilesByFolder, seen: str, windows: Windows) -> bool:
    """Whether only this program has changed public files since they were published.

    `seen` is their metadata digest at that time.
    """
    if not windows or not seen:
        return False
    try:
        return metadata_digest(release, folders, windows) == seen
    except OSError:
        return False


def metadata_digest(release: Path, folders: FilesByFolder, windows: Windows = ()) -> str:
    """Return a digest of the inodes and sizes of public files.

    Raises `OSError` for a name that is not a regular file of the public mode and, with windows, for
    a file that changed outside of them.
    """
    metadata = array("Q")
    for folder, names in folders.items():
        with open_folder(release, PUBLIC + folder) as descriptor:
            for name in names:
                status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
                if status.st_mode != PUBLIC_FILE_TYPE_AND_MODE or (
                    windows and not is_own_change(status.st_ctime_ns, windows)
                ):
                    raise PermissionError(f"{folder}/{name} is not as the program left it.")
                metadata.append(status.st_ino)
                metadata.append(status.st_size)
    return hashlib.blake2b(metadata.tobytes(), digest_size=METADATA_DIGEST_BYTES).hexdigest()


def is_own_change(changed: int, windows: Windows) -> bool:
    """Whether this program caused a change; one at the edge of a window may be another's."""
    return any(start < changed < end for start, end in windows)


def altered_files(release: Path, digests: Mapping[str, str]) -> tuple[str, ...]:
    """Return the public files that are not as they were published, by reading every byte."""
    return tuple(file for file, sha256 in digests.items() if not is_intact(release, file, sha256))


def is_intact(release: Path, file: str, sha256: str) -> bool:
    """Whether a public file still has the mode and the bytes with which it was published."""
    return not file_fault(release, f"{PUBLIC}/{file}", sha256, PUBLIC_FILE_MODE)
