"""A target lists its releases, prunes old ones and serves earlier ones again."""

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from site_mirror.snapshot import releases
from site_mirror.snapshot import target as targets
from site_mirror.snapshot.errors import FreezeError
from site_mirror.snapshot.report import Outcome
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from tests.freeze import commands, engine, processes, target_files
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
    damaged = "20250101T000000Z-00000000"
    (tmp_path / "releases" / damaged).mkdir()

    done = commands.run("releases", str(tmp_path), "--json")

    def describe(name: str, moment: str, *, current: bool) -> dict[str, Any]:
        public = tmp_path / "releases" / name / "public"
        size = sum(path.stat().st_size for path in public.rglob("*.*"))
        shown = {"id": name, "moment": moment, "documents": 4, "size": size, "current": current}
        return shown | {"fault": ""}

    *listed, broken = json.loads(done.stdout)["releases"]
    assert listed == [
        describe(second, "2026-01-02T00:00:00Z", current=True),
        describe(first, "2026-01-01T00:00:00Z", current=False),
    ]
    assert (broken["id"], broken["fault"]) == (damaged, "manifest.jsonl is missing or not whole")


def test_folders_that_are_not_releases_are_neither_listed_nor_removed(tmp_path: Path) -> None:
    engine.publish_two_releases(tmp_path)
    strangers = ["mine", "20269999T000000Z-00000000", "20260101T000000Z", "lost+found"]
    for name in strangers:
        (tmp_path / "releases" / name).mkdir()

    commands.run("releases", str(tmp_path), "--keep", "1")

    assert len(list_ids(tmp_path)) == 1
    assert all((tmp_path / "releases" / name).is_dir() for name in strangers)


def test_the_current_and_the_deployed_release_stay_even_if_they_are_the_oldest(
    tmp_path: Path,
) -> None:
    *_, second, first = publish_four_releases(tmp_path)
    roll_back(Target(tmp_path), first)
    commands.run("releases", str(tmp_path), "--keep", "2")
    newest, oldest = list_ids(tmp_path)

    roll_back(Target(tmp_path), newest)
    published = engine.publish(tmp_path, make_document("/", b"Another")).release
    commands.run("releases", str(tmp_path), "--keep", "1")

    assert (oldest, second in (newest, oldest)) == (first, False)
    assert list_ids(tmp_path) == [published, newest]


def test_a_release_that_was_never_deployed_goes_when_a_later_one_is(tmp_path: Path) -> None:
    good = publish_four_releases(tmp_path)
    marked = commands.run("releases", str(tmp_path), "--deployed")
    os.utime(tmp_path / "deployed", (0, 0), follow_symlinks=False)  # The clock of files is coarse.
    for text in (b"Refused", b"Refused again"):
        engine.publish(tmp_path, make_document("/", text))
        roll_back(Target(tmp_path), good[0])
    left = engine.publish(tmp_path, make_document("/", b"Left by a job that was killed")).release
    served = engine.publish(tmp_path, make_document("/", b"Good")).release

    done = commands.run("releases", str(tmp_path), "--deployed", "--keep", "3", "--json")

    assert (marked.returncode, done.returncode) == (0, 0)
    assert (tmp_path / "deployed").resolve().name == served
    assert list_ids(tmp_path) == [served, *good[:2]]
    pruned = json.loads(done.stdout)["pruned"]
    assert (pruned[0], pruned[3:], len(pruned)) == (left, good[2:], 5)


def test_a_release_from_which_the_site_went_back_stays(tmp_path: Path) -> None:
    made = publish_four_releases(tmp_path)
    for release in made[:-1]:
        os.utime(tmp_path / "releases" / release, (0, 0))
    roll_back(Target(tmp_path), made[-1])
    refused = engine.publish(tmp_path, make_document("/", b"Refused")).release
    os.utime(tmp_path / "releases" / refused)
    served = engine.publish(tmp_path, make_document("/", b"Good")).release

    commands.run("releases", str(tmp_path), "--deployed")

    assert list_ids(tmp_path) == [served, *made]


