"""Leftovers in a target are removed by the next freeze, even if it publishes nothing."""

from pathlib import Path

import pytest
from django.core.management import call_command

from site_mirror.snapshot.target import Target
from tests.freeze import file_damages, sites, target_files
from tests.freeze.frozen_copies import CopySite


@pytest.fixture
def two_releases(copy_site: CopySite) -> Path:
    """A target with two releases, the last of which is up to date."""
    return copy_site(freeze_twice)


def freeze_twice(target: Path) -> None:
    sites.make_site()
    sites.freeze_into(target)
    sites.edit_post("older", title_en="Another title")
    sites.freeze_into(target, sites.LATER)


def freeze_again(target: Path, *options: str) -> int:
    """Freeze by the command and return the exit code."""
    try:
        call_command("freeze", str(target), "--jobs", "1", *options)
    except SystemExit as end:
        return int(end.code or 0)
    return 0


LEFTOVERS = {
    "a folder": lambda target: (target / "releases/.partial-1/public").mkdir(parents=True),
    "a link": lambda target: (target / "releases/.partial-2").symlink_to(target / "releases"),
    "a file": lambda target: (target / "releases/.partial-3").write_text("Withdrawn"),
    "a link that was never served": lambda target: (target / "current.new").symlink_to("x"),
    "a link of a rollback": lambda target: (target / "current.back").symlink_to("x"),
}


@pytest.mark.parametrize("remains", LEFTOVERS)
def test_leftovers_are_removed_by_a_freeze_that_changes_nothing(
    remains: str, two_releases: Path
) -> None:
    LEFTOVERS[remains](two_releases)
    before = target_files.read_published(two_releases)

    assert freeze_again(two_releases) == 3
    assert (
        target_files.find_leftovers(two_releases),
        target_files.read_published(two_releases),
    ) == (set(), before)
    assert len(target_files.list_releases(two_releases)) == 2


def test_the_staging_folder_of_a_running_freeze_is_not_removed(two_releases: Path) -> None:
    with Target(two_releases).locked(), Target(two_releases).staging() as (workspace, _):
        assert freeze_again(two_releases) == 3
        assert workspace.staging.is_dir()


def test_the_command_reports_rebuilt_and_planted_files(
    two_releases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = (two_releases / "current").resolve()
    file_damages.flip_bit(first / "public/about.html")
    codes = [freeze_again(two_releases, *words) for words in (["--check"], [], [], ["--verify"])]
    second = (two_releases / "current").resolve()
    (second / "errors/418.md").write_text("Planted")
    codes += [freeze_again(two_releases), freeze_again(two_releases)]

    output = capsys.readouterr().err
    damaged = f"public/about.html in release {first.name} was not as it was published"
    planted = f"errors/418.md in release {second.name} does not belong to it"
    assert codes == [0, 0, 3, 3, 0, 3]
    assert f"{damaged}: a freeze writes it again." in output
    assert f"{damaged}: it was written again." in output
    assert f"{planted}: the new release does not have it." in output
