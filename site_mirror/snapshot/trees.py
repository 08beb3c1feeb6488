"""Whether a folder holds exactly the files that it should, byte for byte."""

import errno
import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from site_mirror.snapshot.files import PUBLIC_FOLDER, opened, reading

Promised = Callable[[], Iterator[tuple[str, str]]]
"""Gives each file below a folder with its SHA-256, as often as it is asked."""

MISSING = "is missing"
LINK = "is a link, and no file of its own"
UNKNOWN = "is not in the manifest"
REASONS = {
    errno.ENOENT: MISSING,
    errno.ENOTDIR: MISSING,
    errno.EISDIR: MISSING,
    errno.ELOOP: LINK,
    errno.EINVAL: "is not a regular file",
    errno.ENXIO: "is not a regular file",
}


def faults(root: Path, part: str, promised: Promised) -> Iterator[tuple[str, str]]:
    """Files of a part of a folder with what is wrong with them.

    An empty part is the folder itself. Memory does not grow with the number of files: a part with
    all the files that are promised, and with as many, has no other.
    """
    there = 0
    for file, sha256 in promised():
        fault = of_file(root, f"{part}/{file}".lstrip("/"), sha256)
        there += fault != MISSING
        if fault:
            yield file, fault
    if sum(1 for _ in files_below(root, part)) != there:
        known = {file for file, _ in promised()}
        yield from ((file, UNKNOWN) for file in sorted({*files_below(root, part)} - known))


def of_file(root: Path, name: str, sha256: str) -> str:
    """The fault of a file below a folder; empty if it has the bytes of a checksum."""
    try:
        with reading(root, name) as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return reason(error)
    return "" if found == sha256 else "has other bytes than were published"


def reason(error: OSError) -> str:
    """The fault of a file that could not be opened, in words."""
    return REASONS.get(error.errno or 0, f"cannot be read: {error.strerror}")


def files_below(root: Path, part: str) -> Iterator[str]:
    """Everything that is not a folder, such as a symbolic link to a folder."""
    for folder, names in folders_below(root, part):
        if names is None:
            yield folder
        else:
            yield from (f"{folder}/{name}".lstrip("/") for name in names)


def folders_below(root: Path, part: str) -> Iterator[tuple[str, list[str] | None]]:
    """Each folder with the names in it that are not folders; `None` for what cannot be opened."""
    pending = [""]
    while pending:
        folder = pending.pop()
        try:
            with opened(root, f"{part}/{folder}") as there, os.scandir(there) as entries:
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


def strange(root: Path, part: str, promised: Callable[[], Iterator[str]], count: int) -> list[str]:
    """Names in a part of a release that do not belong to it, once all that is promised is there.

    A folder that is not of the public mode is among them.
    """
    found, there = list[str](), 0
    for folder, names in folders_below(root, part):
        there += 1 if names is None else len(names)
        if names is None or mode(root, f"{part}/{folder}") != PUBLIC_FOLDER:
            found.append(folder or part)
    if there != count:
        found += {*files_below(root, part)} - {*promised()} - {*found}
    return sorted(found)


def mode(root: Path, folder: str) -> int:
    with opened(root, folder) as there:
        return stat.S_IMODE(os.fstat(there).st_mode)
