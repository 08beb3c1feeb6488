"""`snapshot verify` compares every byte of a folder with a manifest."""

import json
import shutil
from pathlib import Path

import pytest

from site_mirror.snapshot import manifest
from site_mirror.snapshot.errors import FreezeError, ManifestDamaged
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from tests.freeze import commands, engine, file_damages
from tests.freeze.file_damages import Damage
from tests.freeze.target_files import list_discrepancies, read_manifest


def test_releases_and_copies_of_a_public_tree_are_compared(tmp_path: Path) -> None:
    site, copy = tmp_path / "site", tmp_path / "www"
    first, second = engine.publish_two_releases(site)
    release = site / "releases" / second
    # Neither belongs to the manifest, and both may be in a release.
    (release / "public/empty").mkdir()
    (release / "SHA256SUMS.asc").write_text("-----BEGIN PGP SIGNATURE-----")
    shutil.copytree(release / "public", copy)

    for folder in (site, site / "current", site / "releases" / first, release):
        assert list_discrepancies(folder) == []
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
    """Return a damage that replaces the bytes of a file by others, in a file of its own."""

    def damage(file: Path) -> None:
        file.unlink(missing_ok=True)
        file.write_bytes(body)

    return damage


def substitute(old: bytes, new: bytes) -> Damage:
    return lambda file: write(file.read_bytes().replace(old, new))(file)


OTHER_BYTES, UNKNOWN = "has other bytes than were published", "is not in the manifest"
NO_MANIFEST = "is missing, or is not a whole manifest"
DAMAGES: list[tuple[str, Damage, str]] = [
    ("public/edited.html", write(b"B page."), OTHER_BYTES),
    ("public/removed.html", file_damages.remove, "is missing"),
    ("public/removed.html", file_damages.replace_by_symlink, "is a symbolic link, not a file"),
    ("public/removed.html", file_damages.replace_by_folder, "is missing"),
    ("public/removed.html", file_damages.replace_by_pipe, "cannot be read: It is not a regular"),
    ("public/removed.html", file_damages.make_private, "has the mode 600 instead of 644"),
    ("public/removed.html", lambda file: file.chmod(0o666), "has the mode 666 instead of 644"),
    ("public/extra.html", write(b""), UNKNOWN),
    ("public/extra", lambda file: file.symlink_to("/"), UNKNOWN),
    ("errors/404.md", write(b"Gone."), OTHER_BYTES),
    ("errors/418.md", write(b""), UNKNOWN),
    ("manifest.jsonl", file_damages.remove, NO_MANIFEST),
    ("manifest.jsonl", write(b""), NO_MANIFEST),
    ("manifest.jsonl", write(b"\xff\xfe\x00"), NO_MANIFEST),
    ("manifest.jsonl", write(b"[]"), NO_MANIFEST),
    ("manifest.jsonl", lambda file: write(file.read_bytes()[:-100])(file), NO_MANIFEST),
    ("manifest.jsonl", substitute(b'"format":3', b'"format":2'), NO_MANIFEST),
    ("manifest.jsonl", substitute(b'"family"', b'"famous"'), "cannot be followed"),
    ("manifest.jsonl", substitute(b'"errors":{"start":', b'"errors":{"start":9'), "has 0 of 1"),
    ("manifest.jsonl", substitute(b"max-age=1", b"max-age=9"), "about manifest.jsonl"),
    ("SHA256SUMS", file_damages.remove, "is missing"),
    ("SHA256SUMS", write(b""), "does not agree with the manifest about public/index.html"),
    ("SHA256SUMS", write(b"nothing\n"), "does not agree with the manifest about public/index"),
    ("notes.txt", write(b"mine"), "is not part of a release"),
    ("removed.txt", file_damages.replace_by_symlink, "is a symbolic link, not a file or folder"),
]


@pytest.mark.parametrize(
    ("file", "damage", "said"), DAMAGES, ids=[f"{file} {said}" for file, _, said in DAMAGES]
)
def test_every_damage_of_a_release_is_found_and_a_rollback_to_it_is_refused(
    file: str, damage: Damage, said: str, tmp_path: Path
) -> None:
    first, second = engine.publish_two_releases(tmp_path / "site")
    release = tmp_path / "site/releases" / first
    damage(release / file)

    findings = list_discrepancies(release)

    assert [finding for finding in findings if file in finding and said in finding]
    with pytest.raises(FreezeError, match=f"Release {first} is not as it was published: .*{said}"):
        roll_back(Target(tmp_path / "site"), first)
    assert (tmp_path / "site/current").resolve().name == second
    whole = manifest.read_manifest(release / "manifest.jsonl")
    assert (whole is None) == (said == NO_MANIFEST)


def test_an_invalid_line_of_a_manifest_is_an_error_when_it_is_read(tmp_path: Path) -> None:
    engine.publish(tmp_path, *engine.FIRST)
    substitute(b'{"document":"/kept"', b'{"document"')(tmp_path / "current/manifest.jsonl")

    with pytest.raises(ManifestDamaged, match="is not as it was written: it has the line"):
        list(read_manifest(tmp_path).documents)


def test_a_manifest_and_checksums_of_another_release_do_not_fit_the_name(tmp_path: Path) -> None:
    first, second = engine.publish_two_releases(tmp_path)
    (tmp_path / "releases" / second).rename(tmp_path / "releases" / f"{first}2")

    [finding] = list_discrepancies(tmp_path / "releases" / f"{first}2")

    assert finding == f"manifest.jsonl is not the one that release {first}2 is named after"


def run_verify(place: Path, *options: str) -> tuple[int, str, str]:
    done = commands.run("snapshot", "verify", str(place), *options)
    return done.returncode, done.stdout, done.stderr


def test_the_verify_command_counts_what_it_compared_and_lists_findings(tmp_path: Path) -> None:
    engine.publish(tmp_path / "site", *engine.FIRST)
    (tmp_path / "file").write_text("")

    good, good_in_json = run_verify(tmp_path / "site"), run_verify(tmp_path / "site", "--json")
    (tmp_path / "site/current/public/kept.html").unlink()
    bad, bad_in_json = run_verify(tmp_path / "site"), run_verify(tmp_path / "site", "--json")

    counts = {"documents": 4, "files": 6}
    finding = {"where": "public/kept.html", "what": "is missing"}
    assert good == (0, "All as published: 4 documents, 6 files of 0.0 MB.\n", "")
    assert json.loads(good_in_json[1]) == {"outcome": "verified", **counts, "findings": []}
    assert bad[:2] == (1, "public/kept.html is missing\n1 thing is not as published.\n")
    assert json.loads(bad_in_json[1]) == {"outcome": "differs", **counts, "findings": [finding]}
    for place in (tmp_path, tmp_path / "nothing", tmp_path / "file"):
        code, output, errors = run_verify(place, "--json")
        assert (code, "holds no release" in errors) == (1, True)
        assert json.loads(output)["outcome"] == "failed"


def test_a_release_of_another_site_or_of_none_is_not_that_of_the_job(tmp_path: Path) -> None:
    engine.publish(tmp_path, *engine.FIRST)

    # A workflow whose variable is missing passes an empty URL.
    urls = (engine.ROOT, f"{engine.ROOT}/", f"{engine.ROOT}:443", "http://127.0.0.1:8000", "")
    assert [run_verify(tmp_path, "--site-root", url)[0] for url in urls] == [0, 0, 1, 1, 1]
