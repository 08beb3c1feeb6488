"""The options `--check` and `--as-of`, and the exit codes."""

import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from catalogue.models import Post
from site_mirror.management.commands.freeze import parse_moment
from site_mirror.snapshot.candidate import Candidate
from site_mirror.snapshot.errors import FreezeError, GatesFailed, NotRendered
from site_mirror.snapshot.verdicts import Verdict, count_failures
from tests.freeze import commands, engine, processes, sites, target_files

SCHEDULED = "2099-01-01 00:00:00"
LINKING = (
    ("catalogue_post", "body_en"),
    ("catalogue_post", "body_vi"),
    ("catalogue_page", "body_en"),
    ("catalogue_page", "body_vi"),
    ("catalogue_timelinelink", "href"),
)
"""Columns that may link to posts."""
LAST_POST = "(SELECT MAX(id) FROM catalogue_post)"


def schedule_a_post(database: Path) -> str:
    """Schedule a post that no text links to, and return its address."""
    with processes.open_database(database) as connection:
        connection.execute(
            f"UPDATE catalogue_post SET publish_at = '{SCHEDULED}' WHERE id = {LAST_POST}"  # noqa: S608
        )
        slug = connection.execute(f"SELECT slug FROM catalogue_post WHERE id = {LAST_POST}")  # noqa: S608
        address = f"/blog/{slug.fetchone()[0]}"
        for table, column in LINKING:
            change = f"UPDATE {table} SET {column} = replace({column}, ?, '/blog')"  # noqa: S608
            connection.execute(change, [address])
        return address


def make_site_with_scheduled_post() -> None:
    sites.make_site()
    Post.objects.filter(slug="newer").update(publish_at="2099-01-01T00:00:00Z")


def test_the_option_check_publishes_nothing_and_reports_as_a_freeze(small_site: Path) -> None:
    target = small_site
    before = target_files.read_published(target)
    unchanged = commands.freeze(str(target), "--check")
    sites.edit_everything()

    checked = commands.freeze(str(target), "--check")

    assert (unchanged.returncode, checked.returncode) == (processes.UNCHANGED, processes.PUBLISHED)
    release = before[0].removeprefix("releases/")
    assert checked.stdout.startswith(f"Nothing was published, and release {release} stays. ")
    assert (target_files.read_published(target), target_files.find_leftovers(target)) == (
        before,
        set(),
    )
    assert target_files.list_releases(target) == {before[0]}


def test_a_check_of_the_first_release_leaves_no_release(db: None, tmp_path: Path) -> None:
    sites.make_site()
    checked = commands.freeze(str(tmp_path / "site"), "--check", "--json")

    report = json.loads(checked.stdout)
    assert (checked.returncode, report["outcome"], report["release"]) == (0, "checked", "")
    assert list((tmp_path / "site/releases").iterdir()) == []
    assert not (tmp_path / "site/current").exists()


def refuse(document: object, generated_at: str) -> None:
    raise NotRendered("/bad", "its title is too short")


class ClosedGates(engine.OpenGates):
    """Gates that refuse every release."""

    def conclude(self, candidate: Candidate) -> list[Verdict]:
        return [count_failures(["/bad is refused."]).verdict("contract", "documents", 1)]


@pytest.mark.parametrize(
    ("gates", "error"),
    [(engine.OpenGates(refuse), NotRendered), (ClosedGates(), GatesFailed)],
    ids=["a document", "the release"],
)
def test_a_check_fails_where_a_freeze_would(
    gates: engine.OpenGates, error: type[FreezeError], tmp_path: Path
) -> None:
    with pytest.raises(error):
        engine.publish(tmp_path, engine.make_document("/bad"), gates=gates, dry_run=True)

    assert list((tmp_path / "releases").iterdir()) == []


