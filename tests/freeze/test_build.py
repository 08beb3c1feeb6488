"""A batch is built in steps for all its documents, with the bytes of building each by itself."""

from collections.abc import Callable
from pathlib import Path

import pytest

from site_mirror.documents import encodings
from site_mirror.documents.built import Built
from site_mirror.documents.family import Document
from site_mirror.snapshot.build import BuildJob
from site_mirror.snapshot.errors import NotRendered
from site_mirror.snapshot.workspace import Workspace
from site_mirror.snapshot.write import write_documents
from tests.freeze import engine, target_files
from tests.freeze.engine import PlainBatch, PlainDocument, find_nothing

MOMENT = "2026-01-01T00:00:00Z"


def test_documents_written_together_have_the_same_bytes_as_written_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encodings, "HUGE_BODY_BYTES", 2 * len(engine.LONG_BODY))
    huge = engine.make_document("/huge", engine.LONG_BODY * 3)
    documents = [engine.FIRST[1], huge, engine.FIRST[0]]
    here, there = Workspace(tmp_path / "here"), Workspace(tmp_path / "there")

    together = write_documents(here, documents, [""] * 3, [None] * 3, MOMENT)

    assert together == [
        write_documents(there, [document], [""], [None], MOMENT)[0] for document in documents
    ]
    assert [len(each.entry.encodings) for each in together] == [0, 2, 2]
    assert target_files.read_tree(here.staging) == target_files.read_tree(there.staging)


def test_an_error_of_a_renderer_names_the_document(tmp_path: Path) -> None:
    class Broken(PlainBatch, frozen=True):
        def renderer(self, planned: object, built: Built) -> Callable[[PlainDocument], Document]:
            def fail(document: PlainDocument) -> Document:
                if document.address == "/edited":
                    raise ValueError("no text")
                return document.document

            return fail

    planned = [PlainDocument(document, kind=-n) for n, document in enumerate(engine.FIRST)]
    built = Built(tmp_path, tmp_path, {}, {})
    build = BuildJob(Broken(planned), Workspace(tmp_path), MOMENT, find_nothing, built)

    with pytest.raises(NotRendered, match=r"/edited.*no text"):
        build.run()
