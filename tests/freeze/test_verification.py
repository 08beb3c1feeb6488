"""A folder is compared with a manifest: every byte, nothing missing, nothing extra."""

import json
import shutil
from functools import partial
from pathlib import Path

import pytest

from site_mirror.snapshot import signing
from site_mirror.snapshot.candidate import Sign
from site_mirror.snapshot.errors import NoRelease
from site_mirror.snapshot.verification import findings, subject
from tests.freeze import makers, plain, processes
from tests.freeze.spoiling import DAMAGES

PAIR = signing.new_pair()
OURS = partial(signing.sign, PAIR.private)
OTHERS = partial(signing.sign, signing.new_pair().private)


def wrong(folder: Path, by: Path | None = None) -> list[str]:
    return [str(finding) for finding in findings(subject(folder, by))]


def test_a_target_and_each_of_its_releases_are_as_published(tmp_path: Path) -> None:
    first, second = plain.two_releases(tmp_path)

    assert wrong(tmp_path) == []
    assert wrong(tmp_path / "current") == []
    assert [wrong(tmp_path / "releases" / release) for release in (first, second)] == [[], []]


def test_the_shipped_site_is_as_published(shipped_target: Path) -> None:
    assert wrong(shipped_target) == []


def test_a_copy_of_a_release_is_as_published(tmp_path: Path) -> None:
    plain.two_releases(tmp_path / "site")

    copy = shutil.copytree((tmp_path / "site/current").resolve(), tmp_path / "copy")

    assert wrong(copy) == []


def test_a_copied_public_tree_is_compared_with_a_manifest(tmp_path: Path) -> None:
    plain.two_releases(tmp_path / "site")
    release = (tmp_path / "site/current").resolve()
    copy = Path(shutil.copytree(release / "public", tmp_path / "www"))

    assert wrong(copy, release / "manifest.jsonl") == []
    (copy / "kept.html").write_bytes(b"Another")
    (copy / "new/two.html").write_bytes(b"Extra")
    (copy / "edited.html").unlink()
    assert sorted(wrong(copy, release / "manifest.jsonl")) == [
        "public/edited.html is missing",
        "public/kept.html has other bytes than were published",
        "public/new/two.html is not in the manifest",
    ]


def test_a_file_exchanged_for_another_is_missing_and_extra(tmp_path: Path) -> None:
    plain.published(tmp_path, *plain.FIRST)
    public = tmp_path / "current/public"
    (public / "kept.html").rename(public / "keep.html")

    assert wrong(tmp_path) == [
        "public/kept.html is missing",
        "public/keep.html is not in the manifest",
    ]


def test_a_release_is_not_another_manifests(tmp_path: Path) -> None:
    first, second = plain.two_releases(tmp_path)
    releases = tmp_path / "releases"

    assert wrong(releases / second, releases / first / "manifest.jsonl") == [
        "public/edited.html has other bytes than were published",
        "public/removed.html is missing",
        "public/edited.html.br is not in the manifest",
        "public/edited.html.gz is not in the manifest",
        "public/new/one.html is not in the manifest",
    ]


@pytest.mark.parametrize("damage", DAMAGES)
def test_everything_that_is_not_as_it_was_published_is_told(damage: str, tmp_path: Path) -> None:
    first, _ = plain.two_releases(tmp_path)
    spoil, reason = DAMAGES[damage]
    release = tmp_path / "site/releases" / first
    release.parent.mkdir(parents=True)
    (tmp_path / "releases" / first).rename(release)

    before = wrong(release)
    spoil(release)

    assert before == []
    assert any(told.startswith(reason) or reason in told for told in wrong(release))


def test_checksums_of_another_release_are_told(tmp_path: Path) -> None:
    first, second = plain.two_releases(tmp_path)
    releases = tmp_path / "releases"
    shutil.copyfile(releases / first / "SHA256SUMS", releases / second / "SHA256SUMS")

    assert [told for told in wrong(releases / second) if told.startswith("SHA256SUMS")]


