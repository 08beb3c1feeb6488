"""The exit codes and the output of `manage.py rollback`."""

import json
from pathlib import Path

from tests.freeze import commands, engine


def run_rollback(target: Path, *words: str) -> tuple[int, str, str]:
    done = commands.run("rollback", str(target), *words)
    return done.returncode, done.stdout, done.stderr


def test_the_rollback_command_has_an_exit_code_for_each_outcome(tmp_path: Path) -> None:
    first, _ = engine.publish_two_releases(tmp_path)

    done, output, _ = run_rollback(tmp_path, first)
    again, output_again, _ = run_rollback(tmp_path, first)
    nothing, _, error = run_rollback(tmp_path, "nope")
    usage, _, _ = run_rollback(tmp_path)

    assert (done, again, nothing, usage) == (0, 3, 1, 2)
    assert output == f"{tmp_path}/current is release {first} again.\n"
    assert output_again == f"Nothing changed: {first} is the current release.\n"
    assert "has no release 'nope'" in error


def test_the_json_report_of_rollback_has_outcome_and_release(tmp_path: Path) -> None:
    first, second = engine.publish_two_releases(tmp_path)
    (tmp_path / "releases" / first / "public/removed.html").unlink()

    refused, why, _ = run_rollback(tmp_path, first, "--json")
    same, output, _ = run_rollback(tmp_path, second, "--json")

    assert (refused, same) == (1, 3)
    assert json.loads(why)["outcome"] == "failed"
    assert "public/removed.html is missing" in json.loads(why)["error"]
    assert json.loads(output) == {"outcome": "unchanged", "release": second}


def test_a_rollback_does_not_create_a_missing_target(tmp_path: Path) -> None:
    code, _, error = run_rollback(tmp_path / "site", "nope")

    assert (code, "has no release 'nope'. It has: none." in error) == (1, True)
    assert list(tmp_path.iterdir()) == []
