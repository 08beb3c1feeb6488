"""Batches are built in this process or by workers, and their results come in order."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Event

import pytest
from msgspec import field

from site_mirror.documents.built import Built
from site_mirror.documents.family import Document
from site_mirror.snapshot.pool import MAIN_PROCESS_POOL, MAX_PENDING_BUILDS, Builder, Pool
from site_mirror.snapshot.results import BatchResult
from site_mirror.snapshot.workspace import Workspace
from tests.freeze.engine import PlainBatch, PlainDocument, find_nothing

MOMENT = "2026-01-01T00:00:00Z"


class WaitingBatch(PlainBatch, frozen=True):
    """A batch that records that it is loaded and built, and waits for an event."""

    loaded: list[str] = field(default_factory=list)
    begun: Event = field(default_factory=Event)
    other: Event | None = None

    def load(self) -> "WaitingBatch":
        self.loaded.append(self.content[0].address)
        return self

    def plan(self, built: Built) -> Sequence[PlainDocument]:
        self.begun.set()
        assert self.other is None or self.other.wait(20)
        return self.content


class FailingBatch(PlainBatch, frozen=True):
    def plan(self, built: Built) -> Sequence[PlainDocument]:
        raise ValueError("no drafts")


def make_content(address: str) -> list[PlainDocument]:
    return [PlainDocument(Document("text", address, "text/plain", {}, b"A text."))]


@contextmanager
def run_threads(count: int) -> Iterator[Pool]:
    with ThreadPoolExecutor(count) as executor:
        yield Pool(executor, count)


def build_batches(folder: Path, pool: Pool, batches: Sequence[PlainBatch]) -> Iterator[BatchResult]:
    builder = Builder(Workspace(folder), pool, MOMENT, find_nothing)
    return builder.results(batches, Built(folder, {}))


def list_addresses(found: Sequence[BatchResult]) -> list[str]:
    return [result.lines.split(b'"')[3].decode() for result in found]


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_results_come_in_the_order_of_the_batches(tmp_path: Path, workers: int) -> None:
    batches = [PlainBatch(make_content(f"/{n}"), is_local=n % 3 == 0) for n in range(20)]

    with run_threads(workers) if workers else nullcontext(MAIN_PROCESS_POOL) as pool:
        found = list(build_batches(tmp_path, pool, batches))

    assert list_addresses(found) == [f"/{n}" for n in range(20)]


def test_the_number_of_batches_loaded_in_advance_is_limited(tmp_path: Path) -> None:
    loaded, release = list[str](), Event()
    first = WaitingBatch(make_content("/first"), other=release)
    numbers = range(5 * MAX_PENDING_BUILDS)
    others = [WaitingBatch(make_content(f"/{n}"), loaded) for n in numbers]

    with run_threads(1) as pool:
        found = build_batches(tmp_path, pool, [first, *others])
        release.set()
        next(found)
        in_advance = len(loaded)
        list(found)

    assert in_advance <= MAX_PENDING_BUILDS


def test_an_error_of_a_batch_is_raised_after_the_workers_have_stopped(tmp_path: Path) -> None:
    begun, other = Event(), Event()
    slow = WaitingBatch(make_content("/slow"), begun=begun, other=other)

    with run_threads(2) as pool:
        found = build_batches(tmp_path, pool, [FailingBatch(make_content("/x")), slow])
        other.set()
        with pytest.raises(ValueError, match="no drafts"):
            list(found)

    assert (tmp_path / "public/slow").exists() == begun.is_set()
