"""Sources of the subjects of families: each row, a single row, all rows, or a gathered value."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from site_mirror.documents.context import Context
from site_mirror.documents.summaries import SizedIterable

ROWS_PER_READ = 250
"""Rows that are read at a time."""

Question = Callable[[datetime], Any]
"""Returns a queryset for a moment."""


class Source(Protocol):
    """Returns the subjects of a family's documents."""

    def all(self, context: Context) -> Iterable[Any]:
        """Return the subject of each document."""

    def one(self, context: Context, slug: str) -> Any:
        """Return the subject at the address of a slug; `None` if there is no document."""


class Unloaded(Protocol):
    """A group of subjects that are not kept in memory.

    `version` is a digest of everything that they are made of; it is empty if it is unknown.
    """

    @property
    def version(self) -> str: ...

    def load(self) -> Iterable[Any]:
        """Read the subjects from the database."""


@runtime_checkable
class InGroups(Protocol):
    """A source whose subjects are too long to be read all at once."""

    def unloaded(self, context: Context) -> Iterable[Unloaded]:
        """Return all subjects in groups, few of which an edit changes."""


@runtime_checkable
class CountedSource(Protocol):
    """A source with so many subjects that each iteration makes them again."""

    def several(self, context: Context) -> SizedIterable[Any]: ...


class NoRows(Struct, frozen=True):
    """The source of a single document that depends on no row."""

    def all(self, context: Context) -> Iterable[Any]:
        return [()]

    def one(self, context: Context, slug: str) -> Any:
        return ()


NO_ROWS = NoRows()


class AllRows(Struct, frozen=True):
    """The source of a single document, made of all rows of a question."""

    question: Question

    def all(self, context: Context) -> Iterable[Any]:
        return [self.question(context.at)]

    def one(self, context: Context, slug: str) -> Any:
        return self.question(context.at)


class Gathered(Struct, frozen=True):
    """The source of a single document, made of a gathered value; `None` is no document."""

    gather: Callable[[datetime], Any]

    def all(self, context: Context) -> Iterable[Any]:
        subject = self.gather(context.at)
        return [] if subject is None else [subject]

    def one(self, context: Context, slug: str) -> Any:
        return self.gather(context.at)


class SingleRow(Struct, frozen=True):
    """The source of a single document, made of the only row of a question, if it has one."""

    question: Question

    def all(self, context: Context) -> Iterable[Any]:
        yield from self.question(context.at)[:1]

    def one(self, context: Context, slug: str) -> Any:
        return self.question(context.at).first()


class EachRow(Struct, frozen=True):
    """The source of a document for each row, at the address with its slug."""

    question: Question

    def all(self, context: Context) -> Iterator[Any]:
        return iter(self.question(context.at).iterator(chunk_size=ROWS_PER_READ))

    def one(self, context: Context, slug: str) -> Any:
        return self.question(context.at).filter(slug=slug).first()
