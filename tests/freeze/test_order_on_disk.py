"""What is on disk before a name changes: the order of sync, fsync and rename.

The calls of the operating system are recorded as they are made.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from site_mirror.snapshot import disks
from site_mirror.snapshot.errors import TargetUnusable
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from tests.freeze import makers, plain

Calls = list[tuple[str, ...]]


@contextmanager
def recorded(target: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Calls]:
    """Calls with paths below a target; `ID` is a release, `.partial` a staged one."""
    calls: Calls = []

    def name(path: Any) -> str:
        found = Path(f"/proc/self/fd/{path}").readlink() if isinstance(path, int) else Path(path)
        below = found.relative_to(target)
        return "/".join(map(anonymous, below.parts)) or "."

    def record(module: Any, call: str, *, told: str = "") -> None:
        original: Callable[..., Any] = getattr(module, call)

        def recording(*paths: Any, **options: Any) -> Any:
            calls.append((told or call, *map(name, paths)))
            return original(*paths, **options)

        with_patch.setattr(module, call, recording)

    with monkeypatch.context() as with_patch:
        record(disks, "sync", told="syncfs")
        for call in ("sync", "fsync", "rename", "replace", "symlink"):
            if call != "symlink":
                record(os, call)
        yield calls


def anonymous(part: str) -> str:
    if part.startswith(".partial-"):
        return ".partial"
    return "ID" if part[:8].isdigit() else part


PUBLISHING = [
    ("syncfs", "."),
    ("fsync", "releases/.partial/manifest.jsonl"),
    ("fsync", "releases/.partial"),
    ("rename", "releases/.partial", "releases/ID"),
    ("fsync", "releases"),
    ("replace", "current.new", "current"),
    ("fsync", "."),
]
SWITCHING = [("replace", "current.back", "current"), ("fsync", ".")]
STATE = [("replace", ".checked.new", ".checked")]


def test_a_release_is_on_disk_before_it_is_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain.published(tmp_path, *plain.FIRST, moment=plain.MOMENT)

    with recorded(tmp_path, monkeypatch) as calls:
        plain.published(tmp_path, *plain.SECOND)

    assert calls == PUBLISHING + STATE


def test_a_release_loses_its_name_before_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain.published(tmp_path, *plain.FIRST, moment=plain.MOMENT)

    with recorded(tmp_path, monkeypatch) as calls:
        plain.published(tmp_path, *plain.SECOND, keep=1)

    assert calls == [*PUBLISHING, ("rename", "releases/ID", "releases/.partial"), *STATE]


def test_a_rollback_is_one_rename_that_lasts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = plain.two_releases(tmp_path)

    with recorded(tmp_path, monkeypatch) as calls:
        roll_back(Target(tmp_path), first)

    assert calls == SWITCHING + STATE


def test_without_syncfs_all_file_systems_are_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ctypes.CDLL", lambda *arguments, **options: object())

    with recorded(tmp_path, monkeypatch) as calls:
        plain.published(tmp_path, *plain.FIRST)

    assert calls == [PUBLISHING[0], ("sync",), *PUBLISHING[1:], *STATE]


def test_an_error_that_the_disk_reports_late_fails_the_freeze(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The call itself fails as it does for a disk that could not write: see `test_late_errors`."""
    plain.published(tmp_path, *plain.FIRST, moment=plain.MOMENT)
    before = makers.published(tmp_path)

    class Failing:
        def syncfs(self, descriptor: int) -> int:
            return -1

    monkeypatch.setattr("ctypes.CDLL", lambda *arguments, **options: Failing())
    monkeypatch.setattr("ctypes.get_errno", lambda: 5)

    with pytest.raises(TargetUnusable, match="Input/output error"):
        plain.published(tmp_path, *plain.SECOND)
    assert (makers.published(tmp_path), makers.leftovers(tmp_path)) == (before, set())
