"""A damaged, swapped or planted file is found and reported, and is not published again."""

import shutil
from pathlib import Path

import pytest

from site_mirror.snapshot.layout import ANCHORS, BATCHES, CACHE, RELEASE_PARTS, STATE
from site_mirror.snapshot.report import Outcome, Report
from tests.freeze import engine, file_damages, target_files
from tests.freeze.file_damages import DAMAGES
from tests.freeze.target_files import list_discrepancies

DOCUMENTS = (*engine.SECOND, engine.make_document("/new/two", engine.LONG_BODY))
EDITED = (*DOCUMENTS[:2], engine.make_document("/edited", b"Edited again."), *DOCUMENTS[3:])


def publish(target: Path, *documents: engine.Document, **options: bool) -> Report:
    """Publish documents whose inputs are known."""
    return engine.publish(target, *documents, with_digests=True, **options)


FREEZES = {"unknown inputs": engine.publish, "known inputs": publish}


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """A target with one release, of which every batch can be reused."""
    publish(tmp_path / "site", *DOCUMENTS)
    return (tmp_path / "site").resolve()


@pytest.mark.parametrize("documents", [DOCUMENTS, EDITED], ids=["unchanged", "edited"])
@pytest.mark.parametrize("freeze", FREEZES)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_rebuilt_and_reported(
    damage: str, freeze: str, documents: tuple[engine.Document, ...], target: Path
) -> None:
    file = (target / "current").resolve() / "public/kept.html"
    body = file.read_bytes()
    DAMAGES[damage](file)
    discrepancies = list_discrepancies(target)

    report = FREEZES[freeze](target, *documents)

    assert "public/kept.html " in " ".join(discrepancies)
    assert report.outcome is Outcome.PUBLISHED
    assert "public/kept.html" in report.healed
    assert (list_discrepancies(target), target_files.find_leftovers(target)) == ([], set())
    made = target / "current/public/kept.html"
    assert (made.is_symlink(), made.read_bytes()) == (False, body)
    assert FREEZES[freeze](target, *documents).outcome is Outcome.UNCHANGED


OTHER_DAMAGES: dict[str, tuple[str, file_damages.Damage, str]] = {
    "an error": ("errors/404.md", file_damages.flip_bit, "healed"),
    "the mode of an error": ("errors/404.md", file_damages.make_private, "healed"),
    "the checksums": ("SHA256SUMS", file_damages.flip_bit, "healed"),
    "a link to a folder": ("public/new", file_damages.replace_by_symlink, "healed"),
    "the mode of a folder": ("public/new", lambda folder: folder.chmod(0o700), "strange"),
    "a planted file": ("public/x.html", lambda file: file.write_text("Planted"), "strange"),
    "a planted link": ("public/x", lambda file: file.symlink_to("/"), "strange"),
    "a planted folder": (
        "public/x",
        lambda folder: shutil.copytree(folder.with_name("new"), folder),
        "strange",
    ),
    "a planted error": ("errors/418.md", lambda file: file.write_text("Planted"), "strange"),
}
"""The place and the kind of a damage, and the member of the report that names it."""


@pytest.mark.parametrize("damage", OTHER_DAMAGES)
def test_damage_beside_documents_is_not_in_the_next_release(damage: str, target: Path) -> None:
    name, spoil, member = OTHER_DAMAGES[damage]
    spoil((target / "current").resolve() / name)

    report = publish(target, *DOCUMENTS)

    assert report.outcome is Outcome.PUBLISHED
    assert name in " ".join(getattr(report, member))
    assert (member == "healed") == (report.healed != ())
    assert list_discrepancies(target) == []
    assert (target / "current/public/new").stat().st_mode & 0o777 == 0o755
    assert publish(target, *DOCUMENTS).outcome is Outcome.UNCHANGED


@pytest.mark.parametrize("file", ["public/new/two.html.gz", "errors/404.md"])
@pytest.mark.parametrize("freeze", FREEZES)
def test_verify_finds_damage_that_left_no_trace(freeze: str, file: str, target: Path) -> None:
    before = target_files.read_published(target)
    intact = publish(target, *DOCUMENTS, verify=True)
    after = target_files.read_published(target)
    file_damages.flip_bit_without_a_trace(target / "current" / file)
    (target / "current/public/planted").write_text("Planted")

    report = FREEZES[freeze](target, *DOCUMENTS, verify=True)

    assert (intact.outcome, intact.healed, intact.strange) == (Outcome.UNCHANGED, (), ())
    assert after == before
    assert (report.outcome, report.healed) == (Outcome.PUBLISHED, (file,))
    assert report.strange == ("public/planted",)
    assert list_discrepancies(target) == []


def test_every_file_of_a_copied_target_is_read(target: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(target, tmp_path / "copy", symlinks=True))
    file_damages.flip_bit_without_a_trace(copy / "current/public/kept.html")

    assert publish(copy, *DOCUMENTS).healed == ("public/kept.html",)


PARTS = [*sorted({*RELEASE_PARTS} - {"public", "errors", CACHE}), STATE, BATCHES, ANCHORS, CACHE]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(
    "damage", ["replace_by_symlink", "replace_by_pipe", "replace_by_folder", "remove"]
)
def test_a_part_of_a_release_that_is_not_its_own_is_neither_read_nor_written(
    part: str, damage: str, target: Path
) -> None:
    file = (target / "current").resolve() / part
    if part == BATCHES:
        file = next(file.iterdir())
    elif part == ANCHORS:
        file.touch()
    if part != CACHE or damage in ("replace_by_symlink", "remove"):
        DAMAGES[damage](file)
    outside = target.parent / "outside"
    before = target_files.read_tree(outside) if outside.is_dir() else outside.exists()

    for documents in (DOCUMENTS, EDITED):
        publish(target, *documents)

    assert list_discrepancies(target) == []
    assert before == (target_files.read_tree(outside) if outside.is_dir() else outside.exists())
