"""Batches of documents, and what any process does with one."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
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
from site_mirror.snapshot.portions import Portion
from site_mirror.snapshot.staging import Place, Staged, carried, stage, taken_over

Check = Callable[[Document, str], Evidence | None]
"""Examines a document; `None` where there is nothing to tell of it."""


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
