"""Reads what a freeze has published in a target."""

from pathlib import Path

from msgspec.structs import replace

from site_mirror.snapshot import manifest
from site_mirror.snapshot.entries import Entry
from site_mirror.snapshot.layout import CACHE, CHECKSUMS, ERRORS, MANIFEST, PUBLIC
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.verify import find_discrepancies, find_files_to_verify

SERVED = (PUBLIC, ERRORS, MANIFEST, CHECKSUMS)
"""The parts of a release that hosts serve or read. All others are for the next freeze only."""


def read_manifest(folder: Path) -> Manifest:
    found = manifest.read_manifest(folder / "current" / MANIFEST)
    if found is None:
        raise AssertionError(f"There is no manifest in {folder}.")
    return found


def read_entries(folder: Path) -> dict[str, Entry]:
    """Return the entry of each address of the current release."""
    return {entry.address: entry for entry in read_manifest(folder).documents}


def without_inputs(entry: Entry) -> Entry:
    """Return an entry without the digest of its inputs: hosts do not serve it."""
    return replace(entry, inputs="")


def read_body(folder: Path, entry: Entry) -> bytes:
    return (folder / "current/public" / entry.file).read_bytes()


def read_tree(folder: Path) -> dict[str, bytes | str]:
    """Return the bytes of every file below a folder, and the target of every symbolic link."""
    return {
        str(path.relative_to(folder)): str(path.readlink())
        if path.is_symlink()
        else path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


def read_published(folder: Path) -> tuple[str, dict[str, bytes | str]]:
    """Return the link to the current release, and the bytes of its files.

    The build cache is left out: it depends on inodes and clocks.
    """
    files = read_tree((folder / "current").resolve())
    return str((folder / "current").readlink()), {
        name: body for name, body in files.items() if not name.startswith(f"{CACHE}/")
    }


def find_differences(one: Path, other: Path) -> set[str]:
    """Return the files that hosts serve or read and that two targets do not have alike."""
    here, there = (read_tree((folder / "current").resolve()) for folder in (one, other))
    return {
        name
        for name in here.keys() | there.keys()
        if name.partition("/")[0] in SERVED and here.get(name) != there.get(name)
    }


def find_leftovers(folder: Path) -> set[str]:
    """Return the names in a target beside its releases, its links and its lock."""
    releases = {path.name for path in (folder / "releases").iterdir()}
    partial = {name for name in releases if not name[0].isdigit()}
    known = {"releases", "current", "deployed", ".lock"}
    return partial | {path.name for path in folder.iterdir()} - known


def list_discrepancies(folder: Path, by: Path | None = None) -> list[str]:
    """Return what differs between files and their manifest."""
    return [str(finding) for finding in find_discrepancies(find_files_to_verify(folder, by))]


def list_releases(folder: Path) -> set[str]:
    return {f"releases/{path.name}" for path in (folder / "releases").iterdir()}
