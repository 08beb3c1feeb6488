"""Files of a release by the hundred thousand: paths are plain text, which costs least."""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL

Trace = tuple[int, int]
NOTHING_THERE: Trace = (0, 0)

Folders = Mapping[str, Sequence[str]]
"""Names of files by the folder that they are in."""

Instead = Callable[[str, str], None]
"""From a file that cannot be linked, and the name that it should have."""


def write(path: str, body: bytes) -> None:
    """A new file, never the bytes of another name that it has in an earlier release."""
    descriptor = created(path)
    try:
        written = os.write(descriptor, body)
        while written < len(body):
            written += os.write(descriptor, memoryview(body)[written:])
    finally:
        os.close(descriptor)


def write_over(path: str, body: bytes) -> None:
    """A file that is there as a whole, or as it was."""
    write(f"{path}.new", body)
    os.replace(f"{path}.new", path)


def created(path: str) -> int:
    """A descriptor of a file that was not there before, whatever others link meanwhile."""
    while True:
        try:
            return os.open(path, NEW, 0o666)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        except FileExistsError:
            os.unlink(path)


@contextmanager
def opened(folder: str) -> Iterator[int]:
    """A descriptor of a folder: names below it are found sooner than whole paths."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def copy(source: str, target: str) -> None:
    """The same bytes, of the same moment, under a name that is free; one that is taken stays."""
    with suppress(FileExistsError), open(source, "rb") as old, open(target, "xb") as new:
        shutil.copyfileobj(old, new)
        new.flush()
        found = os.fstat(old.fileno())
        os.fchmod(new.fileno(), found.st_mode)
        os.utime(new.fileno(), ns=(found.st_atime_ns, found.st_mtime_ns))


def link(
    names: Iterable[str],
    source: str,
    target: str,
    instead: Instead = copy,
) -> None:
    """Second names for files of a folder; where there is no such name, what is done `instead`.

    A name that is taken in the target stays as it is.
    """
    os.makedirs(target, exist_ok=True)
    with opened(source) as here, opened(target) as there:
        for name in names:
            try:
                os.link(name, name, src_dir_fd=here, dst_dir_fd=there)
            except FileExistsError:
                continue
            except OSError:
                instead(f"{source}/{name}", f"{target}/{name}")


def remove(folder: str, name: str) -> None:
    """Remove a file, if it is there, and the folders that have nothing else in them."""
    with suppress(FileNotFoundError):
        os.unlink(f"{folder}/{name}")
    while name := os.path.dirname(name):
        try:
            os.rmdir(f"{folder}/{name}")
        except OSError:
            return


def untouched(names: Iterable[str], folder: str, since: int) -> bool:
    """Whether all are there and older than a moment, in nanoseconds since 1970."""
    try:
        with opened(folder) as here:
            return all(os.stat(name, dir_fd=here).st_mtime_ns < since for name in names)
    except OSError:
        return False


def by_folder(files: Iterable[str]) -> Folders:
    """Names by the folder that they are in: `blog/x.md` is `x.md` in `/blog`."""
    found: dict[str, list[str]] = {}
    for file in files:
        folder, slash, name = file.rpartition("/")
        found.setdefault(f"/{folder}" if slash else "", []).append(name)
    return found


def trace(path: str) -> Trace:
    """Size and moment of the last change in nanoseconds, of a file or of a folder's names."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return NOTHING_THERE
    return found.st_size, found.st_mtime_ns
