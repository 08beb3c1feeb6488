"""Batches of documents, and what any process does with one."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import orjson

from api.envelope import encoded_item
from site_mirror.documents import Document
from site_mirror.gates.evidence import Evidence
from site_mirror.snapshot import held
from site_mirror.snapshot.errors import FreezeError, NotRendered
from site_mirror.snapshot.folding import Folding
from site_mirror.snapshot.keeping import carried
from site_mirror.snapshot.layout import CHECKSUMS, PUBLIC
from site_mirror.snapshot.lines import document_line
from site_mirror.snapshot.places import Place
from site_mirror.snapshot.portions import Bytes, Portion, Range
from site_mirror.snapshot.staging import Staged, stage, taken_over

Check = Callable[[Document, str], Evidence | None]
"""Examines a document; `None` where there is nothing to tell of it."""


TOGETHER = 1 << 20
"""Bytes of documents that are held before they are written."""


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

    One that is `last` is made once all before it are collected; of those that are `long`, few are
    held at a time. `inputs` is a digest of what all documents are made of, empty if unknown.
    `documents` makes those of some pieces.
    """

    @property
    def portable(self) -> bool: ...

    @property
    def last(self) -> bool: ...

    @property
    def long(self) -> bool: ...

    @property
    def inputs(self) -> str: ...

    def ready(self) -> "Batch":
        """Itself with all that it takes along when it travels."""

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
    long: bool = False
    inputs: str = ""

    def ready(self) -> "Made":
        return self

    def pieces(self) -> Sequence[Given]:
        return self.given

    def documents(self, pieces: Sequence[Given]) -> Iterator[Document]:
        return (piece.document for piece in pieces)


Rendered = tuple[Document, Piece, bytes | None]
"""A document, what it was made for, and the published line of its address."""


@dataclass(frozen=True, slots=True)
class Task:
    """A batch to be staged."""

    place: Place
    batch: Batch
    stamp: str
    check: Check

    def ready(self) -> "Task":
        """To be done by another process."""
        return replace(self, batch=self.batch.ready())

    def done(self) -> Portion:
        """Depends on nothing else and keeps nothing, so any process may do it.

        What did not change is taken over, the rest is made.
        """
        folding = Folding()
        for staged in list(self.staged()):
            folding.add(staged)
        return folding.portion(self.batch.inputs)

    def staged(self) -> Iterator[Staged]:
        lines, pieces = held.lines_of(self.place.published), self.batch.pieces()
        previous = [lines.line(piece.address) for piece in pieces]
        kept = [
            taken_over(self.place, line, piece.inputs, lines.profiles)
            for piece, line in zip(pieces, previous, strict=True)
        ]
        fresh = self.fresh(
            (piece, line)
            for piece, line, found in zip(pieces, previous, kept, strict=True)
            if found is None
        )
        for piece, found in zip(pieces, kept, strict=True):
            if found is None:
                yield next(fresh)
            else:
                yield replace(found, entry=self.entry(found)) if piece.item else found

    def entry(self, found: Staged) -> bytes:
        """A document that is taken over, as an item of a list."""
        body = (self.place.folder / PUBLIC / found.told.file).read_bytes()
        return encoded_item(orjson.loads(body))

    def fresh(self, wanted: Iterable[tuple[Piece, bytes | None]]) -> Iterator[Staged]:
        """Documents made anew, with what there is to tell of those that are not as they were.

        Each step is taken for many documents before the next one: a processor is quickest at
        what it has just done.
        """
        for some in self.rendered(list(wanted)):
            done = [
                stage(self.place, document, line, self.stamp, piece.inputs)
                for document, piece, line in some
            ]
            for staged, (document, piece, line) in zip(done, some, strict=True):
                with rendering(piece.address):
                    yield self.examined(staged, document, line)

    def rendered(self, wanted: Sequence[tuple[Piece, bytes | None]]) -> Iterator[list[Rendered]]:
        """Documents with their pieces and lines, as many at a time as are short together."""
        documents = self.batch.documents([piece for piece, _ in wanted])
        some: list[Rendered] = []
        size = 0
        for piece, line in wanted:
            with rendering(piece.address):
                document = next(documents)
            some.append((document, piece, line))
            size += len(document.content)
            if size > TOGETHER:
                yield some
                some, size = [], 0
        yield some

    def examined(self, done: Staged, document: Document, line: bytes | None) -> Staged:
        if line and line == document_line(done.told).text:
            return done
        return replace(done, evidence=self.check(document, self.stamp))


@dataclass(frozen=True, slots=True)
class Carry:
    """A portion of the published release to be taken over as a whole."""

    place: Place
    checksums: Range

    def done(self) -> bool:
        """Whether it could be; the names of its files are those of its checksums."""
        release = self.place.published
        return release is not None and carried(self.place, names(part_of(release, self.checksums)))


def part_of(release: Path, checksums: Range) -> bytes:
    """Some lines of a release's checksums."""
    with (release / CHECKSUMS).open("rb") as file:
        return Bytes(file).part(checksums)


def names(checksums: bytes) -> list[str]:
    """The public files of a list of checksums, as they lie in the public tree."""
    lines = checksums.decode().splitlines()
    return [line[NAME:] for line in lines]


NAME = 64 + len("  public/")


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
