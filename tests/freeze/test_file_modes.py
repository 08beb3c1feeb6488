"""Public files of a release are 644 in folders 755, whatever the umask; the rest is private."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.freeze import engine

UMASKS = pytest.mark.parametrize("umask", [0o077, 0o022, 0o000], ids=oct)
PUBLIC = ("public", "errors")


@contextmanager
def with_umask(umask: int) -> Iterator[None]:
    before = os.umask(umask)
    try:
        yield
    finally:
        os.umask(before)


def read_modes(folder: Path) -> dict[str, str]:
    """Return the mode of a folder and of everything in it except symbolic links."""
    return {
        str(path.relative_to(folder)): stat.filemode(path.lstat().st_mode)
        for path in (folder, *folder.rglob("*"))
        if not path.is_symlink()
    }


def find_expected_mode(name: str, mode: str) -> str:
    """Return the mode that a path in a target must have."""
    parts = Path(name).parts
    if len(parts) < 3:
        return "drwx--x--x" if mode[0] == "d" else "-rw-------"
    if parts[2] in PUBLIC:
        return "drwxr-xr-x" if mode[0] == "d" else "-rw-r--r--"
    return "drwx------" if mode[0] == "d" else "-rw-------"


def find_wrong_modes(target: Path) -> dict[str, str]:
    return {
        name: mode
        for name, mode in read_modes(target).items()
        if find_expected_mode(name, mode) != mode
    }


@UMASKS
def test_modes_do_not_depend_on_the_umask(umask: int, tmp_path: Path) -> None:
    target = tmp_path / "site"
    with with_umask(umask):
        engine.publish_two_releases(target, with_digests=True)
        engine.publish(target, *engine.FIRST, with_digests=True)

    assert find_wrong_modes(target) == {}


@UMASKS
def test_copies_have_the_same_modes_as_links(
    umask: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*names: object, **folders: object) -> None:
        raise PermissionError("Nothing can be linked.")

    monkeypatch.setattr(os, "link", refuse)
    with with_umask(umask):
        engine.publish_two_releases(tmp_path / "site", with_digests=True)

    assert find_wrong_modes(tmp_path / "site") == {}
