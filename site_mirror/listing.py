"""What lists are made of: a page in short, and who publishes it. No framework is imported here."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain
from typing import Protocol, TypeVar

from msgspec import Struct

from catalogue import addresses
from catalogue.localized import ENGLISH
from site_mirror.escaping import plain

Told_co = TypeVar("Told_co", covariant=True)


class Several(Protocol[Told_co]):
    """As many as there are; they may be made anew whenever somebody looks at them."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Told_co]: ...


class Listed(Struct, frozen=True):
    """One page in one language, as a list has it.

    `moment` is when it appeared and `changed` when its content last changed, both if known, the
    latter in the studio's time zone; `of_pages` says that it is itself a list of pages.
    """

    address: str
    language: str
    title: str
    summary: str
    twin: str | None = None
    moment: datetime | None = None
    changed: datetime | None = None
    of_pages: bool = False

    @property
    def mirror(self) -> str:
        return addresses.mirror(self.address)

    @property
    def in_english(self) -> bool:
        return self.language == ENGLISH

    @property
    def folder(self) -> str:
        """First part of an address that has several: `/blog/x` → `blog`, `/about` → nothing."""
        return self.address[1:].rpartition("/")[0].partition("/")[0]


class Group(Struct, frozen=True):
    """Pages of a language, either lists of pages, or none of them is."""

    language: str
    of_pages: bool
    pages: Several[Listed]


class Pages(Struct, frozen=True):
    """Every page in short; may be looked at more than once."""

    groups: Sequence[Group]

    def __len__(self) -> int:
        return sum(len(group.pages) for group in self.groups)

    def __iter__(self) -> Iterator[Listed]:
        return chain.from_iterable(group.pages for group in self.groups)

    def for_reading(self) -> Iterator[Listed]:
        """English first, and lists of pages last in each language."""
        first = sorted(self.groups, key=lambda group: (group.language != ENGLISH, group.of_pages))
        return iter(Pages(first))


class Publisher(Struct, frozen=True):
    """Who publishes the site, in a name, one line and an e-mail address."""

    name: str
    summary: str
    email: str


def one_line(text: str) -> str:
    return " ".join(text.split())


def link(site: addresses.Site, name: str, address: str, notes: str = "") -> str:
    """A line of a Markdown list, of plain texts.

    Readers of llms.txt take the first bracket for the end of a name, an escaped one, too.
    """
    label = plain(one_line(name).replace("[", "(").replace("]", ")"))
    about = f": {plain(one_line(notes))}" if notes else ""
    return f"- [{label}]({site.url(address)}){about}"
