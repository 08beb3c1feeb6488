"""Public files of a release are 644 in folders 755, whatever the umask; the rest is private."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from tests.freeze import makers, plain

UMASKS = pytest.mark.parametrize("umask", [0o077, 0o022, 0o000], ids=oct)
PUBLIC = ("public", "errors")


@contextmanager
def under(umask: int) -> Iterator[None]:
    before = os.umask(umask)
    try:
        yield
    finally:
        os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    """The modes of everything below a folder and of itself, but for symbolic links."""
    return {
        str(path.relative_to(folder)): stat.filemode(path.lstat().st_mode)
        for path in (folder, *folder.rglob("*"))
        if not path.is_symlink()
    }


def expected(name: str, mode: str) -> str:
    """The mode of a name in a target."""
    parts = Path(name).parts
    if len(parts) < 3:
        return "drwx--x--x" if mode[0] == "d" else "-rw-------"
    if parts[2] in PUBLIC:
        return "drwxr-xr-x" if mode[0] == "d" else "-rw-r--r--"
    return "-rw-------"


def wrong(target: Path) -> dict[str, str]:
    return {name: mode for name, mode in modes(target).items() if expected(name, mode) != mode}


@UMASKS
def test_modes_do_not_depend_on_the_umask(umask: int, tmp_path: Path) -> None:
    target = tmp_path / "site"
    with under(umask):
        plain.two_releases(target, known=True, sign=lambda sha256: b"A signature.")
        plain.published_ahead(target, *plain.FIRST, sign=lambda sha256: b"A signature.")

    assert wrong(target) == {}


@UMASKS
def test_modes_of_the_whole_site_do_not_depend_on_the_umask(
    umask: int, db: None, tmp_path: Path
) -> None:
    target = tmp_path / "site"
    with under(umask):
        makers.make_site()
        makers.freeze_into(target)
        makers.edit("older", title_en="Another title")
        first = makers.freeze_into(target, makers.LATER, jobs=2).previous
        makers.freeze_into(target, makers.LATER)
        roll_back(Target(target), first)

    assert wrong(target) == {}


@UMASKS
def test_copies_have_the_same_modes_as_links(
    umask: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*names: object, **folders: object) -> None:
        raise PermissionError("Nothing can be linked.")

    monkeypatch.setattr(os, "link", refuse)
    with under(umask):
        plain.two_releases(tmp_path / "site", known=True)

    assert wrong(tmp_path / "site") == {}


def test_a_folder_that_exists_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o750)

    plain.published(tmp_path, *plain.FIRST)

    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o750


def test_releases_that_were_made_under_a_narrow_umask_are_reached(tmp_path: Path) -> None:
    plain.published(tmp_path / "site", *plain.FIRST)
    (tmp_path / "site/releases").chmod(0o700)

    plain.published(tmp_path / "site", *plain.SECOND)

    assert wrong(tmp_path / "site") == {}
