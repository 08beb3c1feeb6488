"""`snapshot verify` compares every byte of a folder with a manifest."""

import json
import shutil
from pathlib import Path

import pytest

from site_mirror.snapshot.errors import FreezeError, NoRelease
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from site_mirror.snapshot.verify import find_discrepancies, find_files_to_verify
from tests.freeze import commands, engine, file_damages
from tests.freeze.file_damages import Damage


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


def write(body: bytes) -> Damage:
    """Return a damage that replaces a file; an old one may be linked into another release."""

    def damage(file: Path) -> None:
        file.unlink(missing_ok=True)
        file.write_bytes(body)

    return damage


def substitute(old: bytes, new: bytes) -> Damage:
    return lambda file: write(file.read_bytes().replace(old, new))(file)


OTHER_BYTES, UNKNOWN = "has other bytes than were published", "is not in the manifest"
DAMAGES: list[tuple[str, Damage, str]] = [
    ("public/edited.html", write(b"B page."), OTHER_BYTES),
    ("public/removed.html", file_damages.remove, "is missing"),
    ("public/removed.html", file_damages.replace_by_symlink, "is a symbolic link, not a file"),
    ("public/removed.html", file_damages.replace_by_folder, "is missing"),
    ("public/extra.html", write(b""), UNKNOWN),
    ("public/extra", lambda file: file.symlink_to("/"), UNKNOWN),
    ("errors/404.md", write(b"Gone."), OTHER_BYTES),
    ("errors/418.md", write(b""), UNKNOWN),
    ("manifest.jsonl", file_damages.remove, "is missing, or is not a whole manifest"),
    ("manifest.jsonl", substitute(b'"family"', b'"famous"'), "cannot be followed"),
    ("manifest.jsonl", substitute(b"max-age=1", b"max-age=9"), "about manifest.jsonl"),
    ("SHA256SUMS", file_damages.remove, "is missing"),
    ("SHA256SUMS", write(b""), "does not agree with the manifest about public/index.html"),
    ("SHA256SUMS", write(b"nothing\n"), "does not agree with the manifest about public/index"),
    ("notes.txt", write(b"mine"), "is not part of a release"),
]


@pytest.mark.parametrize(
    ("file", "damage", "said"), DAMAGES, ids=[f"{file} {said}" for file, _, said in DAMAGES]
)
def test_every_damage_of_a_release_is_found(
    file: str, damage: Damage, said: str, tmp_path: Path
) -> None:
    first, second = engine.publish_two_releases(tmp_path / "site")
    release = tmp_path / "site/releases" / first
    damage(release / file)

    findings = list_discrepancies(release)

    assert [finding for finding in findings if file in finding and said in finding]
    with pytest.raises(FreezeError, match=f"Release {first} is not as it was published: "):
        roll_back(Target(tmp_path / "site"), first)
    assert (tmp_path / "site/current").resolve().name == second


def test_a_manifest_and_checksums_of_another_release_do_not_fit_the_name(tmp_path: Path) -> None:
    first, second = engine.publish_two_releases(tmp_path)
    (tmp_path / "releases" / second).rename(tmp_path / "releases" / f"{first}-2")

    [finding] = list_discrepancies(tmp_path / "releases" / f"{first}-2")

    assert finding == f"manifest.jsonl is not the one that release {first}-2 is named after"


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


def test_the_verify_command_counts_what_it_compared_and_lists_findings(tmp_path: Path) -> None:
    engine.publish(tmp_path, *engine.FIRST)

    good, good_in_json = run_verify(tmp_path), run_verify(tmp_path, "--json")
    (tmp_path / "current/public/kept.html").unlink()
    bad, bad_in_json = run_verify(tmp_path), run_verify(tmp_path, "--json")
    nothing = run_verify(tmp_path / "nothing", "--json")

    counts = {"documents": 4, "files": 6}
    finding = {"where": "public/kept.html", "what": "is missing"}
    assert good == (0, "All as published: 4 documents, 6 files of 0.0 MB.\n", "")
    assert json.loads(good_in_json[1]) == {"outcome": "verified", **counts, "findings": []}
    assert bad[:2] == (1, "public/kept.html is missing\n1 thing is not as published.\n")
    assert json.loads(bad_in_json[1]) == {"outcome": "differs", **counts, "findings": [finding]}
    assert (nothing[0], "holds no release" in nothing[2]) == (1, True)
    assert json.loads(nothing[1])["outcome"] == "failed"
