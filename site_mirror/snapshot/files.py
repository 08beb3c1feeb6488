"""Read, write and link files of a release.

Paths are strings where a release may have hundreds of thousands of them, because `Path` is slower.
A file of a release is a regular file in folders of that release: no function here follows a
symbolic link below the folder that its caller names, and none opens a pipe or a device.
"""

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import DEFAULT_BUFFER_SIZE, BufferedReader, FileIO
from pathlib import Path
from typing import BinaryIO

NEW_FILE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
NESTED_FOLDER_FLAGS = FOLDER_FLAGS | os.O_NOFOLLOW
REGULAR_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""Without `O_NONBLOCK`, opening a named pipe would wait for a writer."""

PUBLIC_FILE_MODE, PUBLIC_FOLDER_MODE = 0o644, 0o755
"""Modes of files and folders that a web server reads; the umask does not change them."""
PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE = 0o600, 0o700
PASSAGE_FOLDER_MODE = 0o711
"""Mode of folders above public ones: a web server can pass through them and cannot list them."""


def write_file(path: str, body: bytes, mode: int = PUBLIC_FILE_MODE) -> None:
    """Write a new file.

    An existing file is replaced and not overwritten, because a hard link in an earlier release may
    have the same bytes.
    """
    descriptor = create_file(path, mode)
    try:
        # A disk that fills takes a part of the bytes; the next call raises the error.
        written = os.write(descriptor, body)
        while written < len(body):
            written += os.write(descriptor, memoryview(body)[written:])
    finally:
        os.close(descriptor)


def replace_private_file(path: str, body: bytes) -> None:
    """Replace a private file by one rename, so that an interrupted process keeps the old one."""
    write_file(f"{path}.new", body, PRIVATE_FILE_MODE)
    os.replace(f"{path}.new", path)


def replace_folder(source: Path, target: Path) -> None:
    """Move a folder to a name that another one, or a link, may have: that one takes its place."""
    with suppress(FileNotFoundError):
        target.rename(f"{source}.old")
    source.rename(target)


def create_file(path: str, mode: int = PUBLIC_FILE_MODE) -> int:
    """Create a file and return its descriptor.

    Another worker may link a file of this name, or make this folder, at the same time: so it tries
    until the file is new.
    """
    while True:
        try:
            descriptor = os.open(path, NEW_FILE_FLAGS, mode)
        except FileNotFoundError:
            make_folders(os.path.dirname(path))
        except FileExistsError:
            # Never overwritten in place: a hard link in an earlier release shares the bytes.
            os.unlink(path)
        else:
            # The umask was applied to the mode of `open`.
            os.fchmod(descriptor, mode)
            return descriptor


def create_private_file(path: str | os.PathLike[str]) -> BinaryIO:
    return os.fdopen(create_file(os.fspath(path), PRIVATE_FILE_MODE), "wb")


def make_folders(path: str, mode: int = PUBLIC_FOLDER_MODE) -> None:
    """Create a folder and those above it with this mode; existing ones stay as they are."""
    try:
        os.mkdir(path, mode)
        # The umask was applied to the mode of `mkdir`.
        os.chmod(path, mode)
    except FileNotFoundError:
        make_folders(os.path.dirname(path), mode)
        make_folders(path, mode)
    except FileExistsError:
        pass


@contextmanager
def open_folder(root: str | os.PathLike[str], folder: str = "") -> Iterator[int]:
    """Open a folder below a root and yield its descriptor.

    Names relative to a descriptor are resolved faster than whole paths. Raises `OSError` if a
    folder between it and the root is a symbolic link. The root itself may be one.
    """
    descriptor = os.open(root, FOLDER_FLAGS)
    try:
        for name in filter(None, folder.split("/")):
            below = os.open(name, NESTED_FOLDER_FLAGS, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        yield descriptor
    finally:
        os.close(descriptor)


def open_regular_file(
    root: str | os.PathLike[str], name: str, buffering: int = DEFAULT_BUFFER_SIZE
) -> BufferedReader:
    """Open a regular file below a folder for reading. Raises `OSError` for anything else."""
    folder, _, own = name.rpartition("/")
    with open_folder(root, folder) as parent:
        descriptor = os.open(own, REGULAR_FILE_FLAGS, dir_fd=parent)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise not_regular_error(
            errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL, f"{root}/{name}"
        )
    return BufferedReader(FileIO(descriptor), buffering)


def open_regular_path(path: Path) -> BufferedReader:
    """Open a regular file by an absolute path without any symbolic link. Raises `OSError`."""
    return open_regular_file(path.anchor, str(path.relative_to(path.anchor)))


def link_file(source: Path, target: str) -> None:
    """Hard-link a regular file, by an absolute path without any symbolic link.

    Raises `OSError`, for example if the two paths are on different file systems.
    """
    with open_folder(source.anchor, str(source.parent.relative_to(source.anchor))) as parent:
        os.link(source.name, target, src_dir_fd=parent, follow_symlinks=False)
    # Another process may have replaced the source since its name was read.
    if not stat.S_ISREG(os.lstat(target).st_mode):
        os.unlink(target)
        raise not_regular_error(errno.EINVAL, str(source))


def read_file(root: str | os.PathLike[str], name: str) -> bytes:
    with open_regular_file(root, name) as file:
        return file.read()


def not_regular_error(code: int, path: str) -> OSError:
    return OSError(code, "It is not a regular file", path)


def link_files(names: Iterable[str], source: tuple[str, str], target: str) -> None:
    """Hard-link files of a folder, which is a root and a folder below it."""
    make_folders(target)
    with open_folder(*source) as from_folder, open_folder(target) as to_folder:
        for name in names:
            # Two batches may have the same asset, and a file that was written is newer than a link.
            with suppress(FileExistsError):
                os.link(
                    name, name, src_dir_fd=from_folder, dst_dir_fd=to_folder, follow_symlinks=False
                )


def group_by_folder(files: Iterable[str]) -> dict[str, list[str]]:
    """Return the names of files by their folder: `blog/x.md` is `x.md` in `/blog`."""
    folders: dict[str, list[str]] = {}
    for file in files:
        folder, slash, name = file.rpartition("/")
        folders.setdefault(f"/{folder}" if slash else "", []).append(name)
    return folders
