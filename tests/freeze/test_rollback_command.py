"""`manage.py rollback` as a shell sees it."""

import json
from pathlib import Path

from tests.freeze import plain, processes


def command(target: Path, *words: str) -> tuple[int, str, str]:
    done = processes.run("manage.py", "rollback", str(target), *words, database=target / "none")
    return done.returncode, done.stdout, done.stderr


def test_the_command_tells_what_it_did_by_its_exit_code(tmp_path: Path) -> None:
    first, _ = plain.two_releases(tmp_path)

    done, told, _ = command(tmp_path, first)
    again, told_again, _ = command(tmp_path, first)
    nothing, _, error = command(tmp_path, "nope")
    usage, _, _ = command(tmp_path)

    assert (done, again, nothing, usage) == (0, 3, 1, 2)
    assert told == f"{tmp_path}/current is release {first} again.\n"
    assert told_again == f"Nothing changed: {first} is the current release.\n"
    assert "has no release 'nope'" in error


def test_the_command_tells_in_json(tmp_path: Path) -> None:
    first, second = plain.two_releases(tmp_path)
    (tmp_path / "releases" / first / "public/removed.html").unlink()

    refused, why, _ = command(tmp_path, first, "--json")
    same, told, _ = command(tmp_path, second, "--json")

    assert (refused, same) == (1, 3)
    assert json.loads(why)["outcome"] == "failed"
    assert "public/removed.html is missing" in json.loads(why)["error"]
    assert json.loads(told) == {"outcome": "unchanged", "release": second}


def test_nothing_is_made_where_there_is_no_target(tmp_path: Path) -> None:
    code, _, error = command(tmp_path / "site", "nope")

    assert (code, "has no release 'nope'. It has: none." in error) == (1, True)
    assert list(tmp_path.iterdir()) == []
