"""Writing of a host's files into a folder, without those of the run before."""

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from site_mirror.snapshot.files import link_file, open_regular_path

Files = Mapping[str, bytes | Path]
"""The files of a host by name: bytes, or the path of a file to link."""

NAMES_FILE = ".files"
"""The file with the written names, one a line: other files in the folder are never removed."""


def fill_folder(folder: Path, files: Files) -> None:
    """Write the files and remove those of the run before. Raises `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    index = folder / NAMES_FILE
    before = set(index.read_text().splitlines()) if index.exists() else set[str]()
    write_names(folder, before | files.keys())
    for name, content in files.items():
        put_file(folder / name, content)
    for name in before - files.keys():
        (folder / name).unlink(missing_ok=True)
    write_names(folder, files)


def write_names(folder: Path, names: Iterable[str]) -> None:
    put_file(folder / NAMES_FILE, "".join(f"{name}\n" for name in sorted(names)).encode())


def put_file(path: Path, content: bytes | Path) -> None:
    """Replace a file by bytes or a link, which may fail: then the old one stays.

    The old one may be a hard link into a release, so it is not written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    if isinstance(content, bytes):
        new.write_bytes(content)
    else:
        try:
            link_file(content, str(new))
        except OSError:
            # The release is on another file system.
            with open_regular_path(content) as old, new.open("xb") as copy:
                shutil.copyfileobj(old, copy)
    new.replace(path)
    # Of two links to one file, `replace` leaves both.
    new.unlink(missing_ok=True)
