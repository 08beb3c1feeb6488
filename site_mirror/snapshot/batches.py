"""Stage batches of documents, in this process or in others, in the order in which they come.

What a batch makes is collected in order whoever made it, so a release has the same bytes
whichever way. The first error stops everything.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import orjson

from api.envelope import encoded_item
from site_mirror.documents import Document
from site_mirror.gates.evidence import Evidence
from site_mirror.snapshot import held
from site_mirror.snapshot.errors import FreezeError, NotRendered
from site_mirror.snapshot.folding import Folding
from site_mirror.snapshot.layout import PUBLIC
from site_mirror.snapshot.lines import document_line
from site_mirror.snapshot.portions import Earlier, Portion, Range, Remembered
from site_mirror.snapshot.staging import Place, Staged, carried, stage, taken_over

Check = Callable[[Document, str], Evidence | None]
"""Examines a document; `None` where there is nothing to tell of it."""

AHEAD = 3
"""Batches for each process that may wait to be collected: memory for speed."""


class Piece(Protocol):
    """One document to be; `inputs` is a digest of what it is made of, empty if unknown.

    An `item` stands in a list, too.
    """

    @property
    def address(self) -> str: ...

    @property
    def inputs(self) -> str: ...

    @property
    def item(self) -> bool: ...


class Batch(Protocol):
    """Some documents to be. A `portable` batch can travel to another process.

    One that is `last` is made once all before it are collected. `inputs` is a digest of what all
    of them are made of, empty if unknown. `documents` makes those of some pieces.
    """

    @property
    def portable(self) -> bool: ...

    @property
    def last(self) -> bool: ...

    @property
    def inputs(self) -> str: ...

    def pieces(self) -> Sequence[Piece]: ...

    def documents(self, pieces: Sequence[Any]) -> Iterator[Document]: ...


@dataclass(frozen=True, slots=True)
class Given:
    """A document as a piece; of what it is made is unknown."""

    document: Document
    inputs: str = ""
    item: bool = False

    @property
    def address(self) -> str:
        return self.document.address


@dataclass(frozen=True, slots=True)
class Made:
    """A batch of documents that are there already."""

    given: Sequence[Given]
    portable: bool = False
    last: bool = False
    inputs: str = ""

    def pieces(self) -> Sequence[Given]:
        return self.given

    def documents(self, pieces: Sequence[Given]) -> Iterator[Document]:
        return (piece.document for piece in pieces)


@dataclass(frozen=True, slots=True)
class Task:
    """A batch to be staged."""

    place: Place
    batch: Batch
    stamp: str
    check: Check

    def done(self) -> Portion:
        """Depends on nothing else and keeps nothing, so any process may do it.

        What did not change is taken over, the rest is made.
        """
        folding = Folding()
        for staged in self.staged():
            folding.add(staged)
        return folding.portion(self.batch.inputs)

    def staged(self) -> Iterator[Staged]:
        lines, pieces = held.lines_of(self.place.published), self.batch.pieces()
        previous = [lines.line(piece.address) for piece in pieces]
        kept = [
            taken_over(self.place, line, piece.inputs, lines.profiles)
            for piece, line in zip(pieces, previous, strict=True)
        ]
        rest = [piece for piece, found in zip(pieces, kept, strict=True) if found is None]
        documents = self.batch.documents(rest)
        for piece, line, found in zip(pieces, previous, kept, strict=True):
            if found is None:
                yield self.one(documents, piece, line)
            else:
                yield replace(found, entry=self.entry(found)) if piece.item else found

    def entry(self, found: Staged) -> bytes:
        """A document that is taken over, as an item of a list."""
        body = (self.place.folder / PUBLIC / found.told.file).read_bytes()
        return encoded_item(orjson.loads(body))

    def one(self, documents: Iterator[Document], piece: Piece, line: bytes | None) -> Staged:
        """The next document, and what there is to tell of it if it is not as it was."""
        with rendering(piece.address):
            document = next(documents)
        done = stage(self.place, document, line, self.stamp, piece.inputs)
        if line and line == document_line(done.told).text:
            return done
        with rendering(piece.address):
            return replace(done, evidence=self.check(document, self.stamp))


@dataclass(frozen=True, slots=True)
class Carry:
    """A portion of the published release to be taken over as a whole."""

    place: Place
    checksums: bytes

    def done(self) -> bool:
        """Whether it could be; the names of its files are those of its checksums."""
        return carried(self.place, names(self.checksums))


def names(checksums: bytes) -> list[str]:
    """The public files of a list of checksums, as they lie in the public tree."""
    lines = checksums.decode().splitlines()
    return [line[NAME:] for line in lines]


NAME = 64 + len("  public/")


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


@contextmanager
def rendering(address: str) -> Iterator[None]:
    """Raises `NotRendered` for whatever is wrong with the document at an address."""
    try:
        yield
    except FreezeError:
        raise
    except Exception as error:
        raise NotRendered(address, f"{type(error).__name__}: {error}") from error


def perform(task: Task) -> Portion:
    return task.done()


def carry(task: Carry) -> bool:
    return task.done()


@dataclass(frozen=True, slots=True)
class Planned:
    """A batch on its way; where it was made of the same before, the portion that it made, and
    where the lines of that lie in the manifest.
    """

    task: Task
    made: "Future[Portion] | Portion | None" = None
    before: Portion | None = None
    lines: Range = (0, 0)
    stays: "Future[bool] | Carry | None" = None

    def collected(self) -> Portion:
        if self.before and self.carried():
            return self.before
        if isinstance(self.made, Future):
            return self.made.result()
        return self.made or self.task.done()

    @property
    def futures(self) -> list["Future[Any]"]:
        return [each for each in (self.made, self.stays) if isinstance(each, Future)]

    def carried(self) -> bool:
        if isinstance(self.stays, Future):
            return self.stays.result()
        return bool(self.stays and self.stays.done())


def stopped(futures: Iterable["Future[Any]"]) -> None:
    """Cancel what has not begun, and wait for the rest: a process may still write a file."""
    wait([future for future in futures if not future.cancel()])


@dataclass(frozen=True, slots=True)
class Stage:
    """Where batches are staged, and by whom.

    `kept` is where the lines of portions lay that were taken over, in the manifest before.
    """

    place: Place
    earlier: Earlier
    stamp: str
    check: Check
    crew: Crew = ALONE
    kept: list[Range] = field(default_factory=list)

    def portions(self, batches: Iterable[Batch]) -> Iterator[Portion]:
        """What is staged, in order. Raises whatever a batch raises, once nobody is at work."""
        waiting: deque[Planned] = deque()
        try:
            for batch in batches:
                waiting.append(self.planned(batch))
                while len(waiting) > self.crew.ahead:
                    yield self.collected(waiting.popleft())
            while waiting:
                yield self.collected(waiting.popleft())
        finally:
            stopped(future for planned in waiting for future in planned.futures)

    def collected(self, planned: Planned) -> Portion:
        portion = planned.collected()
        if portion is planned.before:
            self.kept.append(planned.lines)
        return portion

    def planned(self, batch: Batch) -> Planned:
        task = Task(self.place, batch, self.stamp, self.check)
        if found := self.earlier.find(batch.inputs):
            return self.carrying(task, found)
        return Planned(task, made=self.begun(task))

    def begun(self, task: Task) -> "Future[Portion] | Portion | None":
        """What does not travel is made at once, while others are at work."""
        if self.crew.executor is None or task.batch.last:
            return None
        return self.crew.executor.submit(perform, task) if task.batch.portable else task.done()

    def carrying(self, task: Task, found: Remembered) -> Planned:
        carried = Carry(self.place, self.earlier.checksums(found))
        executor = self.crew.executor
        stays = executor.submit(carry, carried) if executor else carried
        return Planned(task, None, self.earlier.portion(found), found.lines, stays)
