"""Leftovers in a target are removed by the next freeze, even if it publishes nothing."""

import os
import shutil
import signal
from pathlib import Path

import pytest
from django.core.management import call_command

from site_mirror.snapshot import releases
from site_mirror.snapshot.layout import RELEASE_PARTS
from site_mirror.snapshot.target import Target
from tests.freeze import engine, file_damages, killed_processes, sites, target_files
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


@pytest.mark.exhaustive("kills a process at each step of a prune, and freezes a site after it")
def test_leftovers_of_a_prune_killed_at_any_step_are_removed_by_a_freeze(
    two_releases: Path, tmp_path: Path
) -> None:
    """A small target is pruned, and its leftovers are moved to the larger one."""
    engine.publish_two_releases(tmp_path / "small")
    seen = set()
    for step in range(1, 100):
        killed = Path(shutil.copytree(tmp_path / "small", tmp_path / "killed", symlinks=True))
        status = killed_processes.run_until_kill(killed_processes.prune_to_one, killed, step)
        remains = [path for path in (killed / "releases").iterdir() if path.name[0] == "."]
        for path in remains:
            path.rename(two_releases / "releases" / path.name)
        seen.add(bool(remains))
        shutil.rmtree(killed)
        if status == 0:
            break
        assert (step, status) == (step, -signal.SIGKILL)

        assert (step, freeze_again(two_releases)) == (step, 3)
        assert (step, target_files.find_leftovers(two_releases)) == (step, set())

    assert seen == {True, False}
    assert step > 10


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


@pytest.mark.parametrize("place", ["public/planted.html", "public/blog/planted", "errors/418.md"])
def test_a_planted_file_is_not_published_and_is_reported(
    place: str, two_releases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release = Target(two_releases).release
    assert release is not None
    (release / place).write_text("Planted")

    assert (freeze_again(two_releases), freeze_again(two_releases)) == (0, 3)
    assert not (Target(two_releases).current / place).exists()
    assert (
        f"{place} in release {release.name} does not belong to it: "
        "the new release does not have it." in capsys.readouterr().err
    )


def test_the_command_reports_a_rebuilt_file(
    two_releases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release = Target(two_releases).release
    assert release is not None
    file_damages.flip_bit_and_set_old_date(release / "public/about.html")

    assert (
        freeze_again(two_releases, "--check"),
        freeze_again(two_releases),
        freeze_again(two_releases),
    ) == (0, 0, 3)
    output = capsys.readouterr().err
    start = f"public/about.html in release {release.name} was not as it was published"
    assert f"{start}: a freeze writes it again." in output
    assert f"{start}: it was written again." in output


def test_the_option_verify_repairs_damage_without_changed_metadata(two_releases: Path) -> None:
    file_damages.flip_bit_without_a_trace(two_releases / "current/public/about.html")

    assert [
        freeze_again(two_releases),
        freeze_again(two_releases, "--verify"),
        freeze_again(two_releases, "--verify"),
        freeze_again(two_releases),
    ] == [3, 0, 3, 3]


def test_a_release_has_only_the_known_parts(two_releases: Path) -> None:
    """`manage.py host` writes configurations of hosts to another folder."""
    for folder in releases.release_folders(Target(two_releases)):
        assert {path.name for path in folder.iterdir()} <= {*RELEASE_PARTS}
    assert {path.name for path in two_releases.iterdir()} == {
        ".lock",
        "current",
        "releases",
    }


def test_a_symbolic_link_in_a_target_publishes_no_file_of_the_system(two_releases: Path) -> None:
    secret = two_releases.parent / "secret"
    secret.write_text("A secret")
    os.utime(secret, (1, 1))
    file = Target(two_releases).public / "about.html"
    file.unlink()
    file.symlink_to(secret)

    assert freeze_again(two_releases) == 0
    assert "A secret" not in (Target(two_releases).public / "about.html").read_text()
    assert secret.stat().st_nlink == 1
