"""Files of a release by the hundred thousand: paths are plain text, which costs least."""

import os
import shutil
from collections.abc import Iterable

NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL

Trace = tuple[int, int]
NOTHING_THERE: Trace = (0, 0)


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
    """A descriptor of a file that was not there before."""
    try:
        return os.open(path, NEW, 0o666)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    except FileExistsError:
        os.unlink(path)
    return os.open(path, NEW, 0o666)


def link(source: str, path: str) -> None:
    """A second name for the same file, or a copy on a file system without such names."""
    try:
        os.link(source, path)
    except FileExistsError:
        return
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        link_or_copy(source, path)
    except OSError:
        shutil.copy2(source, path)


def link_or_copy(source: str, path: str) -> None:
    try:
        os.link(source, path)
    except OSError:
        shutil.copy2(source, path)


def untouched(paths: Iterable[str], since: int) -> bool:
    """Whether all are there and older than a moment, in nanoseconds since 1970."""
    try:
        return all(os.stat(path).st_mtime_ns < since for path in paths)
    except OSError:
        return False


def trace(path: str) -> Trace:
    """Size and moment of the last change in nanoseconds, of a file or of a folder's names."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return NOTHING_THERE
    return found.st_size, found.st_mtime_ns
