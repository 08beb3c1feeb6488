"""`manage.py freeze TARGET` in a shell, in a deploy job and on a terminal."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.freeze import commands, processes, sites, target_files

GATES = [
    f"  {name}"
    for name in (
        *("files", "contract", "coverage", "links", "hosts", "mirrors", "texts"),
        *("vanished", "deletions", "version"),
    )
]
CONTROL = set(map(chr, range(32))) - {"\n"}


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


@pytest.mark.parametrize("words", [[], ["a", "--what"]], ids=" ".join)
def test_wrong_arguments_are_a_usage_error(words: list[str]) -> None:
    frozen = commands.freeze(*words)

    assert (frozen.returncode, frozen.stdout) == (processes.USAGE, "")
    assert "usage:" in frozen.stderr


def test_the_help_of_freeze_lists_its_exit_codes() -> None:
    done = commands.freeze("--help")

    text = " ".join(done.stdout.split())
    assert done.returncode == 0
    assert "0 published, 3 nothing changed, 1 failed (the published release stays), 2 usage" in text


@pytest.mark.exhaustive("freezes the shipped content by the command")
@pytest.mark.parametrize("colour", [{}, {"FORCE_COLOR": "1"}], ids=["plain", "colour"])
def test_a_pipe_gets_the_report_and_nothing_else(
    colour: dict[str, str], database: Path, target: Path
) -> None:
    frozen = processes.freeze(target, database=database, **colour)

    assert frozen.stderr == ""
    assert not set(frozen.stdout) & CONTROL
    assert frozen.stdout.count("\n") == 1


def test_a_freeze_of_a_database_without_tables_fails_without_a_traceback(tmp_path: Path) -> None:
    frozen = processes.freeze(tmp_path / "site", database=tmp_path / "empty.sqlite3")

    assert frozen.returncode == processes.FAILED
    assert frozen.stderr
    assert "Traceback" not in frozen.stderr


@pytest.mark.exhaustive("freezes the shipped content at a terminal")
def test_progress_is_shown_on_a_terminal_and_erased_at_the_end(
    database: Path, tmp_path: Path
) -> None:
    code, shown, report = at_a_terminal(tmp_path / "site", database)

    assert code == processes.PUBLISHED
    assert " documents" in shown
    assert shown.count("\x1b[2K") > 1
    assert report.startswith("Published ")


def at_a_terminal(target: Path, database: Path) -> tuple[int, str, str]:
    """Exit code, what a terminal shows of standard error, and standard output."""
    terminal, end = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "manage.py", "freeze", str(target)],
        cwd=processes.PROJECT,
        env=processes.environment(database),
        stdout=subprocess.PIPE,
        stderr=end,
        text=True,
    ) as process:
        os.close(end)
        shown = read_to_the_end(terminal)
        report = process.communicate()[0]
    os.close(terminal)
    return process.returncode, shown.decode(), report


def read_to_the_end(terminal: int) -> bytes:
    shown = b""
    try:
        while part := os.read(terminal, 65536):
            shown += part
    except OSError:  # Linux ends a terminal whose other side is closed with EIO.
        pass
    return shown


@pytest.mark.parametrize("target", ["", "  "])
def test_an_empty_target_is_a_usage_error(target: str) -> None:
    done = commands.freeze(target)

    assert done.returncode == processes.USAGE
    assert "the name is empty" in done.stderr
