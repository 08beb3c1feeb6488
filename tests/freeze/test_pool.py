"""The workers get a few batches at a time."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec import field

from site_mirror.documents.built import Built
from site_mirror.snapshot.pool import MAX_PENDING_BATCHES, Builder, Pool
from site_mirror.snapshot.workspace import Workspace
from site_mirror.snapshot.write import Moment
from tests.freeze.engine import PlainBatch, find_nothing, make_document, plan_document

MOMENT = Moment("2026-01-01T00:00:00Z", "Thu, 01 Jan 2026 00:00:00 GMT")


class RecordingBatch(PlainBatch, frozen=True):
    """A batch that records that it is loaded."""

    loaded: list[str] = field(default_factory=list)

    def load(self) -> "RecordingBatch":
        self.loaded.append(self.content[0].address)
        return self


def test_the_number_of_batches_loaded_in_advance_is_limited(tmp_path: Path) -> None:
    loaded = list[str]()
    documents = [make_document(f"/{number}") for number in range(5 * MAX_PENDING_BATCHES)]
    batches = [RecordingBatch([plan_document(each)], loaded=loaded) for each in documents]

    with ThreadPoolExecutor(1) as executor:
        builder = Builder(Workspace(tmp_path), Pool(executor), MOMENT, find_nothing)
        found = builder.results(batches, Built(Workspace(tmp_path).find_file, {}))
        next(found)
        in_advance = len(loaded)
        results = list(found)

    assert in_advance <= MAX_PENDING_BATCHES + 1
    assert len(loaded) == len(results) + 1 == len(documents)
