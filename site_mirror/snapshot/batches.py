"""Stage batches of documents, in this process or in others, in the order in which they come.

What a batch makes is collected in order whoever made it, so a release has the same bytes
whichever way. The first error stops everything.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from typing import Protocol

from site_mirror.documents import Document
from site_mirror.gates.evidence import Evidence
from site_mirror.snapshot.held import Held
from site_mirror.snapshot.staging import Place, Staged, stage, taken_over

Check = Callable[[Document, str], Evidence | None]
"""Examines a document; `None` where there is nothing to tell of it."""

AHEAD = 3
"""Batches for each process that may wait to be collected: memory for speed."""


class Piece(Protocol):
    """One document to be; `inputs` is a digest of what it is made of, empty if unknown."""

    @property
    def address(self) -> str: ...

    @property
    def inputs(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Made:
    """A batch of documents that are there already."""

    pieces: Sequence["Given"]
    portable: bool = False

    def only(self, places: Sequence[int]) -> "Made":
        return Made([self.pieces[place] for place in places])

    def documents(self) -> Iterator[Document]:
        return (piece.document for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Given:
    """A document as a piece; of what it is made is unknown."""

    document: Document
    inputs: str = ""

    @property
    def address(self) -> str:
        return self.document.address


class Batch(Protocol):
    """Some documents to be. A `portable` batch can travel to another process."""

    @property
    def pieces(self) -> Sequence[Piece]: ...

    @property
    def portable(self) -> bool: ...

    def only(self, places: Sequence[int]) -> "Batch": ...

    def documents(self) -> Iterator[Document]: ...


@dataclass(frozen=True, slots=True)
class Task:
    """A batch to be staged, with the published line of every piece, if there is one."""

    place: Place
    batch: Batch
    lines: Sequence[bytes | None]
    stamp: str
    check: Check

    def done(self) -> list[Staged]:
        """Depends on nothing else and keeps nothing, so any process may do it."""
        made = []
        documents = zip(self.batch.documents(), self.batch.pieces, self.lines, strict=True)
        for document, piece, line in documents:
            evidence = self.check(document, self.stamp)
            done = stage(self.place, document, line, self.stamp, piece.inputs)
            made.append(replace(done, evidence=evidence))
        return made


@dataclass(frozen=True, slots=True)
class Crew:
    """Who renders: the processes of an executor, or without one this process."""

    executor: Executor | None = None
    jobs: int = 1

    @property
    def ahead(self) -> int:
        """How many batches may wait to be collected."""
        return self.jobs * AHEAD if self.executor else 0


ALONE = Crew()


def perform(task: Task) -> list[Staged]:
    return task.done()


@dataclass(frozen=True, slots=True)
class Planned:
    """A batch whose documents are partly taken over and partly on their way."""

    kept: dict[int, Staged]
    size: int
    made: "Future[list[Staged]] | Task | None"

    def collected(self) -> Iterator[Staged]:
        made = self.made.result() if isinstance(self.made, Future) else self.done()
        rest = iter(made)
        for place in range(self.size):
            yield self.kept[place] if place in self.kept else next(rest)

    def done(self) -> list[Staged]:
        return self.made.done() if isinstance(self.made, Task) else []


def stage_batches(
    place: Place,
    lines: Held,
    batches: Iterable[Batch],
    stamp: str,
    check: Check,
    crew: Crew,
) -> Iterator[Staged]:
    """What is staged, in order. Raises whatever a batch raises."""
    waiting: deque[Planned] = deque()
    for batch in batches:
        waiting.append(planned(place, lines, batch, stamp, check, crew))
        while len(waiting) > crew.ahead:
            yield from waiting.popleft().collected()
    while waiting:
        yield from waiting.popleft().collected()


def planned(
    place: Place,
    lines: Held,
    batch: Batch,
    stamp: str,
    check: Check,
    crew: Crew,
) -> Planned:
    """Take over what did not change, and send the rest to be made."""
    held = [lines.line(piece.address) for piece in batch.pieces]
    kept = {
        number: taken
        for number, (piece, line) in enumerate(zip(batch.pieces, held, strict=True))
        if (taken := taken_over(place, line, piece.inputs, lines.profiles))
    }
    rest = [number for number in range(len(held)) if number not in kept]
    if not rest:
        return Planned(kept, len(held), None)
    task = Task(place, batch.only(rest), [held[number] for number in rest], stamp, check)
    made = crew.executor.submit(perform, task) if crew.executor and batch.portable else task
    return Planned(kept, len(held), made)
