"""A damaged, swapped or planted file is never published: it is found, made anew and reported."""

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from site_mirror.snapshot import files, state
from site_mirror.snapshot.archive import write_archive
from site_mirror.snapshot.engine import Outcome, Report
from site_mirror.snapshot.errors import FreezeError, ReleaseDamaged
from site_mirror.snapshot.layout import PARTS
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.share import SHARES
from site_mirror.snapshot.target import Target
from site_mirror.snapshot.verification import findings, subject
from tests.freeze import damages, makers, plain
from tests.freeze.damages import DAMAGES

DOCUMENTS = (*plain.SECOND, plain.document("/new/two", plain.LONG))
EDITED = (*DOCUMENTS[:2], plain.document("/edited", b"Edited again."), *DOCUMENTS[3:])
Freeze = Callable[..., Report]


def known(target: Path, *documents: plain.Document) -> Report:
    return plain.published(target, *documents, known=True)


FREEZES: dict[str, Freeze] = {
    "unknown inputs": plain.published,
    "portions": known,
    "ahead": plain.published_ahead,
}


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """A target with one release, of which every portion can be taken over."""
    plain.published(tmp_path / "site", *DOCUMENTS, moment=plain.MOMENT, known=True)
    return tmp_path / "site"


def wrong(target: Path) -> list[str]:
    return [str(finding) for finding in findings(subject(target))]


@pytest.mark.parametrize("documents", [DOCUMENTS, EDITED], ids=["unchanged", "edited"])
@pytest.mark.parametrize("freeze", FREEZES)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_made_anew_and_reported(
    damage: str, freeze: str, documents: tuple[plain.Document, ...], target: Path
) -> None:
    file = target / "current/public/kept.html"
    body = file.read_bytes()
    DAMAGES[damage](file)

    report = FREEZES[freeze](target, *documents)

    assert report.outcome is Outcome.PUBLISHED
    assert "public/kept.html" in report.healed
    assert (wrong(target), makers.leftovers(target)) == ([], set())
    made = target / "current/public/kept.html"
    assert (made.is_symlink(), made.read_bytes()) == (False, body)
    assert FREEZES[freeze](target, *documents).outcome is Outcome.UNCHANGED


@pytest.mark.parametrize("freeze", FREEZES)
def test_a_folder_that_is_a_link_is_made_anew(freeze: str, target: Path) -> None:
    damages.behind_a_link(target / "current/public/new/one.html")

    report = FREEZES[freeze](target, *EDITED)

    assert {"public/new/one.html", "public/new/two.html"} <= {*report.healed}
    assert (wrong(target), (target / "current/public/new").is_symlink()) == ([], False)


def test_what_a_link_leads_to_never_becomes_a_file_of_the_release(target: Path) -> None:
    file = target / "current/public/kept.html"
    DAMAGES["linked"](file)
    outside = file.readlink()

    known(target, *EDITED)

    assert outside.stat().st_nlink == 1


PLANTED: dict[str, Callable[[Path], object]] = {
    "a file": lambda public: (public / "planted.html").write_text("Planted"),
    "a file in a folder": lambda public: (public / "new/planted.html").write_text("Planted"),
    "a link": lambda public: (public / "planted").symlink_to("/"),
    "a folder with a file": lambda public: shutil.copytree(public / "new", public / "planted"),
    "an error": lambda public: (public.parent / "errors/418.md").write_text("Planted"),
}


@pytest.mark.parametrize("plant", PLANTED)
def test_a_planted_file_does_not_outlive_the_next_freeze(plant: str, target: Path) -> None:
    PLANTED[plant](target / "current/public")

    report = known(target, *DOCUMENTS)

    assert (report.outcome, report.healed) == (Outcome.PUBLISHED, ())
    assert len(report.strange) in (1, 4)
    assert wrong(target) == []
    assert known(target, *DOCUMENTS).outcome is Outcome.UNCHANGED


