"""Batches of documents, and what any process does with one."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, Protocol, TypeVar

import orjson
from msgspec import Struct
from msgspec.structs import replace

from api.envelope import encoded_item
from site_mirror.documents import Document
from site_mirror.gates.evidence import Evidence
from site_mirror.snapshot import held
from site_mirror.snapshot.checksums import files_of
from site_mirror.snapshot.errors import FreezeError, NotRendered
from site_mirror.snapshot.files import by_folder
from site_mirror.snapshot.folding import Folding
from site_mirror.snapshot.layout import PUBLIC
from site_mirror.snapshot.lines import document_line
from site_mirror.snapshot.places import Place, carried
from site_mirror.snapshot.portions import Portion, Range, digests_in
from site_mirror.snapshot.staging import Draft, Staged, stage, taken_over
from site_mirror.snapshot.staying import record

Check = Callable[[Document, str], Evidence | None]
"""Examines a document; `None` where there is nothing to tell of it."""


TOGETHER = 120
"""Documents that are held before they are written, unless they are long."""


class Piece(Protocol):
    """One document to be; `inputs` is a digest of what it is made of, empty if unknown.

    An `item` stands in a list, too. Those of a `kind` are made much alike.
    """

    @property
    def address(self) -> str: ...

    @property
    def kind(self) -> int: ...

    @property
    def inputs(self) -> str: ...

    @property
    def item(self) -> bool: ...


class Batch(Protocol):
    """Some documents to be. A `portable` batch can travel to another process.

    One that is `last` is made once all others are collected, one that is to be `alone` when the
    crew has left; of those that are `long`, few are held at a time. `inputs` is a digest of what
    all documents are made of, empty if unknown. `renderer` makes a document of each of some
    pieces.
    """

    @property
    def portable(self) -> bool: ...

    @property
    def last(self) -> bool: ...

    @property
    def alone(self) -> bool: ...

    @property
    def long(self) -> bool: ...

    @property
    def inputs(self) -> str: ...

    def ready(self) -> "Batch":
        """Itself with all that it takes along when it travels."""

    def pieces(self) -> Sequence[Piece]: ...

    def renderer(self, pieces: Sequence[Any]) -> Callable[[Any], Document]: ...


class Given(Struct, frozen=True):
    """A document as a piece; of what it is made is unknown."""

    document: Document
    inputs: str = ""
    item: bool = False
    kind: int = 0

    @property
    def address(self) -> str:
        return self.document.address


class Made(Struct, frozen=True):
    """A batch of documents that are there already."""

    given: Sequence[Given]
    portable: bool = False
    last: bool = False
    alone: bool = False
    long: bool = False
    inputs: str = ""

    def ready(self) -> "Made":
        return self

    def pieces(self) -> Sequence[Given]:
        return self.given

    def renderer(self, pieces: Sequence[Given]) -> Callable[[Given], Document]:
        return attrgetter("document")


Missing = tuple[Piece, bytes | None]
"""What a document is to be made for, and the published line of its address."""
Rendered = tuple[Document, Piece, bytes | None]
"""A document, what it was made for, and the published line of its address."""


class Task(Struct, frozen=True):
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
        portion = folding.portion(self.batch.inputs)
        if not portion.inputs:
            return portion
        files = by_folder(files_of(portion.checksums))
        return replace(portion, seen=record(self.place.folder, files))

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

    def fresh(self, missing: Iterable[Missing]) -> Iterator[Staged]:
        """Documents made anew, with what there is to tell of those that are not as they were."""
        for some in self.rendered(list(missing)):
            drafts = [Draft(document, line, piece.inputs) for document, piece, line in some]
            done = stage(self.place, drafts, self.stamp)
            yield from in_kinds(
                list(zip(done, some, strict=True)),
                kind=lambda found: found[1][0].media_type,
                make=lambda found: self.examined(*found),
            )

    def rendered(self, missing: Sequence[Missing]) -> Iterator[list[Rendered]]:
        """Documents with their pieces and lines, so many at a time."""
        render = self.batch.renderer([piece for piece, _ in missing])

        def document(piece: Piece) -> Document:
            return tried(piece.address, render, piece)

        together = 1 if self.batch.long else TOGETHER
        for start in range(0, len(missing), together):
            pieces, lines = zip(*missing[start : start + together], strict=True)
            documents = in_kinds(pieces, kind=attrgetter("kind"), make=document)
            yield list(zip(documents, pieces, lines, strict=True))

    def examined(self, done: Staged, rendered: Rendered) -> Staged:
        document, piece, line = rendered
        if line and line == document_line(done.told).text:
            return done
        evidence = tried(piece.address, self.check, document, self.stamp)
        return replace(done, evidence=evidence)


Item = TypeVar("Item")
Result = TypeVar("Result")


def in_kinds(
    items: Sequence[Item], kind: Callable[[Item], Any], make: Callable[[Item], Result]
) -> list[Result]:
    """What is made of each item, those of a kind one after the other.

    A processor is quickest at what it has just done.
    """
    order = sorted(range(len(items)), key=lambda number: kind(items[number]))
    made = {number: make(items[number]) for number in order}
    return [made[number] for number in range(len(items))]


class Carry(Struct, frozen=True):
    """A portion of the published release to be taken over as a whole."""

    place: Place
    checksums: Range
    seen: str = ""

    def done(self) -> str:
        """The record of its files, whose names are those of its checksums; none if it cannot be."""
        release = self.place.published
        return (
            carried(self.place, digests_in(release, self.checksums), self.seen) if release else ""
        )


def tried(address: str, make: Callable[..., Result], *of: Any) -> Result:
    """What is made. Raises `NotRendered` for whatever is wrong with the document at an address."""
    try:
        return make(*of)
    except FreezeError:
        raise
    except Exception as error:
        raise NotRendered(address, f"{type(error).__name__}: {error}") from error


def perform(task: Task) -> Portion:
    return task.done()


def carry(task: Carry) -> str:
    return task.done()
