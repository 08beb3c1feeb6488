"""A freeze syncs files before it renames: the order of sync, fsync and rename.

The calls of the operating system are recorded as they are made.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from site_mirror.management.backups import write_backup
from site_mirror.management.commands.releases import prune_releases
from site_mirror.snapshot import disks
from site_mirror.snapshot.errors import FreezeError
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from tests.freeze import engine, target_files

Calls = list[tuple[str, ...]]


@contextmanager
def record_calls(target: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Calls]:
    """Record calls with relative paths; `ID` is a release, `.partial` a staging folder."""
    calls: Calls = []

    def name(path: Any) -> str:
        found = Path(f"/proc/self/fd/{path}").readlink() if isinstance(path, int) else Path(path)
        below = found.relative_to(target)
        return "/".join(map(mask_id, below.parts)) or "."

    def record(module: Any, call: str, *, shown_name: str = "") -> None:
        original: Callable[..., Any] = getattr(module, call)

        def recording(*paths: Any, **options: Any) -> Any:
            calls.append((shown_name or call, *map(name, paths)))
            return original(*paths, **options)

        with_patch.setattr(module, call, recording)

    with monkeypatch.context() as with_patch:
        record(disks, "sync_disk", shown_name="syncfs")
        for call in ("fsync", "rename", "replace"):
            record(os, call)
        yield calls


def mask_id(part: str) -> str:
    if part.startswith(".partial-"):
        return ".partial"
    return "ID" if part[:8].isdigit() else part


STAGED_STATE = "releases/.partial/cache/state.json"
STAGING = [("replace", f"{STAGED_STATE}.new", STAGED_STATE)]
"""Nothing else is renamed before the release is on disk."""
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
MARKING = [("replace", "current.back", "deployed"), ("fsync", ".")]


def test_files_are_on_disk_before_their_release_is_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = engine.publish(tmp_path, *engine.FIRST, moment=engine.MOMENT).release

    with record_calls(tmp_path, monkeypatch) as published:
        engine.publish(tmp_path, *engine.SECOND)
    with record_calls(tmp_path, monkeypatch) as rolled_back:
        roll_back(Target(tmp_path), first)
    with record_calls(tmp_path, monkeypatch) as pruned:
        prune_releases(Target(tmp_path), 1, deployed=True)

    removing = ("rename", "releases/ID", "releases/.partial")
    assert published == STAGING + PUBLISHING
    assert rolled_back == SWITCHING + MARKING
    assert pruned == [removing]  # The release is marked already.


@pytest.mark.django_db(transaction=True)
def test_a_backup_is_on_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with record_calls(tmp_path, monkeypatch) as written:
        write_backup(tmp_path / "backup")

    named = ("replace", ".backup.part", "backup")
    assert written == [("fsync", ".backup.part"), named, ("fsync", ".")]


def test_without_syncfs_all_file_systems_are_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced = list[str]()
    monkeypatch.setattr("ctypes.CDLL", lambda *arguments, **options: object())
    monkeypatch.setattr(os, "sync", lambda: synced.append("all"))

    engine.publish(tmp_path, *engine.FIRST)

    assert synced == ["all"]


def test_an_error_that_the_disk_reports_late_fails_the_freeze(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.publish(tmp_path, *engine.FIRST, moment=engine.MOMENT)
    before = target_files.read_published(tmp_path)

    class Failing:
        def syncfs(self, descriptor: int) -> int:
            return -1

    monkeypatch.setattr("ctypes.CDLL", lambda *arguments, **options: Failing())
    monkeypatch.setattr("ctypes.get_errno", lambda: 5)

    with pytest.raises(FreezeError, match="Input/output error"):
        engine.publish(tmp_path, *engine.SECOND)
    assert (target_files.read_published(tmp_path), target_files.find_leftovers(tmp_path)) == (
        before,
        set(),
    )
