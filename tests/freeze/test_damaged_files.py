"""A damaged, swapped or planted file is found and reported, and is not published again."""

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from site_mirror.snapshot import files, state
from site_mirror.snapshot.errors import FreezeError, ReleaseDamaged
from site_mirror.snapshot.layout import ANCHORS, BATCHES, CACHE, ITEMS, RELEASE_PARTS, STATE
from site_mirror.snapshot.report import Outcome, Report
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.spot_checks import SHARE_COUNT
from site_mirror.snapshot.target import Target
from site_mirror.snapshot.verify import find_discrepancies, find_files_to_verify
from tests.freeze import engine, file_damages, target_files
from tests.freeze.file_damages import DAMAGES

DOCUMENTS = (*engine.SECOND, engine.make_document("/new/two", engine.LONG_BODY))
EDITED = (*DOCUMENTS[:2], engine.make_document("/edited", b"Edited again."), *DOCUMENTS[3:])
Freeze = Callable[..., Report]


def publish_with_digests(target: Path, *documents: engine.Document) -> Report:
    return engine.publish(target, *documents, with_digests=True)


FOLDER_PARTS = {"public", "errors", CACHE}
FREEZES: dict[str, Freeze] = {
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


@pytest.mark.parametrize(
    "damage",
    [
        *(file_damages.flip_bit, file_damages.truncate, file_damages.replace_by_rename),
        *(file_damages.remove, file_damages.replace_by_pipe, file_damages.make_private),
    ],
)
@pytest.mark.parametrize("freeze", FREEZES)
def test_a_damaged_error_body_is_rebuilt_and_reported(
    damage: Callable[[Path], object], freeze: str, target: Path
) -> None:
    damage((target / "current").resolve() / "errors/404.md")
    discrepancies = list_discrepancies(target)

    report = FREEZES[freeze](target, *DOCUMENTS)

    assert "errors/404.md " in " ".join(discrepancies)
    assert (report.outcome, report.healed) == (Outcome.PUBLISHED, ("errors/404.md",))
    assert list_discrepancies(target) == []


@pytest.mark.parametrize("freeze", FREEZES)
def test_a_folder_that_became_a_symbolic_link_is_rebuilt(freeze: str, target: Path) -> None:
    file_damages.replace_folder_by_symlink(target / "current/public/new/one.html")

    report = FREEZES[freeze](target, *EDITED)

    assert {"public/new/one.html", "public/new/two.html"} <= {*report.healed}
    assert (list_discrepancies(target), (target / "current/public/new").is_symlink()) == ([], False)


def test_a_freeze_does_not_hard_link_the_target_of_a_symbolic_link(target: Path) -> None:
    file = target / "current/public/kept.html"
    DAMAGES["replace_by_symlink"](file)
    outside = file.readlink()

    publish_with_digests(target, *EDITED)

    assert outside.stat().st_nlink == 1


PLANTED: dict[str, Callable[[Path], object]] = {
    "a file": lambda public: (public / "planted.html").write_text("Planted"),
    "a file in a folder": lambda public: (public / "new/planted.html").write_text("Planted"),
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


def test_the_option_verify_reads_files_whose_metadata_is_unchanged(target: Path) -> None:
    file_damages.damage_without_trace(file_damages.flip_bit, target, "new/two.html.gz")

    trusting = publish_with_digests(target, *EDITED)
    report = engine.publish(target, *EDITED, with_digests=True, verify=True)

    assert (trusting.healed, report.healed) == ((), ("public/new/two.html.gz",))
    assert (report.outcome, list_discrepancies(target)) == (Outcome.PUBLISHED, [])


def test_the_option_verify_changes_nothing_in_an_intact_release(target: Path) -> None:
    before = target_files.read_published(target)
    report = engine.publish(target, *DOCUMENTS, with_digests=True, verify=True)

    assert (report.outcome, report.healed, report.strange) == (Outcome.UNCHANGED, (), ())
    assert target_files.read_published(target) == before


@pytest.mark.parametrize("file", ["index.html", "index.html.br", "new/two.html.gz", "edited.html"])
def test_damage_without_changed_metadata_is_found_within_a_number_of_freezes(
    file: str, target: Path
) -> None:
    file_damages.damage_without_trace(file_damages.flip_bit, target, file)

    for _ in range(SHARE_COUNT):
        report = publish_with_digests(target, *DOCUMENTS)
        if report.outcome is Outcome.PUBLISHED:
            break

    assert (report.outcome, report.healed) == (Outcome.PUBLISHED, (f"public/{file}",))
    assert list_discrepancies(target) == []


def test_damage_without_changed_metadata_is_found_while_the_site_is_edited(target: Path) -> None:
    file_damages.damage_without_trace(file_damages.flip_bit, target, "new/two.html.gz")

    for number in range(SHARE_COUNT):
        edited = engine.make_document("/edited", b"Edited. " * number)
        report = publish_with_digests(target, *DOCUMENTS[:2], edited, *DOCUMENTS[3:])
        if report.healed:
            break

    assert report.healed == ("public/new/two.html.gz",)


def fail_to_freeze(target: Path) -> None:
    def refuse(*arguments: object) -> None:
        raise FreezeError("This document is refused.")

    with pytest.raises(FreezeError, match="refused"):
        engine.publish(target, *EDITED, with_digests=True, gates=engine.OpenGates(refuse))


OPERATIONS = {
    "a freeze": lambda target: publish_with_digests(target, *EDITED),
    "a freeze that removes a release": lambda target: engine.publish(
        target, *EDITED, with_digests=True, keep=1
    ),
    "a check": lambda target: engine.publish(target, *EDITED, with_digests=True, dry_run=True),
    "a freeze that fails": fail_to_freeze,
    "a rollback": lambda target: roll_back(
        Target(target), publish_with_digests(target, *EDITED).previous
    ),
    "nothing": lambda target: publish_with_digests(target, *DOCUMENTS),
}


@pytest.mark.parametrize("before", OPERATIONS)
def test_links_of_this_program_do_not_make_metadata_untrusted(
    before: str, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Untrusted metadata would make the next freeze read every file."""
    OPERATIONS[before](target)
    for module in ("build", "write"):
        monkeypatch.setattr(f"site_mirror.snapshot.{module}.altered_files", lambda *_: 1 / 0)

    assert (
        publish_with_digests(target, *EDITED, engine.make_document("/newest")).outcome
        is Outcome.PUBLISHED
    )


@pytest.mark.parametrize("between", OPERATIONS)
def test_damage_is_found_after_any_operation_on_the_target(between: str, target: Path) -> None:
    DAMAGES["flip_bit_and_set_old_date"](target / "current/public/kept.html")
    with suppress(ReleaseDamaged):
        OPERATIONS[between](target)

    publish_with_digests(target, *EDITED, engine.make_document("/newest"))

    assert list_discrepancies(target) == []


def test_removing_a_release_does_not_make_damaged_shared_files_trusted(target: Path) -> None:
    publish_with_digests(target, *EDITED)
    DAMAGES["flip_bit_and_set_old_date"](target / "current/public/kept.html")
    with Target(target).locked():
        Target(target).remove(next((target / "releases").glob("*-*")))

    report = publish_with_digests(target, *EDITED)

    assert list_discrepancies(target) == []
    assert report.outcome in (Outcome.PUBLISHED, Outcome.UNCHANGED)


def test_leftovers_of_a_killed_freeze_do_not_make_damaged_files_trusted(
    target: Path,
) -> None:
    remains = target / "releases/.partial-1/public"
    remains.mkdir(parents=True)
    (remains / "kept.html").hardlink_to(target / "current/public/kept.html")
    DAMAGES["flip_bit_and_set_old_date"](target / "current/public/kept.html")

    report = publish_with_digests(target, *DOCUMENTS)

    assert (report.healed, list_discrepancies(target)) == (("public/kept.html",), [])


@pytest.mark.parametrize("known_state", ["", "{}", "[]", '{"release": 1, "windows": [[1]]}'])
def test_every_file_is_read_if_the_state_of_the_target_is_unreadable(
    known_state: str, target: Path
) -> None:
    (target / state.STATE_FILE).write_text(known_state)
    DAMAGES["flip_bit_and_set_old_date"](target / "current/public/kept.html")

    report = publish_with_digests(target, *DOCUMENTS)

    assert (report.healed, list_discrepancies(target)) == (("public/kept.html",), [])
    assert publish_with_digests(target, *DOCUMENTS).outcome is Outcome.UNCHANGED


def test_every_file_of_a_copied_target_is_read(target: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(target, tmp_path / "copy", symlinks=True))
    DAMAGES["flip_bit_and_set_old_date"](copy / "current/public/kept.html")

    assert publish_with_digests(copy, *DOCUMENTS).healed == ("public/kept.html",)


@pytest.mark.parametrize("damage", ["outside", "replace_by_pipe", "replace_by_folder", "remove"])
@pytest.mark.parametrize(
    "part", [*sorted({*RELEASE_PARTS} - FOLDER_PARTS), STATE, BATCHES, ITEMS, ANCHORS]
)
def test_a_part_of_a_release_that_is_not_a_regular_file_is_not_read(
    part: str, damage: str, target: Path
) -> None:
    release = (target / "current").resolve()
    file = release / part
    if not file.exists():
        file.write_bytes(b"{}")
    if damage == "outside":
        other = target.parent / "outside"
        file.rename(other)
        file.symlink_to(other)
    else:
        DAMAGES[damage](file)

    publish_with_digests(target, *EDITED)

    assert list_discrepancies(target) == []


def test_a_cache_folder_that_is_a_symbolic_link_is_not_read(target: Path) -> None:
    cache = (target / "current").resolve() / CACHE
    cache.rename(target.parent / "outside")
    cache.symlink_to(target.parent / "outside")
    before = target_files.read_tree(target.parent / "outside")

    report = publish_with_digests(target, *EDITED)

    assert (report.outcome, list_discrepancies(target)) == (Outcome.PUBLISHED, [])
    assert target_files.read_tree(target.parent / "outside") == before


def test_hard_linking_does_not_follow_symbolic_links(tmp_path: Path) -> None:
    outside, release, staged = (tmp_path / name for name in ("outside", "release", "staged"))
    outside.write_text("A secret")
    release.mkdir()
    (release / "file").symlink_to(outside)

    files.link_files(["file"], (str(release), ""), str(staged))

    assert outside.stat().st_nlink == 1