def test_as_of_a_moment_the_site_is_as_it_will_be(db: None, tmp_path: Path) -> None:
    make_site_with_scheduled_post()
    frozen = {
        when: commands.freeze(str(tmp_path / when), "--as-of", when, "--json")
        for when in ("2098-12-31T23:59:59Z", "2099-01-01T00:00:00Z")
    }

    entries = {when: target_files.read_entries(tmp_path / when) for when in frozen}
    reports = {when: json.loads(done.stdout) for when, done in frozen.items()}
    assert ["/blog/newer" in each for each in entries.values()] == [False, True]
    assert [report["nextDue"] for report in reports.values()] == ["2099-01-01T00:00:00Z", None]
    assert [report["asOf"] for report in reports.values()] == list(frozen)


def test_documents_of_another_moment_have_the_time_of_the_freeze(
    db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    sites.make_site()
    commands.freeze(str(tmp_path), "--as-of", "2099-01-01T00:00:00Z")

    moments = {entry.generated_at for entry in target_files.read_entries(tmp_path).values()}
    assert moments == {"2026-01-01T00:00:00Z"}


def test_the_report_says_when_the_next_content_falls_due(db: None, tmp_path: Path) -> None:
    make_site_with_scheduled_post()

    first = commands.freeze(str(tmp_path / "site"))
    again = commands.freeze(str(tmp_path / "site"))

    due = "The next scheduled content falls due at 2099-01-01T00:00:00Z.\n"
    assert (due in first.stdout, again.stdout.endswith(due)) == (True, True)
    assert (first.returncode, again.returncode) == (0, 3)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2027-01-31", datetime(2027, 1, 30, 17, tzinfo=UTC)),
        ("2027-01-31T09:00", datetime(2027, 1, 31, 2, tzinfo=UTC)),
        ("2027-01-31T09:00:00Z", datetime(2027, 1, 31, 9, tzinfo=UTC)),
        ("2027-01-31T09:00:00+02:00", datetime(2027, 1, 31, 7, tzinfo=UTC)),
    ],
)
def test_a_moment_is_the_studios_unless_it_names_a_zone(text: str, found: datetime) -> None:
    assert parse_moment(text) == found


@pytest.mark.parametrize(
    "words",
    [
        ["--as-of", ""],
        ["--as-of", "soon"],
        ["--as-of", "2027-02-30"],
        ["--as-of", "2027-01-31T25:00"],
        ["--as-of", "99999-01-01"],
        ["--as-of", "0001-01-01"],
        ["--as-of", "9999-12-31T23:59:59Z"],
        ["--as-of", "9999-12-31T23:59:59-12:00"],
        ["--keep", "0"],
        ["--keep", "-1"],
        ["--keep", "two"],
        ["--check", "--diff"],
    ],
    ids=" ".join,
)
def test_wrong_options_are_a_usage_error(words: list[str], tmp_path: Path) -> None:
    done = commands.freeze(str(tmp_path / "site"), *words)

    assert (done.returncode, done.stdout) == (processes.USAGE, "")
    assert "error: argument" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "site").exists()


SCRIPT = """
freeze() { "$PYTHON" manage.py freeze "$@" >/dev/null 2>&1; echo $?; }
freeze "$TARGET"
freeze "$TARGET"
freeze "$TARGET" --check
freeze /dev/null/site
freeze
freeze "$TARGET" --as-of 2099-01-02 --diff
set -e
"$PYTHON" manage.py freeze "$TARGET" >/dev/null || case $? in 3) echo go on;; *) exit 1;; esac
"$PYTHON" manage.py snapshot verify "$TARGET" >/dev/null && echo verified
"$PYTHON" manage.py rollback "$TARGET" nope 2>/dev/null || echo refused $?
"$PYTHON" manage.py releases "$TARGET" --keep 1 >/dev/null && echo kept
"""


@pytest.mark.exhaustive("runs ten commands on the shipped content in a shell")
def test_a_shell_script_can_branch_on_the_exit_codes(database: Path, tmp_path: Path) -> None:
    schedule_a_post(database)
    names = {"PYTHON": processes.PYTHON[0], "TARGET": str(tmp_path / "site")}

    done = subprocess.run(
        ["sh", "-c", SCRIPT],
        cwd=processes.PROJECT,
        env=processes.environment(database, **names),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout.splitlines() == [
        *("0", "3", "3", "1", "2", "0"),
        *("go on", "verified", "refused 1", "kept"),
    ]
    assert done.returncode == 0
