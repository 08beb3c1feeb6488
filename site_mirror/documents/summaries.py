"""Summaries of pages and of the publisher, for lists of pages. No framework is imported here."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain
from typing import Protocol, TypeVar

from msgspec import Struct

from catalogue import addresses
from catalogue.localized import ENGLISH
from site_mirror.documents.escaping import escape_markdown

Item_co = TypeVar("Item_co", covariant=True)


class SizedIterable(Protocol[Item_co]):
    """An iterable with a length; each iteration may make its items again."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Item_co]: ...


class PageSummary(Struct, frozen=True):
    """A page in one language, as lists show it.

    `moment` is when it was published and `changed`, in the studio's time zone, when its content
    last changed, if these are known. `twin` is the address of its translation. `lists_pages` says
    that it is itself a list of pages.
    """

    address: str
    language: str
    title: str
    summary: str
    twin: str | None = None
    moment: datetime | None = None
    changed: datetime | None = None
    lists_pages: bool = False

    @property
    def mirror(self) -> str:
        return addresses.mirror_of(self.address)

    @property
    def in_english(self) -> bool:
        return self.language == ENGLISH

    @property
    def folder(self) -> str:
        """The first part of an address that has several: `/blog/x` → `blog`, `/about` → nothing."""
        return self.address[1:].rpartition("/")[0].partition("/")[0]


class PageGroup(Struct, frozen=True):
    """Pages of one language; either all of them are lists of pages, or none is."""

    language: str
    lists_pages: bool
    pages: SizedIterable[PageSummary]


class PageSummaries(Struct, frozen=True):
    """The summaries of all pages; each iteration starts again."""

    groups: Sequence[PageGroup]

    def __len__(self) -> int:
        return sum(len(group.pages) for group in self.groups)

    def __iter__(self) -> Iterator[PageSummary]:
        return chain.from_iterable(group.pages for group in self.groups)

    def for_reading(self) -> Iterator[PageSummary]:
        """Yield English pages first, and in each language lists of pages last."""
        first = sorted(
            self.groups, key=lambda group: (group.language != ENGLISH, group.lists_pages)
        )
        return iter(PageSummaries(first))


class Publisher(Struct, frozen=True):
    """The publisher of the site: a name, a line of text and an e-mail address."""

    name: str
    summary: str
    email: str


def collapse_whitespace(text: str) -> str:
    return " ".join(text.split())


def markdown_list_link(site: addresses.Site, name: str, address: str, notes: str = "") -> str:
    """Return an item of a Markdown list with a link; the arguments are plain texts.

    Brackets in a name are replaced, because readers of llms.txt take even an escaped one for the
    end of the name.
    """
    label = escape_markdown(collapse_whitespace(name).replace("[", "(").replace("]", ")"))
    about = f": {escape_markdown(collapse_whitespace(notes))}" if notes else ""
    return f"- [{label}]({site.url(address)}){about}"
