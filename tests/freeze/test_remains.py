"""Nothing that a target should not have outlives the next run, also one that changes nothing."""

import os
import shutil
import signal
from pathlib import Path

import pytest
from django.core.management import call_command

from site_mirror import repeating
from site_mirror.snapshot import releases
from site_mirror.snapshot.layout import PARTS
from site_mirror.snapshot.share import SHARES
from site_mirror.snapshot.target import Target
from tests.freeze import damages, makers, plain, steps


@pytest.fixture
def two(small_site: Path) -> Path:
    """A target with two releases, of which the next freeze would only repeat the last."""
    makers.edit("older", title_en="Another title")
    makers.freeze_into(small_site, makers.LATER)
    return small_site


def again(target: Path, *options: str) -> int:
    """The exit code of a freeze by the command."""
    try:
        call_command("freeze", str(target), "--jobs", "1", *options)
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_remains_of_a_prune_that_is_killed_at_any_step_do_not_outlive_a_freeze(
    two: Path, tmp_path: Path
) -> None:
    """The prune is of a smaller target: what it leaves behind is moved into the large one."""
    plain.two_releases(tmp_path / "small")
    seen = set()
    for step in range(1, 100):
        killed = Path(shutil.copytree(tmp_path / "small", tmp_path / "killed", symlinks=True))
        status = steps.status_of(steps.keep_one, killed, step)
        remains = [path for path in (killed / "releases").iterdir() if path.name[0] == "."]
        for path in remains:
            path.rename(two / "releases" / path.name)
        seen.add(bool(remains))
        shutil.rmtree(killed)
        if status == 0:
            break
        assert (step, status) == (step, -signal.SIGKILL)

        assert (step, again(two)) == (step, 3)
        assert (step, makers.leftovers(two)) == (step, set())

    assert seen == {True, False}
    assert step > 10


REMAINS = {
    "a folder": lambda target: (target / "releases/.partial-1/public").mkdir(parents=True),
    "a link": lambda target: (target / "releases/.partial-2").symlink_to(target / "releases"),
    "a file": lambda target: (target / "releases/.partial-3").write_text("Withdrawn"),
    "a state": lambda target: (target / ".checked.new").write_text("{}"),
    "a link that was never served": lambda target: (target / "current.new").symlink_to("x"),
    "a link of a rollback": lambda target: (target / "current.back").symlink_to("x"),
}


@pytest.mark.parametrize("remains", REMAINS)
def test_remains_of_any_kind_do_not_outlive_a_freeze_that_changes_nothing(
    remains: str, two: Path
) -> None:
    REMAINS[remains](two)
    before = makers.published(two)

    assert again(two) == 3
    assert (makers.leftovers(two), makers.published(two)) == (set(), before)
    assert len(makers.releases(two)) == 2


def test_remains_of_a_process_at_work_are_its_own(two: Path) -> None:
    with Target(two).locked(), Target(two).staging() as folder:
        assert again(two) == 3
        assert folder.is_dir()


@pytest.mark.parametrize("place", ["public/planted.html", "public/blog/planted", "errors/418.md"])
def test_a_planted_file_is_left_out_and_reported(
    place: str, two: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release = Target(two).release
    assert release is not None
    (release / place).write_text("Planted")

    assert (again(two), again(two)) == (0, 3)
    assert not (Target(two).current / place).exists()
    assert (
        f"{place} in release {release.name} does not belong to it: "
        "the new release does not have it." in capsys.readouterr().err
    )


def test_a_damaged_file_is_made_anew_and_reported(
    two: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release = Target(two).release
    assert release is not None
    damages.flipped_and_dated(release / "public/about.html")

    assert (again(two, "--check"), again(two), again(two)) == (0, 0, 3)
    told = capsys.readouterr().err
    start = f"public/about.html in release {release.name} was not as it was published"
    assert f"{start}: a freeze makes it anew." in told
    assert f"{start}: it was made anew." in told


def test_a_freeze_that_verifies_heals_what_leaves_no_trace(two: Path) -> None:
    damages.silently(damages.flipped, two, "about.html")

    assert [again(two), again(two, "--verify"), again(two, "--verify"), again(two)] == [3, 0, 3, 3]


@pytest.mark.parametrize("many", [0, repeating.MANY], ids=["large", "small"])
def test_damage_without_a_trace_is_found_by_freezes_that_change_nothing(
    many: int, two: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repeating, "MANY", many)
    damages.silently(damages.flipped, two, "about.html")

    codes = [again(two) for _ in range(SHARES + 1)]

    assert sorted(codes) == [0, *[3] * SHARES]


def test_a_release_holds_its_parts_and_nothing_else(two: Path) -> None:
    """Configurations of hosts are written elsewhere, by `manage.py host`."""
    for folder in releases.folders(Target(two)):
        assert {path.name for path in folder.iterdir()} <= {*PARTS}
    assert {path.name for path in two.iterdir()} == {".checked", ".lock", "current", "releases"}


def test_who_can_write_a_target_publishes_no_file_of_the_system(two: Path) -> None:
    secret = two.parent / "secret"
    secret.write_text("A secret")
    os.utime(secret, (1, 1))
    file = Target(two).public / "about.html"
    file.unlink()
    file.symlink_to(secret)

    assert again(two) == 0
    assert "A secret" not in (Target(two).public / "about.html").read_text()
    assert secret.stat().st_nlink == 1
