"""A rollback serves an earlier release again if its files are unchanged."""

import json
from pathlib import Path

import pytest

from site_mirror.snapshot import target as targets
from site_mirror.snapshot.errors import FreezeError
from site_mirror.snapshot.report import Outcome
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from tests.freeze import commands, engine, target_files


def test_a_rollback_serves_the_earlier_release_as_it_was(tmp_path: Path) -> None:
    engine.publish(tmp_path, *engine.FIRST, moment=engine.MOMENT)
    before = target_files.read_published(tmp_path)
    engine.publish(tmp_path, *engine.SECOND)
    later = target_files.read_published(tmp_path)

    done = roll_back(Target(tmp_path), before[0].partition("/")[2])

    assert done
    assert target_files.read_published(tmp_path) == before != later
    assert target_files.find_leftovers(tmp_path) == set()
    assert engine.publish(tmp_path, *engine.SECOND).outcome is Outcome.PUBLISHED
    assert len(target_files.list_releases(tmp_path)) == 3


def test_a_rollback_is_refused_while_a_freeze_is_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(targets, "LOCK_TIMEOUT_SECONDS", 0.1)
    first, second = engine.publish_two_releases(tmp_path)

    with Target(tmp_path).locked(), pytest.raises(FreezeError, match="is at work in"):
        roll_back(Target(tmp_path), first)

    assert target_files.read_published(tmp_path)[0] == f"releases/{second}"


def run_rollback(target: Path, *words: str) -> tuple[int, str, str]:
    done = commands.run("rollback", str(target), *words)
    return done.returncode, done.stdout, done.stderr


def test_the_rollback_command_has_an_exit_code_for_each_outcome(tmp_path: Path) -> None:
    first, second = engine.publish_two_releases(tmp_path)

    done, output, _ = run_rollback(tmp_path, first)
    again, output_again, _ = run_rollback(tmp_path, first)
    nothing, _, error = run_rollback(tmp_path, "../..")
    usage, _, _ = run_rollback(tmp_path)

    assert (done, again, nothing, usage) == (0, 3, 1, 2)
    assert output == f"{tmp_path}/current is release {first} again.\n"
    assert output_again == f"Nothing changed: {first} is the current release.\n"
    assert f"has no release '../..'. It has: {second}, {first}." in error


def test_the_json_report_of_rollback_has_outcome_and_release(tmp_path: Path) -> None:
    first, second = engine.publish_two_releases(tmp_path)
    (tmp_path / "releases" / first / "public/removed.html").unlink()

    refused, why, _ = run_rollback(tmp_path, first, "--json")
    same, output, _ = run_rollback(tmp_path, second, "--json")

    assert (refused, same) == (1, 3)
    assert json.loads(why)["outcome"] == "failed"
    assert "public/removed.html is missing" in json.loads(why)["error"]
    assert json.loads(output) == {"outcome": "unchanged", "release": second}
