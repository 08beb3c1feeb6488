"""Compare a folder with the files and checksums that it should have."""

import errno
import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import Path

from site_mirror.snapshot.files import PUBLIC_FOLDER_MODE, open_folder, open_regular_file

ExpectedFiles = Callable[[], Iterator[tuple[str, str]]]
"""Returns each file below a folder with its SHA-256; it may be called several times."""

IS_MISSING = "is missing"
IS_LINK = "is a symbolic link, not a file"
NOT_IN_MANIFEST = "is not in the manifest"
REASONS_BY_ERRNO = {
    errno.ENOENT: IS_MISSING,
    errno.ENOTDIR: IS_MISSING,
    errno.EISDIR: IS_MISSING,
    errno.ELOOP: IS_LINK,
    errno.EINVAL: "is not a regular file",
    errno.ENXIO: "is not a regular file",
}


def file_faults(
    root: Path, part: str, expected: ExpectedFiles, mode: int | None = None
) -> Iterator[tuple[str, str]]:
    """Yield the damaged, missing and unknown files of a part of a folder, each with its fault.

    An empty part is the folder itself. Names are collected only if the numbers of files differ, so
    memory does not grow with an intact release.
    """
    existing = 0
    for file, sha256 in expected():
        fault = file_fault(root, f"{part}/{file}".lstrip("/"), sha256, mode)
        existing += fault != IS_MISSING
        if fault:
            yield file, fault
    # Names are compared only if the numbers differ.
    if sum(1 for _ in files_below(root, part)) != existing:
        known = {file for file, _ in expected()}
        yield from ((file, NOT_IN_MANIFEST) for file in sorted({*files_below(root, part)} - known))


def file_fault(root: Path, name: str, sha256: str, mode: int | None = None) -> str:
    """Return the fault of a file below a folder; empty if it is as it was published.

    The permissions must be `mode`; `None` allows any, for files that another program copied.
    """
    try:
        with open_regular_file(root, name) as file:
            return opened_file_fault(file, sha256, mode)
    except OSError as error:
        return reason_of(error)


def opened_file_fault(file: BufferedReader, sha256: str, mode: int | None = None) -> str:
    actual_mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
    if mode not in {None, actual_mode}:
        return f"has the mode {actual_mode:o} instead of {mode:o}"
    is_intact = hashlib.file_digest(file, "sha256").hexdigest() == sha256
    return "" if is_intact else "has other bytes than were published"


def reason_of(error: OSError) -> str:
    """Describe the fault of a file that could not be opened."""
    return REASONS_BY_ERRNO.get(error.errno or 0, f"cannot be read: {error.strerror}")


def files_below(root: Path, part: str) -> Iterator[str]:
    """Yield each name that is not a folder; a symbolic link to a folder counts as a file."""
    for folder, names in folders_below(root, part):
        if names is None:
            yield folder
        else:
            yield from (f"{folder}/{name}".lstrip("/") for name in names)


def folders_below(root: Path, part: str) -> Iterator[tuple[str, list[str] | None]]:
    """Yield each folder with the other names in it, or with `None` if it cannot be opened."""
    pending = [""]
    while pending:
        folder = pending.pop()
        try:
            with open_folder(root, f"{part}/{folder}") as opened, os.scandir(opened) as entries:
                names = list[str]()
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(f"{folder}/{entry.name}".lstrip("/"))
                    else:
                        names.append(entry.name)
        except OSError:
            yield folder or part, None
        else:
            yield folder, names


def strange_names(
    root: Path, part: str, expected: Callable[[], Iterator[str]], count: int
) -> list[str]:
    """Return the names in a part of a release that are not expected.

    All `count` expected files must exist: then an equal number of files means that there are no
    others. A folder without the public mode is also returned.
    """
    strange, existing = list[str](), 0
    for folder, names in folders_below(root, part):
        # A folder that cannot be opened is one name that is not expected.
        existing += 1 if names is None else len(names)
        if names is None or folder_mode(root, f"{part}/{folder}") != PUBLIC_FOLDER_MODE:
            strange.append(folder or part)
    if existing != count:
        strange += {*files_below(root, part)} - {*expected()} - {*strange}
    return sorted(strange)


def folder_mode(root: Path, folder: str) -> int:
    with open_folder(root, folder) as descriptor:
        return stat.S_IMODE(os.fstat(descriptor).st_mode)
