"""Compare a folder with the files and checksums that it should have."""

import errno
import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from site_mirror.snapshot.files import PUBLIC_FOLDER_MODE, open_folder, open_regular_file

IS_MISSING = "is missing"
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


def strange_names(root: Path, part: str, expected: Iterable[tuple[str, str]]) -> list[str]:
    """Return the names in a part of a release that are not expected.

    A folder without the public mode is also returned.
    """
    unknown = {*files_below(root, part)} - {file for file, _ in expected}
    modes = {folder or part: mode for folder, mode, _ in folders_below(root, part)}
    closed = {folder for folder, mode in modes.items() if mode != PUBLIC_FOLDER_MODE}
    return sorted(unknown | closed)


def files_below(root: Path, part: str) -> Iterator[str]:
    """Yield each name that is not a folder; a symbolic link to a folder counts as a file."""
    for folder, _, names in folders_below(root, part):
        yield from (f"{folder}/{name}".strip("/") or part for name in names)


def folders_below(root: Path, part: str) -> Iterator[tuple[str, int, list[str]]]:
    """Yield each folder with its mode and the other names in it.

    A folder that cannot be opened has the mode 0 and counts as a name.
    """
    pending = [""]
    while pending:
        folder = pending.pop()
        try:
            with open_folder(root, f"{part}/{folder}") as opened, os.scandir(opened) as entries:
                mode, names = stat.S_IMODE(os.fstat(opened).st_mode), list[str]()
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(f"{folder}/{entry.name}".lstrip("/"))
                    else:
                        names.append(entry.name)
        except OSError:
            yield folder, 0, [""]
        else:
            yield folder, mode, names
