"""Sources of the subjects of families: the rows, or other values, that documents are made of."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import cache
from typing import Any, Protocol, TypeVar
from zlib import crc32

from msgspec import Struct

from site_mirror.documents.context import Context

ROWS_PER_READ = 250
"""Rows that are read at a time."""

MAX_ROWS_IN_GROUP = 200
"""Rows in the largest group."""
MEAN_ROWS_IN_GROUP = 64
"""Rows in an average group."""

RowT = TypeVar("RowT")

Question = Callable[[datetime], Any]
"""Returns a queryset for a moment."""


class Group(Struct, frozen=True):
    """Subjects that a freeze builds together, and which `load` reads.

    They can be sent to another process, which must not query. `digest` covers everything that they
    are made of; it is empty if it is unknown.
    """

    load: Callable[[], Iterable[Any]]
    digest: str = ""


class Source(Protocol):
    """The subjects of a family's documents."""

    def all(self, context: Context) -> Iterable[Any]:
        """Return the subject of each document."""

    def one(self, context: Context, slug: str) -> Any:
        """Return the subject at the address of a slug; `None` if there is no document."""


def groups_of(source: Source, context: Context) -> Iterable[Group]:
    """Return the `groups` of a source that knows what its subjects are made of, or a single one."""
    groups: Callable[[Context], Iterable[Group]] | None = getattr(source, "groups", None)
    return groups(context) if groups else [Group(lambda: list(source.all(context)))]


def divide_rows(rows: Iterable[RowT], slug: Callable[[RowT], str]) -> Iterator[list[RowT]]:
    """Divide rows into those of groups.

    The slug of a row decides whether it ends a group, so a new row moves no other limit.
    """
    group: list[RowT] = []
    for row in rows:
        group.append(row)
        is_last = crc32(slug(row).encode()) % MEAN_ROWS_IN_GROUP == 0
        if is_last or len(group) == MAX_ROWS_IN_GROUP:
            yield group
            group = []
    if group:
        yield group


class One(Struct, frozen=True):
    """The source of a single document; there is none if `read` returns `None`."""

    read: Callable[[Context], Any]

    def all(self, context: Context) -> Iterable[Any]:
        subject = self.read(context)
        return [] if subject is None else [subject]

    def one(self, context: Context, slug: str) -> Any:
        return self.read(context)


@cache  # Families with an equal source are rendered after one reading of it.
def single_row(question: Question) -> One:
    """Return the source of a document that is made of the only row of a question, if it has one."""
    return One(lambda context: question(context.at).first())


class EachRow(Struct, frozen=True):
    """The source of a document for each row, at the address with its slug."""

    question: Question

    def all(self, context: Context) -> Iterator[Any]:
        return iter(self.question(context.at).iterator(chunk_size=ROWS_PER_READ))

    def one(self, context: Context, slug: str) -> Any:
        return self.question(context.at).filter(slug=slug).first()


class Listed(Struct, frozen=True):
    """The source of a document for each value of a list, at the address with its slug."""

    all: Callable[[Context], Iterable[Any]]

    def one(self, context: Context, slug: str) -> Any:
        return next((each for each in self.all(context) if each.slug == slug), None)


NO_ROWS = One(lambda context: ())
"""The source of a single document that depends on no row."""
