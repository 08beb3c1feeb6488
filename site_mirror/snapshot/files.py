"""Files of a release by the hundred thousand: paths are plain text, which costs least.

A file of a release is a regular file in folders of that release: no function here follows a
symbolic link below the folder that its caller names, and none opens a pipe or a device.
"""

import errno
import os
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import DEFAULT_BUFFER_SIZE, BufferedReader, FileIO
from pathlib import Path
from typing import BinaryIO

NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
FOLDER_BELOW = FOLDER | os.O_NOFOLLOW
REGULAR = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""Without `O_NONBLOCK`, opening a named pipe would wait for a writer."""

PUBLIC_FILE, PUBLIC_FOLDER = 0o644, 0o755
"""Modes of what a web server reads, whatever the umask."""
PRIVATE_FILE = 0o600
WAY = 0o711
"""Mode of folders that lead to public ones: a server passes through, and cannot list them."""

Folders = Mapping[str, Sequence[str]]
"""Names of files by the folder that they are in."""

Instead = Callable[[str, str], None]
"""From a file that cannot be linked, and the name that it should have."""


def write(path: str, body: bytes, mode: int = PUBLIC_FILE) -> None:
    """A new file, never the bytes of another name that it has in an earlier release."""
    descriptor = created(path, mode)
    try:
        written = os.write(descriptor, body)
        while written < len(body):
            written += os.write(descriptor, memoryview(body)[written:])
    finally:
        os.close(descriptor)


def write_over(path: str, body: bytes) -> None:
    """Replace a private file as a whole; a process that ends early leaves the former one."""
    write(f"{path}.new", body, PRIVATE_FILE)
    os.replace(f"{path}.new", path)


def created(path: str, mode: int = PUBLIC_FILE) -> int:
    """A descriptor of a file that was not there before, whatever others link meanwhile."""
    while True:
        try:
            descriptor = os.open(path, NEW, mode)
        except FileNotFoundError:
            make_folders(os.path.dirname(path))
        except FileExistsError:
            os.unlink(path)
        else:
            os.fchmod(descriptor, mode)
            return descriptor


def private(path: str | os.PathLike[str]) -> BinaryIO:
    """A new file that its owner alone can read."""
    return os.fdopen(created(os.fspath(path), PRIVATE_FILE), "wb")


def make_folders(path: str, mode: int = PUBLIC_FOLDER) -> None:
    """A folder and those above it, each with this mode unless it exists."""
    while True:
        try:
            os.mkdir(path, mode)
        except FileExistsError:
            return
        except FileNotFoundError:
            make_folders(os.path.dirname(path), mode)
        else:
            os.chmod(path, mode)
            return


@contextmanager
def opened(root: str | os.PathLike[str], folder: str = "") -> Iterator[int]:
    """A descriptor of a folder: names below it are found sooner than whole paths.

    Raises `OSError` if a folder between it and the root is a symbolic link. The root itself may
    be one.
    """
    descriptor = os.open(root, FOLDER)
    try:
        for name in filter(None, folder.split("/")):
            below = os.open(name, FOLDER_BELOW, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        yield descriptor
    finally:
        os.close(descriptor)


def reading(
    root: str | os.PathLike[str], name: str, buffering: int = DEFAULT_BUFFER_SIZE
) -> BufferedReader:
    """A regular file below a folder, open for reading. Raises `OSError` for anything else."""
    folder, _, own = name.rpartition("/")
    with opened(root, folder) as there:
        descriptor = os.open(own, REGULAR, dir_fd=there)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise not_regular(errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL, f"{root}/{name}")
    return BufferedReader(FileIO(descriptor), buffering)


def reading_whole(path: Path) -> BufferedReader:
    """A regular file by an absolute path without any symbolic link. Raises `OSError`."""
    return reading(path.anchor, str(path.relative_to(path.anchor)))


def link_file(source: Path, target: str) -> None:
    """A second name for a regular file, by an absolute path without any symbolic link.

    Raises `OSError`, above all where the two are on different file systems.
    """
    with opened(source.anchor, str(source.parent.relative_to(source.anchor))) as here:
        os.link(source.name, target, src_dir_fd=here, follow_symlinks=False)
    if not stat.S_ISREG(os.lstat(target).st_mode):
        os.unlink(target)
        raise not_regular(errno.EINVAL, str(source))


def body(root: str | os.PathLike[str], name: str) -> bytes:
    """The bytes of a regular file below a folder. Raises `OSError` for anything else."""
    with reading(root, name) as file:
        return file.read()


def not_regular(code: int, path: str) -> OSError:
    return OSError(code, "It is not a regular file", path)


def copy(source: str, target: str) -> None:
    """The same bytes, of the same moment, under a name that is free; one that is taken stays."""
    with (
        suppress(FileExistsError),
        reading(os.path.dirname(source), os.path.basename(source)) as old,
        open(target, "xb") as new,
    ):
        shutil.copyfileobj(old, new)
        new.flush()
        found = os.fstat(old.fileno())
        os.fchmod(new.fileno(), PUBLIC_FILE)
        os.utime(new.fileno(), ns=(found.st_atime_ns, found.st_mtime_ns))


def link(
    names: Iterable[str],
    source: tuple[str, str],
    target: str,
    instead: Instead = copy,
) -> bool:
    """Second names for files of a folder; returns whether no file had to be replaced.

    The source is a root and a folder below it. A name that is taken in the target stays as it is;
    `instead` is called for a file that cannot be linked.
    """
    linked = True
    make_folders(target)
    with opened(*source) as here, opened(target) as there:
        for name in names:
            try:
                os.link(name, name, src_dir_fd=here, dst_dir_fd=there, follow_symlinks=False)
            except FileExistsError:
                continue
            except OSError:
                linked = False
                instead(f"{source[0]}{source[1]}/{name}", f"{target}/{name}")
    return linked


def remove(folder: str, name: str) -> None:
    """Remove a file, if it is there, and the folders that have nothing else in them."""
    with suppress(FileNotFoundError):
        os.unlink(f"{folder}/{name}")
    while name := os.path.dirname(name):
        try:
            os.rmdir(f"{folder}/{name}")
        except OSError:
            return


def by_folder(files: Iterable[str]) -> Folders:
    """Names by the folder that they are in: `blog/x.md` is `x.md` in `/blog`."""
    found: dict[str, list[str]] = {}
    for file in files:
        folder, slash, name = file.rpartition("/")
        found.setdefault(f"/{folder}" if slash else "", []).append(name)
    return found
