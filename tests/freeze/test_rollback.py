"""A rollback serves an earlier release again if its files are unchanged."""

from pathlib import Path

import pytest

from site_mirror.snapshot import target as targets
from site_mirror.snapshot.errors import NoSuchRelease, ReleaseDamaged, TargetBusy
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from tests.freeze import engine, target_files
from tests.freeze.release_damages import DAMAGES


def test_a_rollback_serves_the_earlier_release_as_it_was(tmp_path: Path) -> None:
    engine.publish(tmp_path, *engine.FIRST, moment=engine.MOMENT)
    before = target_files.read_published(tmp_path)
    engine.publish(tmp_path, *engine.SECOND)
    later = target_files.read_published(tmp_path)

    done = roll_back(Target(tmp_path), before[0].partition("/")[2])

    assert done
    assert target_files.read_published(tmp_path) == before != later
    assert target_files.find_leftovers(tmp_path) == set()


def test_a_rollback_can_be_rolled_back(tmp_path: Path) -> None:
    first, second = engine.publish_two_releases(tmp_path)
    roll_back(Target(tmp_path), first)

    roll_back(Target(tmp_path), second)

    assert target_files.read_published(tmp_path)[0] == f"releases/{second}"


def test_rolling_back_to_the_current_release_does_nothing(tmp_path: Path) -> None:
    _, second = engine.publish_two_releases(tmp_path)

    assert not roll_back(Target(tmp_path), second)
    assert target_files.read_published(tmp_path)[0] == f"releases/{second}"


def test_a_freeze_after_a_rollback_publishes_a_new_release(tmp_path: Path) -> None:
    first, second = engine.publish_two_releases(tmp_path)
    roll_back(Target(tmp_path), first)

    report = engine.publish(tmp_path, *engine.SECOND)

    assert report.release not in (first, second)
    assert target_files.list_releases(tmp_path) == {
        f"releases/{release}" for release in (first, second, report.release)
    }


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_rollback_to_a_damaged_release_is_refused(damage: str, tmp_path: Path) -> None:
    target = tmp_path / "site"
    first, second = engine.publish_two_releases(target)
    spoil, reason = DAMAGES[damage]
    spoil(target / "releases" / first)

    with pytest.raises(ReleaseDamaged) as refused:
        roll_back(Target(target), first)

    assert f"Release {first} is not as it was published: {reason}" in str(refused.value)
    assert target_files.read_published(target)[0] == f"releases/{second}"


def test_a_refused_rollback_names_one_fault_and_counts_the_others(tmp_path: Path) -> None:
    first, _ = engine.publish_two_releases(tmp_path)
    for file in ("removed.html", "index.html.gz"):
        (tmp_path / "releases" / first / "public" / file).unlink()

    with pytest.raises(ReleaseDamaged, match=r"is missing \(and 1 more\)\.$"):
        roll_back(Target(tmp_path), first)


@pytest.mark.parametrize("name", ["", "..", ".", "../..", "current", "nope", "/etc"])
def test_a_rollback_to_an_unknown_release_lists_the_known_ones(name: str, tmp_path: Path) -> None:
    first, second = engine.publish_two_releases(tmp_path)

    with pytest.raises(NoSuchRelease, match=f"It has: {second}, {first}"):
        roll_back(Target(tmp_path), name)


def test_a_rollback_is_refused_while_a_freeze_is_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(targets, "LOCK_TIMEOUT_SECONDS", 0.1)
    first, second = engine.publish_two_releases(tmp_path)

    with Target(tmp_path).locked(), pytest.raises(TargetBusy, match="is at work in"):
        roll_back(Target(tmp_path), first)

    assert target_files.read_published(tmp_path)[0] == f"releases/{second}"
