"""A host's files in a folder: written or linked, and those of the run before that are no more."""

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from site_mirror.snapshot.files import link_file, reading_whole

Files = Mapping[str, bytes | Path]
"""What a host consists of: content by name, or a file that already lies somewhere."""

INDEX = ".files"
"""The names that were written, one a line: nothing else in the folder is ever removed."""


def fill(folder: Path, files: Files) -> None:
    """Make the folder hold these files. Raises `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    before = listed(folder)
    note(folder, before | files.keys())
    for name, content in files.items():
        put(folder / name, content)
    for name in before - files.keys():
        (folder / name).unlink(missing_ok=True)
    note(folder, files)


def listed(folder: Path) -> set[str]:
    index = folder / INDEX
    return set(index.read_text().splitlines()) if index.exists() else set()


def note(folder: Path, names: Iterable[str]) -> None:
    (folder / INDEX).write_text("".join(f"{name}\n" for name in sorted(names)))


def put(path: Path, content: bytes | Path) -> None:
    """A file of its own: what was there may be a link to a file of a release."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        link(content, path)


def link(source: Path, path: Path) -> None:
    """Hard-link a regular file, or copy it to another file system."""
    try:
        link_file(source, str(path))
    except OSError:
        with reading_whole(source) as old, path.open("xb") as new:
            shutil.copyfileobj(old, new)
