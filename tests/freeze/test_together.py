"""Steps that are taken for many documents at a time make what they make for one."""

from pathlib import Path

import pytest

from site_mirror import encodings
from site_mirror.snapshot.batches import Given, Made, Task, in_kinds
from site_mirror.snapshot.errors import NotRendered
from site_mirror.snapshot.places import Place
from site_mirror.snapshot.staging import Draft, stage
from tests.freeze import makers, plain

STAMP = "2026-01-01T00:00:00Z"


def test_documents_staged_together_are_as_those_staged_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encodings, "HUGE", 2 * len(plain.LONG))
    huge = plain.document("/huge", plain.LONG * 3)
    drafts = [Draft(document) for document in (plain.FIRST[1], huge, plain.FIRST[0])]
    here, there = Place(tmp_path / "here", None), Place(tmp_path / "there", None)

    together = stage(here, drafts, STAMP)

    assert together == [stage(there, [draft], STAMP)[0] for draft in drafts]
    assert [len(each.told.encodings) for each in together] == [0, 2, 2]
    assert makers.tree(here.folder) == makers.tree(there.folder)


def test_what_is_made_in_kinds_comes_in_the_order_it_was_asked_for() -> None:
    made: list[str] = []

    def note(item: str) -> str:
        made.append(item)
        return item.upper()

    assert in_kinds(["b1", "a1", "b2", "a2"], lambda item: item[0], note) == [
        "B1",
        "A1",
        "B2",
        "A2",
    ]
    assert made == ["a1", "a2", "b1", "b2"]


def test_a_document_that_cannot_be_made_is_named_whatever_is_made_before_it(tmp_path: Path) -> None:
    class Broken(Made):
        def renderer(self, pieces: object) -> object:
            def fail(piece: Given) -> None:
                if piece.address == "/edited":
                    raise ValueError("no text")

            return fail

    given = [Given(document, kind=-number) for number, document in enumerate(plain.FIRST)]
    task = Task(Place(tmp_path, None), Broken(given), STAMP, lambda document, stamp: None)

    with pytest.raises(NotRendered, match=r"/edited.*no text"):
        task.done()
