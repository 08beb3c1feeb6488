"""`manage.py freeze TARGET` in a shell, in a deploy job and on a terminal."""

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.freeze import commands, processes, sites, target_files

GATES = [
    f"  {name}"
    for name in (
        *("files", "contract", "coverage", "links", "hosts", "mirrors", "texts"),
        *("vanished", "deletions"),
    )
]


def test_the_first_freeze_publishes_and_the_second_changes_nothing(
    database: Path, tmp_path: Path
) -> None:
    target = tmp_path / "site"

    first = processes.freeze(target, database=database)
    second = processes.freeze(target, database=database)

    release = str((target / "current").readlink()).removeprefix("releases/")
    documents = len(target_files.read_entries(target))
    assert (first.returncode, second.returncode) == (processes.PUBLISHED, processes.UNCHANGED)
    assert first.stdout.startswith(
        f"Published {documents} documents as {target}/current (release {release}): "
    )
    assert [line.partition(":")[0] for line in first.stdout.splitlines()[1:]] == GATES
    assert second.stdout == (f"Nothing changed: {documents} documents, release {release} stays.\n")


def test_the_report_in_json_has_the_members_that_deploy_jobs_read(small_site: Path) -> None:
    sites.edit_everything()

    frozen = commands.freeze(str(small_site), "--json")

    report = json.loads(frozen.stdout)
    assert frozen.returncode == processes.PUBLISHED
    assert set(report) == {
        "outcome",
        "release",
        "documents",
        "written",
        "kept",
        "removed",
        "redirects",
        "nextDue",
        "previous",
        "pruned",
        "healed",
        "strange",
        "gates",
        "seconds",
    }
    assert report["outcome"] == "published"
    assert f"releases/{report['release']}" == str((small_site / "current").readlink())
    assert set(report["seconds"]) == {"render", "gates", "publish"}


def test_the_json_report_of_a_failed_freeze_has_its_error(db: None, tmp_path: Path) -> None:
    (tmp_path / "site").write_text("a file")

    frozen = commands.freeze(str(tmp_path / "site"), "--json")

    report = json.loads(frozen.stdout)
    assert frozen.returncode == processes.FAILED
    assert report["outcome"] == "failed"
    assert str(tmp_path / "site") in report["error"]


@pytest.mark.parametrize(
    ("words", "said"),
    [([], "usage:"), (["a", "--what"], "usage:"), ([" "], "the name is empty")],
    ids=" ".join,
)
def test_wrong_arguments_are_a_usage_error(words: list[str], said: str) -> None:
    frozen = commands.freeze(*words)

    assert (frozen.returncode, frozen.stdout) == (processes.USAGE, "")
    assert said in frozen.stderr


@pytest.mark.exhaustive("freezes the shipped content at a terminal")
def test_progress_is_shown_on_a_terminal_only(database: Path, tmp_path: Path) -> None:
    # `script` runs a program at a terminal, of which it prints both streams.
    words = [*processes.PYTHON, "manage.py", "freeze", str(tmp_path / "site")]
    shown = subprocess.run(
        ["script", "--quiet", "--return", "--command", shlex.join(words), "/dev/null"],
        cwd=processes.PROJECT,
        env=processes.environment(database),
        capture_output=True,
        text=True,
        check=True,
    )
    piped = processes.freeze(tmp_path / "other", database=database, FORCE_COLOR="1")

    assert len(re.findall(r"(?m)^\d+ documents$", shown.stdout)) > 1
    assert "Published " in shown.stdout
    assert (piped.stderr, "\x1b" in piped.stdout) == ("", False)


def test_a_freeze_of_a_database_without_tables_fails_without_a_traceback(tmp_path: Path) -> None:
    frozen = processes.freeze(tmp_path / "site", database=tmp_path / "empty.sqlite3")

    assert frozen.returncode == processes.FAILED
    assert frozen.stderr
    assert "Traceback" not in frozen.stderr