BESIDE: dict[str, Callable[[Path], object]] = {
    "an error": lambda release: damages.flipped(release / "errors/404.md"),
    "the checksums": lambda release: damages.flipped(release / "SHA256SUMS"),
    "the manifest": lambda release: damages.flipped(release / "manifest.jsonl"),
    "the mode of a folder": lambda release: (release / "public/new").chmod(0o700),
}


@pytest.mark.parametrize("damage", BESIDE)
def test_what_lies_beside_the_documents_is_made_anew(damage: str, target: Path) -> None:
    release = (target / "current").resolve()
    BESIDE[damage](release)

    report = known(target, *DOCUMENTS)

    assert report.outcome is Outcome.PUBLISHED
    assert (damage == "the manifest") or report.healed or report.strange
    assert wrong(target) == []
    assert (target / "current/public/new").stat().st_mode & 0o777 == 0o755


def test_a_freeze_that_is_verified_reads_what_metadata_vouch_for(target: Path) -> None:
    damages.silently(damages.flipped, target, "new/two.html.gz")

    trusting = known(target, *EDITED)
    with plain.begun(Target(target), verify=True) as beginning:
        report = plain.published(target, *EDITED, known=True, beginning=beginning)

    assert (trusting.healed, report.healed) == ((), ("public/new/two.html.gz",))
    assert (report.outcome, wrong(target)) == (Outcome.PUBLISHED, [])


def test_a_verified_freeze_of_a_whole_release_changes_nothing(target: Path) -> None:
    before = makers.published(target)
    with plain.begun(Target(target), verify=True) as beginning:
        report = plain.published(target, *DOCUMENTS, known=True, beginning=beginning)

    assert (report.outcome, report.healed, report.strange) == (Outcome.UNCHANGED, (), ())
    assert makers.published(target) == before


@pytest.mark.parametrize("file", ["index.html", "index.html.br", "new/two.html.gz", "edited.html"])
def test_silent_damage_is_found_within_so_many_freezes(file: str, target: Path) -> None:
    damages.silently(damages.flipped, target, file)

    for _ in range(SHARES):
        report = known(target, *DOCUMENTS)
        if report.outcome is Outcome.PUBLISHED:
            break

    assert (report.outcome, report.healed) == (Outcome.PUBLISHED, (f"public/{file}",))
    assert wrong(target) == []


def test_silent_damage_is_found_while_the_site_is_edited(target: Path) -> None:
    damages.silently(damages.flipped, target, "new/two.html.gz")

    for number in range(SHARES):
        edited = plain.document("/edited", b"Edited. " * number)
        report = known(target, *DOCUMENTS[:2], edited, *DOCUMENTS[3:])
        if report.healed:
            break

    assert report.healed == ("public/new/two.html.gz",)


def failing(target: Path) -> None:
    def refuse(*arguments: object) -> None:
        raise FreezeError("This document is refused.")

    with pytest.raises(FreezeError, match="refused"):
        plain.published(target, *EDITED, known=True, check=refuse)


UNSEEN = {
    "a freeze": lambda target: known(target, *EDITED),
    "a check": lambda target: plain.published(
        target, *EDITED, known=True, instead=lambda candidate: None
    ),
    "a check ahead": lambda target: plain.published_ahead(
        target, *EDITED, instead=lambda candidate: None
    ),
    "a freeze that fails": failing,
    "a rollback": lambda target: roll_back(Target(target), known(target, *EDITED).previous),
    "nothing": lambda target: known(target, *DOCUMENTS),
}