@pytest.mark.parametrize("cut", [1, 2, 10])
def test_checksums_without_their_last_lines_are_told(cut: int, tmp_path: Path) -> None:
    release = tmp_path / "releases" / plain.two_releases(tmp_path)[1]
    lines = (release / "SHA256SUMS").read_text().splitlines(keepends=True)
    (release / "SHA256SUMS").write_text("".join(lines[:-cut]))

    [told] = wrong(release)

    assert told.startswith("SHA256SUMS does not say of ")


@pytest.mark.parametrize(
    ("sign", "said"),
    [
        (None, "manifest.sig is missing: the manifest is not signed"),
        (OTHERS, "manifest.sig is not the signature of this manifest by this key"),
        (lambda sha256: b"", "manifest.sig is not the signature of this manifest by this key"),
        (OURS, None),
    ],
    ids=["unsigned", "another key", "empty", "signed"],
)
def test_with_a_key_only_a_manifest_that_it_signed_is_as_published(
    sign: Sign | None, said: str | None, tmp_path: Path
) -> None:
    plain.published(tmp_path, *plain.FIRST, sign=sign)

    told = [str(finding) for finding in findings(subject(tmp_path), PAIR.public)]

    assert told == ([said] if said else [])


def test_an_empty_folder_inside_changes_nothing(tmp_path: Path) -> None:
    plain.published(tmp_path, *plain.FIRST)
    (tmp_path / "current/public/empty").mkdir()

    assert wrong(tmp_path) == []


@pytest.mark.parametrize("place", ["", "missing", "file"])
def test_a_folder_that_holds_no_release_is_none(place: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(NoRelease, match="holds no release"):
        subject(tmp_path / place)


def command(place: Path, *options: str) -> tuple[int, str, str]:
    done = processes.run(
        *("manage.py", "snapshot", "verify", str(place), *options), database=place / "none"
    )
    return done.returncode, done.stdout, done.stderr


def test_the_command_says_what_was_looked_at(tmp_path: Path) -> None:
    plain.published(tmp_path, *plain.FIRST)

    code, told, error = command(tmp_path)

    assert (code, error) == (0, "")
    assert told == (
        "All as published: 4 documents, 6 files of 0.0 MB; "
        "no key was given to check a signature by.\n"
    )


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    plain.published(tmp_path, *plain.FIRST)
    (tmp_path / "current/public/kept.html").unlink()

    code, told, _ = command(tmp_path)

    assert (code, told) == (
        1,
        "public/kept.html is missing\n1 thing is not as published.\n",
    )


def test_the_command_tells_in_json(tmp_path: Path) -> None:
    plain.published(tmp_path, *plain.FIRST)
    key = signing.new_pair().public

    good, told, _ = command(tmp_path, "--json")
    bad, told_of_key, _ = command(tmp_path, "--json", "--public-key", key)

    assert (good, bad) == (0, 1)
    assert json.loads(told) == {
        "outcome": "verified",
        "documents": 4,
        "files": 6,
        "signature": "not checked",
        "findings": [],
    }
    assert json.loads(told_of_key)["findings"] == [
        {"where": "manifest.sig", "what": "is missing: the manifest is not signed"}
    ]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--public-key", "key"], 2, "no public Ed25519 key"),
        ([], 1, "holds no release"),
        (["--json"], 1, '"outcome":"failed"'),
    ],
    ids=str,
)
def test_what_cannot_be_verified_is_told(
    words: list[str], code: int, said: str, tmp_path: Path
) -> None:
    status, told, error = command(tmp_path, *words)

    assert (status, said in told + error) == (code, True)


def test_a_release_of_the_command_is_as_published(database: Path, target: Path) -> None:
    processes.edit_everything(database)
    processes.freeze(target, database=database)

    assert len(makers.releases(target)) == 2
    assert [wrong(release) for release in (target / "releases").iterdir()] == [[], []]
