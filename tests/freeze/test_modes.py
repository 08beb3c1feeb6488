"""The options `--check` and `--as-of`, and the exit codes."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from catalogue.models import Post
from site_mirror.management.commands.freeze import parse_moment
from tests.freeze import commands, processes, sites, target_files


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
    assert "falls due at 2099-01-01T00:00:00Z." in commands.freeze(str(tmp_path / "now")).stdout
    moments = {each.generated_at for found in entries.values() for each in found.values()}
    assert max(moments) < "2098"
    assert [report["asOf"] for report in reports.values()] == list(frozen)


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
