"""`snapshot verify` compares every byte of a folder with a manifest."""

import json
import shutil
from pathlib import Path

import pytest

from site_mirror.snapshot.errors import NoRelease
from site_mirror.snapshot.verify import find_discrepancies, find_files_to_verify
from tests.freeze import commands, engine, processes, target_files
from tests.freeze.release_damages import DAMAGES


def list_discrepancies(folder: Path, by: Path | None = None) -> list[str]:
    return [str(finding) for finding in find_discrepancies(find_files_to_verify(folder, by))]


def test_a_target_and_each_of_its_releases_are_as_published(tmp_path: Path) -> None:
    first, second = engine.publish_two_releases(tmp_path)

    assert list_discrepancies(tmp_path) == []
    assert list_discrepancies(tmp_path / "current") == []
    assert [list_discrepancies(tmp_path / "releases" / release) for release in (first, second)] == [
        [],
        [],
    ]


def test_the_shipped_site_is_as_published(shipped_target: Path) -> None:
    assert list_discrepancies(shipped_target) == []


def test_a_copy_of_a_release_is_as_published(tmp_path: Path) -> None:
    engine.publish_two_releases(tmp_path / "site")

    copy = shutil.copytree((tmp_path / "site/current").resolve(), tmp_path / "copy")

    assert list_discrepancies(copy) == []


def test_a_copied_public_tree_is_compared_with_a_manifest(tmp_path: Path) -> None:
    engine.publish_two_releases(tmp_path / "site")
    release = (tmp_path / "site/current").resolve()
    copy = Path(shutil.copytree(release / "public", tmp_path / "www"))

    assert list_discrepancies(copy, release / "manifest.jsonl") == []
    (copy / "kept.html").write_bytes(b"Another")
    (copy / "new/two.html").write_bytes(b"Extra")
    (copy / "edited.html").unlink()
    assert sorted(list_discrepancies(copy, release / "manifest.jsonl")) == [
        "public/edited.html is missing",
        "public/kept.html has other bytes than were published",
        "public/new/two.html is not in the manifest",
    ]


def test_a_file_exchanged_for_another_is_missing_and_extra(tmp_path: Path) -> None:
    engine.publish(tmp_path, *engine.FIRST)
    public = tmp_path / "current/public"
    (public / "kept.html").rename(public / "keep.html")

    assert list_discrepancies(tmp_path) == [
        "public/kept.html is missing",
        "public/keep.html is not in the manifest",
    ]


def test_a_release_does_not_match_the_manifest_of_another(tmp_path: Path) -> None:
    first, second = engine.publish_two_releases(tmp_path)
    releases = tmp_path / "releases"

    assert list_discrepancies(releases / second, releases / first / "manifest.jsonl") == [
        "public/edited.html has other bytes than were published",
        "public/removed.html is missing",
        "public/edited.html.br is not in the manifest",
        "public/edited.html.gz is not in the manifest",
        "public/new/one.html is not in the manifest",
    ]


@pytest.mark.parametrize("damage", DAMAGES)
def test_every_damage_of_a_release_is_found(damage: str, tmp_path: Path) -> None:
    first, _ = engine.publish_two_releases(tmp_path)
    spoil, reason = DAMAGES[damage]
    release = tmp_path / "site/releases" / first
    release.parent.mkdir(parents=True)
    (tmp_path / "releases" / first).rename(release)

    before = list_discrepancies(release)
    spoil(release)

    assert before == []
    assert any(
        finding.startswith(reason) or reason in finding for finding in list_discrepancies(release)
    )


def test_checksums_of_another_release_are_found(tmp_path: Path) -> None:
    first, second = engine.publish_two_releases(tmp_path)
    releases = tmp_path / "releases"
    shutil.copyfile(releases / first / "SHA256SUMS", releases / second / "SHA256SUMS")

    assert [
        finding
        for finding in list_discrepancies(releases / second)
        if finding.startswith("SHA256SUMS")
    ]


@pytest.mark.parametrize("cut", [1, 2, 10])
def test_checksums_without_their_last_lines_are_found(cut: int, tmp_path: Path) -> None:
    release = tmp_path / "releases" / engine.publish_two_releases(tmp_path)[1]
    lines = (release / "SHA256SUMS").read_text().splitlines(keepends=True)
    (release / "SHA256SUMS").write_text("".join(lines[:-cut]))

    [finding] = list_discrepancies(release)

    assert finding.startswith("SHA256SUMS does not agree with the manifest about ")


def test_an_empty_folder_and_a_signature_are_ignored(tmp_path: Path) -> None:
    engine.publish(tmp_path, *engine.FIRST)
    (tmp_path / "current/public/empty").mkdir()
    (tmp_path / "current/SHA256SUMS.asc").write_text("-----BEGIN PGP SIGNATURE-----")

    assert list_discrepancies(tmp_path) == []


@pytest.mark.parametrize("place", ["", "missing", "file"])
def test_a_folder_without_a_release_cannot_be_verified(place: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(NoRelease, match="holds no release"):
        find_files_to_verify(tmp_path / place)


def run_verify(place: Path, *options: str) -> tuple[int, str, str]:
    done = commands.run("snapshot", "verify", str(place), *options)
    return done.returncode, done.stdout, done.stderr


def test_the_verify_command_counts_what_it_compared(tmp_path: Path) -> None:
    engine.publish(tmp_path, *engine.FIRST)

    code, output, error = run_verify(tmp_path)

    assert (code, error) == (0, "")
    assert output == "All as published: 4 documents, 6 files of 0.0 MB.\n"


def test_the_verify_command_lists_each_finding(tmp_path: Path) -> None:
    engine.publish(tmp_path, *engine.FIRST)
    (tmp_path / "current/public/kept.html").unlink()

    code, output, _ = run_verify(tmp_path)

    assert (code, output) == (
        1,
        "public/kept.html is missing\n1 thing is not as published.\n",
    )


def test_the_json_report_of_verify_has_its_findings(tmp_path: Path) -> None:
    engine.publish(tmp_path, *engine.FIRST)

    good, output, _ = run_verify(tmp_path, "--json")
    (tmp_path / "current/public/kept.html").unlink()
    bad, output_of_damaged, _ = run_verify(tmp_path, "--json")

    assert (good, bad) == (0, 1)
    assert json.loads(output) == {
        "outcome": "verified",
        "documents": 4,
        "files": 6,
        "findings": [],
    }
    assert json.loads(output_of_damaged)["findings"] == [
        {"where": "public/kept.html", "what": "is missing"}
    ]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([], 1, "holds no release"),
        (["--json"], 1, '"outcome":"failed"'),
    ],
    ids=str,
)
def test_the_verify_command_reports_why_it_failed(
    words: list[str], code: int, said: str, tmp_path: Path
) -> None:
    status, output, error = run_verify(tmp_path, *words)

    assert (status, said in output + error) == (code, True)


@pytest.mark.exhaustive("freezes the shipped content by the command")
def test_a_release_of_the_command_is_as_published(database: Path, target: Path) -> None:
    processes.edit_everything(database)
    processes.freeze(target, database=database)

    assert len(target_files.list_releases(target)) == 2
    assert [list_discrepancies(release) for release in (target / "releases").iterdir()] == [[], []]