@pytest.mark.parametrize("before", UNSEEN)
def test_metadata_vouch_for_files_after_the_programs_own_links(
    before: str, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise each freeze after it would read everything."""
    UNSEEN[before](target)
    monkeypatch.setattr("site_mirror.snapshot.places.altered", lambda *_: 1 / 0)

    assert known(target, *EDITED, plain.document("/newest")).outcome is Outcome.PUBLISHED


@pytest.mark.parametrize("between", UNSEEN)
def test_damage_is_found_whatever_the_program_did_since(between: str, target: Path) -> None:
    DAMAGES["flipped_and_dated"](target / "current/public/kept.html")
    with suppress(ReleaseDamaged):
        UNSEEN[between](target)

    known(target, *EDITED, plain.document("/newest"))

    assert wrong(target) == []


def test_removing_a_release_does_not_vouch_for_the_files_that_it_shared(target: Path) -> None:
    known(target, *EDITED)
    DAMAGES["flipped_and_dated"](target / "current/public/kept.html")
    with Target(target).locked():
        Target(target).remove(next((target / "releases").glob("*-*")))

    report = known(target, *EDITED)

    assert wrong(target) == []
    assert report.outcome in (Outcome.PUBLISHED, Outcome.UNCHANGED)


def test_remains_of_a_killed_freeze_do_not_vouch_for_the_files_that_it_linked(
    target: Path,
) -> None:
    remains = target / "releases/.partial-1/public"
    remains.mkdir(parents=True)
    (remains / "kept.html").hardlink_to(target / "current/public/kept.html")
    DAMAGES["flipped_and_dated"](target / "current/public/kept.html")

    report = known(target, *DOCUMENTS)

    assert (report.healed, wrong(target)) == (("public/kept.html",), [])


@pytest.mark.parametrize("known_state", ["", "{}", "[]", '{"release": 1, "windows": [[1]]}'])
def test_without_a_state_bytes_decide(known_state: str, target: Path) -> None:
    (target / state.NAME).write_text(known_state)
    DAMAGES["flipped_and_dated"](target / "current/public/kept.html")

    report = known(target, *DOCUMENTS)

    assert (report.healed, wrong(target)) == (("public/kept.html",), [])
    assert known(target, *DOCUMENTS).outcome is Outcome.UNCHANGED


def test_a_target_that_was_copied_is_read_once(target: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(target, tmp_path / "copy", symlinks=True))
    DAMAGES["flipped_and_dated"](copy / "current/public/kept.html")

    assert known(copy, *DOCUMENTS).healed == ("public/kept.html",)


@pytest.mark.parametrize("damage", ["linked", "a_pipe", "a_folder", "gone"])
@pytest.mark.parametrize("part", [part for part in PARTS if part not in ("public", "errors")])
def test_no_part_of_a_release_is_read_through_a_link_or_a_pipe(
    part: str, damage: str, target: Path
) -> None:
    release = (target / "current").resolve()
    file = release / part
    if not file.exists():
        file.write_bytes(b"{}")
    if damage == "linked":
        other = target.parent / "outside"
        file.rename(other)
        file.symlink_to(other)
    else:
        DAMAGES[damage](file)

    known(target, *EDITED)

    assert wrong(target) == []


@pytest.mark.parametrize("damage", ["linked", "a_pipe", "a_folder", "gone", "flipped"])
@pytest.mark.parametrize("file", ["public/kept.html", "manifest.jsonl", "errors/404.md"])
def test_an_archive_holds_regular_files_of_the_release_alone(
    file: str, damage: str, target: Path
) -> None:
    release = (target / "current").resolve()
    path = release / file
    if damage == "linked":
        path.rename(target.parent / "outside")
        path.symlink_to(target.parent / "outside")
    else:
        DAMAGES[damage](path)

    with pytest.raises(ReleaseDamaged):
        write_archive(release, target.parent / "release.tar.gz")
    assert wrong(target) != []


def test_a_name_that_turns_into_a_link_after_its_check_is_not_followed(tmp_path: Path) -> None:
    outside, release, staged = (tmp_path / name for name in ("outside", "release", "staged"))
    outside.write_text("A secret")
    release.mkdir()
    (release / "file").symlink_to(outside)

    files.link(["file"], (str(release), ""), str(staged))

    assert outside.stat().st_nlink == 1
