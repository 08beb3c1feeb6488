"""A damaged, swapped or planted file is found and reported, and is not published again."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from site_mirror.snapshot.layout import ANCHORS, BATCHES, CACHE, RELEASE_PARTS, STATE
from site_mirror.snapshot.report import Outcome, Report
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from site_mirror.snapshot.verify import find_discrepancies, find_files_to_verify
from tests.freeze import engine, file_damages, target_files
from tests.freeze.file_damages import DAMAGES

DOCUMENTS = (*engine.SECOND, engine.make_document("/new/two", engine.LONG_BODY))
EDITED = (*DOCUMENTS[:2], engine.make_document("/edited", b"Edited again."), *DOCUMENTS[3:])


def publish_with_digests(target: Path, *documents: engine.Document, **options: bool) -> Report:
    return engine.publish(target, *documents, with_digests=True, **options)


FREEZES: dict[str, Callable[..., Report]] = {
    "unknown inputs": engine.publish,
    "known inputs": publish_with_digests,
}


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """A target with one release, of which every batch can be reused."""
    engine.publish(tmp_path / "site", *DOCUMENTS, moment=engine.MOMENT, with_digests=True)
    return tmp_path / "site"


def list_discrepancies(target: Path) -> list[str]:
    return [str(finding) for finding in find_discrepancies(find_files_to_verify(target))]


@pytest.mark.parametrize("documents", [DOCUMENTS, EDITED], ids=["unchanged", "edited"])
@pytest.mark.parametrize("freeze", FREEZES)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_rebuilt_and_reported(
    damage: str, freeze: str, documents: tuple[engine.Document, ...], target: Path
) -> None:
    file = target / "current/public/kept.html"
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


@pytest.mark.parametrize("file", ["public/new/two.html.gz", "errors/404.md"])
@pytest.mark.parametrize("freeze", FREEZES)
def test_verify_finds_damage_that_left_no_trace(freeze: str, file: str, target: Path) -> None:
    file_damages.flip_bit_without_a_trace(target / "current" / file)

    report = FREEZES[freeze](target, *DOCUMENTS, verify=True)

    assert (report.outcome, report.healed) == (Outcome.PUBLISHED, (file,))
    assert list_discrepancies(target) == []


def test_verify_changes_nothing_in_an_intact_release(target: Path) -> None:
    before = target_files.read_published(target)

    report = publish_with_digests(target, *DOCUMENTS, verify=True)

    assert (report.outcome, report.healed, report.strange) == (Outcome.UNCHANGED, (), ())
    assert target_files.read_published(target) == before


def test_a_folder_that_became_a_symbolic_link_is_rebuilt(target: Path) -> None:
    file_damages.replace_folder_by_symlink(target / "current/public/new/one.html")

    report = publish_with_digests(target, *EDITED)

    assert {"public/new/one.html", "public/new/two.html"} <= {*report.healed}
    assert (list_discrepancies(target), (target / "current/public/new").is_symlink()) == ([], False)


PLANTED: dict[str, Callable[[Path], object]] = {
    "a file": lambda public: (public / "planted.html").write_text("Planted"),
    "a link": lambda public: (public / "planted").symlink_to("/"),
    "a folder with a file": lambda public: shutil.copytree(public / "new", public / "planted"),
    "an error": lambda public: (public.parent / "errors/418.md").write_text("Planted"),
}


@pytest.mark.parametrize("plant", PLANTED)
def test_a_planted_file_is_removed_by_the_next_freeze(plant: str, target: Path) -> None:
    PLANTED[plant](target / "current/public")

    report = publish_with_digests(target, *DOCUMENTS)

    assert (report.outcome, report.healed) == (Outcome.PUBLISHED, ())
    assert len(report.strange) in (1, 4)
    assert list_discrepancies(target) == []
    assert publish_with_digests(target, *DOCUMENTS).outcome is Outcome.UNCHANGED


DAMAGES_BESIDE_DOCUMENTS: dict[str, Callable[[Path], object]] = {
    "an error": lambda release: file_damages.flip_bit(release / "errors/404.md"),
    "an error without a mode": lambda release: (release / "errors/404.md").chmod(0o600),
    "the checksums": lambda release: file_damages.flip_bit(release / "SHA256SUMS"),
    "the manifest": lambda release: file_damages.flip_bit(release / "manifest.jsonl"),
    "the mode of a folder": lambda release: (release / "public/new").chmod(0o700),
}


@pytest.mark.parametrize("damage", DAMAGES_BESIDE_DOCUMENTS)
def test_damaged_files_beside_the_documents_are_rebuilt(damage: str, target: Path) -> None:
    release = (target / "current").resolve()
    DAMAGES_BESIDE_DOCUMENTS[damage](release)

    report = publish_with_digests(target, *DOCUMENTS)

    assert report.outcome is Outcome.PUBLISHED
    assert (damage == "the manifest") or report.healed or report.strange
    assert list_discrepancies(target) == []
    assert (target / "current/public/new").stat().st_mode & 0o777 == 0o755


OPERATIONS: dict[str, Callable[[Path], object]] = {
    "a freeze that removes a release": lambda target: engine.publish(
        target, *EDITED, with_digests=True, keep=1
    ),
    "a check": lambda target: publish_with_digests(target, *EDITED, dry_run=True),
    "a rollback": lambda target: roll_back(
        Target(target), publish_with_digests(target, *EDITED).previous
    ),
    "nothing": lambda target: publish_with_digests(target, *DOCUMENTS),
}


@pytest.mark.parametrize("before", OPERATIONS)
def test_links_of_this_program_cause_no_file_to_be_read(
    before: str, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    OPERATIONS[before](target)
    for module in ("build", "write"):
        monkeypatch.setattr(f"site_mirror.snapshot.{module}.damaged_files", lambda *_: 1 / 0)

    assert publish_with_digests(target, *EDITED, engine.make_document("/newest")).written == (
        1 if before == "a freeze that removes a release" else 2
    )


def test_every_file_of_a_copied_target_is_read(target: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(target, tmp_path / "copy", symlinks=True))
    file_damages.flip_bit_without_a_trace(copy / "current/public/kept.html")

    assert publish_with_digests(copy, *DOCUMENTS).healed == ("public/kept.html",)


@pytest.mark.parametrize("damage", ["outside", "replace_by_pipe", "replace_by_folder", "remove"])
@pytest.mark.parametrize(
    "part",
    [*sorted({*RELEASE_PARTS} - {"public", "errors", CACHE}), STATE, BATCHES, ANCHORS],
)
def test_a_part_of_a_release_that_is_not_a_regular_file_is_not_read(
    part: str, damage: str, target: Path
) -> None:
    release = (target / "current").resolve()
    file = release / part
    if part == BATCHES:
        file = next(file.iterdir())
    if damage == "outside":
        file.touch()
        file.rename(target.parent / "outside")
        file.symlink_to(target.parent / "outside")
    elif file.exists():
        DAMAGES[damage](file)

    publish_with_digests(target, *EDITED)

    assert list_discrepancies(target) == []


def test_a_cache_folder_that_is_a_symbolic_link_is_not_read(target: Path) -> None:
    cache, outside = (target / "current").resolve() / CACHE, target.parent / "outside"
    cache.rename(outside)
    cache.symlink_to(outside)
    before = target_files.read_tree(outside)

    for documents in (DOCUMENTS, EDITED):
        publish_with_digests(target, *documents)

        assert list_discrepancies(target) == []
        assert target_files.read_tree(outside) == before
