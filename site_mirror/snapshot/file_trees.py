"""Compare a folder with the files and checksums that it should have."""

import errno
import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from site_mirror.snapshot.files import PUBLIC_FOLDER_MODE, open_folder, open_regular_file

IS_MISSING = "is missing"
PUBLIC_FOLDER = stat.S_IFDIR | PUBLIC_FOLDER_MODE
REASONS_BY_ERRNO = {
    errno.ENOENT: IS_MISSING,
    errno.ENOTDIR: IS_MISSING,
    errno.EISDIR: IS_MISSING,
    errno.ELOOP: "is a symbolic link, not a file",
}


def file_faults(
    root: Path, part: str, expected: Iterable[tuple[str, str]], mode: int | None = None
) -> Iterator[tuple[str, str]]:
    """Yield the damaged, missing and unknown files of a part of a folder, each with its fault.

    An empty part is the folder itself. `expected` has the SHA-256 of each file.
    """
    known = set[str]()
    for file, sha256 in expected:
        known.add(file)
        if fault := file_fault(root, f"{part}/{file}".lstrip("/"), sha256, mode):
            yield file, fault
    for file in sorted({*files_below(root, part)} - known):
        yield file, "is not in the manifest"


def file_fault(root: Path, name: str, sha256: str, mode: int | None = None) -> str:
    """Return the fault of a file below a folder; empty if it is as it was published.

    The permissions must be `mode`; `None` allows any, for files that another program copied.
    """
    try:
        with open_regular_file(root, name) as file:
            actual_mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            if mode not in {None, actual_mode}:
                return f"has the mode {actual_mode:o} instead of {mode:o}"
            is_intact = hashlib.file_digest(file, "sha256").hexdigest() == sha256
            return "" if is_intact else "has other bytes than were published"
    except OSError as error:
        return REASONS_BY_ERRNO.get(error.errno or 0, f"cannot be read: {error.strerror}")


def files_below(root: Path, part: str) -> Iterator[str]:
    """Yield each name that is not a folder; a symbolic link to a folder counts as a file."""
    return (name for name, mode in walk_names(root, part) if not stat.S_ISDIR(mode))


def walk_names(root: Path, part: str) -> Iterator[tuple[str, int]]:
    """Yield all names below a part of a folder; those of folders, and of links to some, with mode.

    The part itself is yielded last if it is another thing than a folder with the public mode.
    """
    mode = 0
    # A part that is missing or is a symbolic link cannot be opened.
    with suppress(OSError), open_folder(root, part) as opened:
        for folder, folders, names, descriptor in os.fwalk(".", dir_fd=opened):
            yield from ((f"{folder}/{name}"[2:], 0) for name in names)
            for name in folders:
                status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
                yield f"{folder}/{name}"[2:], status.st_mode
        mode = os.fstat(opened).st_mode
    if mode != PUBLIC_FOLDER:
        yield part, mode
