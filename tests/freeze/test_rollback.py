"""An earlier release is served again, if it is as it was published."""

from pathlib import Path

import pytest

from site_mirror.snapshot import signing
from site_mirror.snapshot.errors import NoSuchRelease, ReleaseDamaged, TargetBusy
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from tests.freeze import makers, plain
from tests.freeze.spoiling import DAMAGES


def test_a_rollback_serves_the_earlier_release_as_it_was(tmp_path: Path) -> None:
    plain.published(tmp_path, *plain.FIRST, moment=plain.MOMENT)
    before = makers.published(tmp_path)
    plain.published(tmp_path, *plain.SECOND)
    later = makers.published(tmp_path)

    done = roll_back(Target(tmp_path), before[0].partition("/")[2])

    assert done
    assert makers.published(tmp_path) == before != later
    assert makers.leftovers(tmp_path) == set()


def test_a_rollback_can_be_rolled_back(tmp_path: Path) -> None:
    first, second = plain.two_releases(tmp_path)
    roll_back(Target(tmp_path), first)

    roll_back(Target(tmp_path), second)

    assert makers.published(tmp_path)[0] == f"releases/{second}"


def test_rolling_back_to_the_current_release_does_nothing(tmp_path: Path) -> None:
    _, second = plain.two_releases(tmp_path)

    assert not roll_back(Target(tmp_path), second)
    assert makers.published(tmp_path)[0] == f"releases/{second}"


def test_a_freeze_after_a_rollback_publishes_what_was_taken_back(tmp_path: Path) -> None:
    first, second = plain.two_releases(tmp_path)
    roll_back(Target(tmp_path), first)

    report = plain.published(tmp_path, *plain.SECOND)

    assert report.release not in (first, second)
    assert makers.releases(tmp_path) == {
        f"releases/{release}" for release in (first, second, report.release)
    }


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_release_that_is_not_as_it_was_published_is_refused(damage: str, tmp_path: Path) -> None:
    target = tmp_path / "site"
    first, second = plain.two_releases(target)
    spoil, reason = DAMAGES[damage]
    spoil(target / "releases" / first)

    with pytest.raises(ReleaseDamaged) as refused:
        roll_back(Target(target), first)

    assert f"Release {first} is not as it was published: {reason}" in str(refused.value)
    assert makers.published(target)[0] == f"releases/{second}"


def test_several_faults_are_counted(tmp_path: Path) -> None:
    first, _ = plain.two_releases(tmp_path)
    for file in ("removed.html", "index.html.gz"):
        (tmp_path / "releases" / first / "public" / file).unlink()

    with pytest.raises(ReleaseDamaged, match=r"is missing \(and 1 more\)\.$"):
        roll_back(Target(tmp_path), first)


def test_with_a_key_a_release_that_is_not_signed_is_refused(tmp_path: Path) -> None:
    first, _ = plain.two_releases(tmp_path)

    with pytest.raises(ReleaseDamaged, match="the manifest is not signed"):
        roll_back(Target(tmp_path), first, signing.new_pair().public)


@pytest.mark.parametrize("name", ["", "..", ".", "../..", "current", "nope", "/etc"])
def test_a_release_that_is_not_there_is_refused_with_those_that_are(
    name: str, tmp_path: Path
) -> None:
    first, second = plain.two_releases(tmp_path)

    with pytest.raises(NoSuchRelease, match=f"It has: {second}, {first}"):
        roll_back(Target(tmp_path), name)


def test_a_rollback_keeps_out_of_the_way_of_a_freeze(tmp_path: Path) -> None:
    first, second = plain.two_releases(tmp_path)

    with Target(tmp_path).locked(), pytest.raises(TargetBusy, match="is at work in"):
        roll_back(Target(tmp_path), first)

    assert makers.published(tmp_path)[0] == f"releases/{second}"
