"""A target lists its releases and prunes old ones."""

import json
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from site_mirror.snapshot import releases
from site_mirror.snapshot.report import Outcome
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from tests.freeze import commands, engine, processes
from tests.freeze.engine import make_document

DAYS = [engine.MOMENT + timedelta(days=day) for day in range(4)]


def publish_four_releases(target: Path) -> list[str]:
    """Publish four releases and return their ids, the newest and current one first."""
    made = [
        engine.publish(target, make_document("/", f"Day {day}".encode()), moment=moment).release
        for day, moment in enumerate(DAYS)
    ]
    return made[::-1]


def list_ids(target: Path) -> list[str]:
    return [release.id for release in releases.list_releases(Target(target))]


def test_releases_are_listed_newest_first_with_what_they_hold(tmp_path: Path) -> None:
    first, second = engine.publish_two_releases(tmp_path)
    (tmp_path / "releases/20250101T000000Z-00000000").mkdir()

    *listed, damaged = list(releases.list_releases(Target(tmp_path)))

    sizes = [
        sum(path.stat().st_size for path in (tmp_path / "releases" / name / "public").rglob("*.*"))
        for name in (second, first)
    ]
    assert [(found.id, found.moment, found.documents, found.current) for found in listed] == [
        (second, "2026-01-02T00:00:00Z", 4, True),
        (first, "2026-01-01T00:00:00Z", 4, False),
    ]
    assert [found.size for found in listed] == sizes
    assert [found.fault for found in listed] == ["", ""]
    assert damaged.fault == "manifest.jsonl is missing or not whole"


def test_folders_that_are_not_releases_are_neither_listed_nor_removed(tmp_path: Path) -> None:
    engine.publish_two_releases(tmp_path)
    strangers = ["mine", "20269999T000000Z-00000000", "20260101T000000Z", "lost+found"]
    for name in strangers:
        (tmp_path / "releases" / name).mkdir()

    engine.publish(tmp_path, make_document("/", b"Another"), keep=1)

    assert len(list_ids(tmp_path)) == 1
    assert all((tmp_path / "releases" / name).is_dir() for name in strangers)


@pytest.mark.parametrize(
    ("options", "left"),
    [({}, 4), ({"keep": 1, "dry_run": True}, 4), ({"keep": 9}, 4), ({"keep": 3}, 3)],
    ids=str,
)
def test_a_freeze_that_publishes_nothing_keeps_the_requested_number_of_releases(
    options: dict[str, Any], left: int, tmp_path: Path
) -> None:
    made = publish_four_releases(tmp_path)

    report = engine.publish(tmp_path, make_document("/", b"Day 3"), **options)

    assert (report.outcome, list_ids(tmp_path)) == (Outcome.UNCHANGED, made[:left])
    assert sorted(report.pruned) == sorted(made[left:])


def test_the_current_release_stays_even_if_it_is_the_oldest(tmp_path: Path) -> None:
    *_, oldest = publish_four_releases(tmp_path)
    roll_back(Target(tmp_path), oldest)

    report = engine.publish(tmp_path, make_document("/", b"Day 0"), keep=1)

    assert (report.outcome, list_ids(tmp_path)) == (Outcome.UNCHANGED, [oldest])


def test_releases_of_one_moment_are_ordered_by_when_they_were_written(tmp_path: Path) -> None:
    made = [
        engine.publish(tmp_path, make_document("/", body), moment=engine.MOMENT).release
        for body in (b"one", b"two", b"one")
    ]

    assert list_ids(tmp_path) == made[::-1]
    assert len(set(made)) == 3


def run_releases(target: Path, *options: str) -> tuple[int, str, str]:
    done = commands.run("releases", str(target), *options)
    return done.returncode, done.stdout, done.stderr


def test_the_releases_command_lists_and_prunes(tmp_path: Path) -> None:
    made = publish_four_releases(tmp_path)

    code, output, _ = run_releases(tmp_path)
    in_json, output_in_json, _ = run_releases(tmp_path, "--json", "--keep", "3")
    kept, output_of_keep, _ = run_releases(tmp_path, "--keep", "2")

    assert (code, in_json, kept) == (0, 0, 0)
    assert [line.split()[0] for line in output.splitlines()] == made
    assert output.splitlines()[0].endswith("  1 documents, 0.0 MB  current")
    found = json.loads(output_in_json)
    assert [release["id"] for release in found["releases"]] == made[:3]
    assert found["pruned"] == made[3:]
    assert set(found["releases"][0]) == {"id", "moment", "documents", "size", "current", "fault"}
    assert output_of_keep.splitlines()[2:] == [f"{made[2]}  removed"]
    assert list_ids(tmp_path) == made[:2]


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--keep", "0"], processes.USAGE, "'0' is not a whole number above 0: use 1 or more"),
        (["--keep", "all"], processes.USAGE, "use 1 or more"),
        (["--what"], processes.USAGE, "unrecognized arguments"),
        ([], processes.FAILED, "holds no release"),
    ],
    ids=str,
)
def test_the_releases_command_reports_why_it_failed(
    options: list[str], code: int, said: str, tmp_path: Path
) -> None:
    status, _, error = run_releases(tmp_path, *options)

    assert (status, said in error) == (code, True)
    assert list(tmp_path.iterdir()) == []


def test_a_release_that_cannot_be_removed_does_not_undo_the_freeze(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.publish_two_releases(tmp_path)
    real = shutil.rmtree

    def refusing(path: Path, ignore_errors: bool = False) -> None:
        if not ignore_errors:
            raise PermissionError(13, "Permission denied", str(path))
        real(path, ignore_errors=True)

    monkeypatch.setattr(shutil, "rmtree", refusing)
    report = engine.publish(tmp_path, make_document("/new"), keep=1)

    assert (report.outcome, report.pruned) == (Outcome.PUBLISHED, ())