def test_releases_are_in_the_order_in_which_they_were_published(tmp_path: Path) -> None:
    """Not in that of their moments: a clock may have been ahead, or stands still."""
    years = (2099, 2026, 2027, 2027, 2026, 2098, 2026, 2026, 2026, 2026, 2026)
    old = tmp_path / "releases/20990101T000000Z-00000000"
    old.mkdir(parents=True)
    made = [
        engine.publish(
            tmp_path,
            make_document("/", b"%d" % (number % 2)),
            moment=datetime(year, 1, 1, tzinfo=UTC),
        ).release
        for number, year in enumerate(years)
    ]

    assert list_ids(tmp_path) == [*made[::-1], old.name]
    assert len(set(made)) == len(years)
    for left in (10, 2, 1):
        commands.run("releases", str(tmp_path), "--keep", str(left))
        assert list_ids(tmp_path) == made[::-1][:left]


def test_the_releases_command_lists_and_prunes(tmp_path: Path) -> None:
    made = publish_four_releases(tmp_path)

    listed = commands.run("releases", str(tmp_path))
    in_json = commands.run("releases", str(tmp_path), "--json", "--keep", "3")
    kept = commands.run("releases", str(tmp_path), "--keep", "2")

    assert (listed.returncode, in_json.returncode, kept.returncode) == (0, 0, 0)
    assert [line.split()[0] for line in listed.stdout.splitlines()] == made
    assert listed.stdout.splitlines()[0].endswith("  1 documents, 0.0 MB  current")
    assert json.loads(in_json.stdout)["pruned"] == made[3:]
    assert kept.stdout.splitlines()[2:] == [f"{made[2]}  removed"]
    assert list_ids(tmp_path) == made[:2]


def test_a_rollback_serves_the_earlier_release_as_it_was(tmp_path: Path) -> None:
    engine.publish(tmp_path, *engine.FIRST, moment=engine.MOMENT)
    before = target_files.read_published(tmp_path)
    engine.publish(tmp_path, *engine.SECOND)
    first = before[0].partition("/")[2]

    done = commands.run("rollback", str(tmp_path), first)
    again = commands.run("rollback", str(tmp_path), first, "--json")

    assert (done.returncode, again.returncode) == (0, 3)
    assert done.stdout == f"{tmp_path}/current is release {first} again.\n"
    assert json.loads(again.stdout) == {"outcome": "unchanged", "release": first}
    assert target_files.read_published(tmp_path) == before
    assert target_files.find_leftovers(tmp_path) == set()
    assert engine.publish(tmp_path, *engine.SECOND).outcome is Outcome.PUBLISHED
    assert len(list_ids(tmp_path)) == 3


FAILURES = [
    ("releases SITE --keep 0", processes.USAGE, "'0' is not a whole number above 0: use 1 or more"),
    ("releases SITE --what", processes.USAGE, "unrecognized arguments"),
    ("releases NOTHING", processes.FAILED, "holds no release"),
    ("rollback SITE", processes.USAGE, "the following arguments are required"),
    ("rollback SITE ../..", processes.FAILED, "has no release '../..'. It has: SECOND, FIRST."),
    ("rollback SITE FIRST", processes.FAILED, "FIRST is not as it was published: public/removed"),
    ("rollback NOTHING x", processes.FAILED, "has no release 'x'. It has: none."),
]


@pytest.mark.parametrize(("words", "code", "said"), FAILURES)
def test_a_command_that_fails_says_why_and_changes_nothing(
    words: str, code: int, said: str, tmp_path: Path
) -> None:
    first, second = engine.publish_two_releases(tmp_path / "site")
    (tmp_path / "site/releases" / first / "public/removed.html").unlink()
    names = {"SITE": f"{tmp_path}/site", "NOTHING": f"{tmp_path}/nothing", "FIRST": first}
    before = target_files.read_tree(tmp_path)

    done = commands.run(*(names.get(word, word) for word in words.split()))

    for word, name in (names | {"SECOND": second}).items():
        said = said.replace(word, name)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
    assert target_files.read_tree(tmp_path).keys() == before.keys()


def test_a_rollback_is_refused_while_a_freeze_is_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(targets, "LOCK_TIMEOUT_SECONDS", 0.1)
    first, second = engine.publish_two_releases(tmp_path)

    with Target(tmp_path).locked(), pytest.raises(FreezeError, match="is at work in"):
        roll_back(Target(tmp_path), first)

    assert target_files.read_published(tmp_path)[0] == f"releases/{second}"
