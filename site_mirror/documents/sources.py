"""Sources of the subjects of families: the rows, or other values, that documents are made of."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any

from msgspec import Struct

from site_mirror.documents.context import Context

ROWS_PER_READ = 250
"""Rows that are read at a time."""

Question = Callable[[datetime], Any]
"""Returns a queryset for a moment."""


class Group(Struct, frozen=True):
    """Subjects that a freeze builds together, and which `load` reads.

    `digest` covers everything that they are made of; it is empty if it is unknown.
    """

    load: Callable[[], Iterable[Any]]
    digest: str = ""


class Source(Struct, frozen=True):
    """Returns the subjects of a family's documents."""

    def all(self, context: Context) -> Iterable[Any]:
        """Return the subject of each document."""
        raise NotImplementedError

    def one(self, context: Context, slug: str) -> Any:
        """Return the subject at the address of a slug; `None` if there is no document."""
        raise NotImplementedError

    def groups(self, context: Context) -> Iterable[Group]:
        """Return all subjects in groups."""
        return [Group(lambda: self.all(context))]


class One(Source, frozen=True):
    """The source of a single document; there is none if `read` returns `None`."""

    read: Callable[[Context], Any]

    def all(self, context: Context) -> Iterable[Any]:
        subject = self.read(context)
        return [] if subject is None else [subject]

    def one(self, context: Context, slug: str) -> Any:
        return self.read(context)


class SingleRow(Source, frozen=True):
    """The source of a single document, made of the only row of a question, if it has one."""

    question: Question

    def all(self, context: Context) -> Iterable[Any]:
        yield from self.question(context.at)[:1]

    def one(self, context: Context, slug: str) -> Any:
        return self.question(context.at).first()


class EachRow(Source, frozen=True):
    """The source of a document for each row, at the address with its slug."""

    question: Question

    def all(self, context: Context) -> Iterator[Any]:
        return iter(self.question(context.at).iterator(chunk_size=ROWS_PER_READ))

    def one(self, context: Context, slug: str) -> Any:
        return self.question(context.at).filter(slug=slug).first()


NO_ROWS = One(lambda context: ())
"""The source of a single document that depends on no row."""
