"""Only a few batches wait for the workers, because each of them has its rows in memory."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec import field

from site_mirror.documents.built import Built
from site_mirror.snapshot.pool import MAX_PENDING_BUILDS, Builder, Pool
from site_mirror.snapshot.workspace import Workspace
from tests.freeze.engine import PlainBatch, PlainDocument, find_nothing, make_document

MOMENT = "2026-01-01T00:00:00Z"


class RecordingBatch(PlainBatch, frozen=True):
    """A batch that records that it is loaded."""

    loaded: list[str] = field(default_factory=list)

    def load(self) -> "RecordingBatch":
        self.loaded.append(self.content[0].address)
        return self


def test_the_number_of_batches_loaded_in_advance_is_limited(tmp_path: Path) -> None:
    loaded = list[str]()
    documents = [make_document(f"/{number}") for number in range(5 * MAX_PENDING_BUILDS)]
    batches = [RecordingBatch([PlainDocument(each)], loaded=loaded) for each in documents]

    with ThreadPoolExecutor(1) as executor:
        builder = Builder(Workspace(tmp_path), Pool(executor), MOMENT, find_nothing)
        found = builder.results(batches, Built(tmp_path, {}))
        next(found)
        in_advance = len(loaded)
        results = list(found)

    assert in_advance <= MAX_PENDING_BUILDS + 1
    assert len(loaded) == len(results) + 1 == len(documents)
