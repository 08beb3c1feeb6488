"""An earlier release is served again, if it is as it was published."""

from collections.abc import Callable
from pathlib import Path

import pytest

from site_mirror.snapshot import signing
from site_mirror.snapshot.errors import NoSuchRelease, ReleaseDamaged, TargetBusy
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from tests.freeze import makers, plain

Damage = Callable[[Path], object]


def replaced(path: Path, body: bytes) -> None:
    """Other bytes, in a file of its own: the old one may be another release's, too."""
    path.unlink()
    path.write_bytes(body)


def linked(path: Path) -> None:
    path.rename(path.with_name("..away"))
    path.symlink_to("..away")


def emptied(path: Path) -> None:
    path.unlink()
    path.mkdir()


def exchanged(path: Path, old: bytes, new: bytes) -> None:
    replaced(path, path.read_bytes().replace(old, new))


def forged(release: Path) -> None:
    """A manifest and checksums that agree with each other, under a name they do not fit."""
    other = plain.published(
        release.parents[2] / "other", *plain.FIRST, plain.document("/extra"), moment=plain.MOMENT
    )
    home = release.parents[2] / "other/releases" / other.release
    replaced(release / "manifest.jsonl", (home / "manifest.jsonl").read_bytes())
    replaced(release / "SHA256SUMS", (home / "SHA256SUMS").read_bytes())
    (release / "public/extra.html").write_bytes((home / "public/extra.html").read_bytes())


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


DAMAGES: dict[str, tuple[Damage, str]] = {
    "a file is altered": (
        lambda release: replaced(release / "public/edited.html", b"B page."),
        "public/edited.html has other bytes than were published",
    ),
    "a file is cut": (
        lambda release: replaced(release / "public/index.html.br", b""),
        "public/index.html.br has other bytes than were published",
    ),
    "a file is missing": (
        lambda release: (release / "public/removed.html").unlink(),
        "public/removed.html is missing",
    ),
    "a file is a link": (
        lambda release: linked(release / "public/removed.html"),
        "public/removed.html is a link, and no file of its own",
    ),
    "a file is a folder": (
        lambda release: emptied(release / "public/removed.html"),
        "public/removed.html is missing",
    ),
    "a file is extra": (
        lambda release: (release / "public/extra.html").write_bytes(b""),
        "public/extra.html is not in the manifest",
    ),
    "a link is extra": (
        lambda release: (release / "public/extra").symlink_to("/"),
        "public/extra is not in the manifest",
    ),
    "an error is altered": (
        lambda release: replaced(release / "errors/404.md", b"Gone."),
        "errors/404.md has other bytes than were published",
    ),
    "an error is extra": (
        lambda release: (release / "errors/418.md").write_bytes(b""),
        "errors/418.md is not in the manifest",
    ),
    "the manifest is missing": (
        lambda release: (release / "manifest.jsonl").unlink(),
        "manifest.jsonl is missing, or is not a whole manifest",
    ),
    "the manifest is cut": (
        lambda release: replaced(
            release / "manifest.jsonl", (release / "manifest.jsonl").read_bytes()[:-50]
        ),
        "manifest.jsonl is missing, or is not a whole manifest",
    ),
    "the manifest has another header": (
        lambda release: exchanged(release / "manifest.jsonl", b"max-age=1", b"max-age=9"),
        "SHA256SUMS does not say of manifest.jsonl what the manifest does",
    ),
    "the manifest has a line that is none": (
        lambda release: exchanged(release / "manifest.jsonl", b'"family"', b'"famous"'),
        "manifest.jsonl cannot be followed",
    ),
    "manifest and checksums fit another name": (
        forged,
        "manifest.jsonl is not the one that release",
    ),
    "the checksums are missing": (
        lambda release: (release / "SHA256SUMS").unlink(),
        "SHA256SUMS is missing",
    ),
    "the checksums are cut": (
        lambda release: replaced(release / "SHA256SUMS", b""),
        "SHA256SUMS does not say of public/index.html what the manifest does",
    ),
    "the checksums are none": (
        lambda release: replaced(release / "SHA256SUMS", b"nothing\n"),
        "SHA256SUMS has the line",
    ),
    "a stranger is beside": (
        lambda release: (release / "notes.txt").write_text("mine"),
        "notes.txt is no part of a release",
    ),
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
