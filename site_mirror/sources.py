"""Where families have their subjects from: rows, neighbours in a list, or one whole."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from site_mirror.context import Context
from site_mirror.listing import Several

BATCH = 250
"""Rows that are read at a time."""

Question = Callable[[datetime], Any]
"""From a moment to a queryset."""


class Source(Protocol):
    """What the documents of a family are made of."""

    def all(self, context: Context) -> Iterable[Any]:
        """The subject of every document."""

    def one(self, context: Context, slug: str) -> Any:
        """The subject at the address of a slug; `None` where nothing is published."""


class Pack(Protocol):
    """Some subjects with all that they take along."""

    def contents(self) -> Any:
        """All that its documents are made of."""

    def __iter__(self) -> Iterator[Any]: ...


@runtime_checkable
class Unread(Protocol):
    """Some subjects. Two whose digests are the same, have the same contents."""

    def filled(self) -> Pack:
        """With all that they take along; may ask the database."""

    def __iter__(self) -> Iterator[Any]: ...


@runtime_checkable
class Packed(Protocol):
    """A source whose subjects can be handed over in packs, which are opened where they are used."""

    def packs(self, context: Context, *, read: bool = True) -> Iterable[Unread]:
        """Every subject, in packs that have much the same limits after an edit.

        Without `read`, a pack is filled where it is needed.
        """


@runtime_checkable
class Counted(Protocol):
    """A source of so many subjects that they are made anew whenever somebody looks at them."""

    def several(self, context: Context) -> Several[Any]:
        """The subject of every document; fit to travel to a process."""


@runtime_checkable
class Long(Protocol):
    """A source whose subjects are lists of posts: each makes a batch of its own."""

    def within(self, context: Context, least: int, most: float) -> Iterable[Any]:
        """The subjects with so many posts."""


class Nothing(Struct, frozen=True):
    """Of one document that depends on no row."""

    def all(self, context: Context) -> Iterable[Any]:
        return [()]

    def one(self, context: Context, slug: str) -> Any:
        return ()


NOTHING = Nothing()


class Whole(Struct, frozen=True):
    """Of one document, made of all the rows of a question."""

    question: Question

    def all(self, context: Context) -> Iterable[Any]:
        return [self.question(context.at)]

    def one(self, context: Context, slug: str) -> Any:
        return self.question(context.at)


class Gathered(Struct, frozen=True):
    """Of one document, made of what is gathered for it; there is none where that is `None`."""

    gather: Callable[[datetime], Any]

    def all(self, context: Context) -> Iterable[Any]:
        subject = self.gather(context.at)
        return [] if subject is None else [subject]

    def one(self, context: Context, slug: str) -> Any:
        return self.gather(context.at)


class Sole(Struct, frozen=True):
    """Of one document, made of the one row of a question, if it has one."""

    question: Question

    def all(self, context: Context) -> Iterable[Any]:
        yield from self.question(context.at)[:1]

    def one(self, context: Context, slug: str) -> Any:
        return self.question(context.at).first()


class Rows(Struct, frozen=True):
    """Of a document for each row, at the address that its slug makes."""

    question: Question

    def all(self, context: Context) -> Iterator[Any]:
        return iter(self.question(context.at).iterator(chunk_size=BATCH))

    def one(self, context: Context, slug: str) -> Any:
        return self.question(context.at).filter(slug=slug).first()
