"""What lists are made of: a page in short, and who publishes it. No framework is imported here."""

from dataclasses import dataclass
from datetime import datetime

from catalogue import addresses
from catalogue.localized import ENGLISH


@dataclass(frozen=True, slots=True)
class Listed:
    """One page in one language, as a list has it.

    `moment` is when it appeared, if known; `of_pages` says that it is itself a list of pages.
    """

    address: str
    language: str
    title: str
    summary: str
    twin: str | None = None
    moment: datetime | None = None
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


@dataclass(frozen=True, slots=True)
class Publisher:
    """Who publishes the site, in a name, one line and an e-mail address."""

    name: str
    summary: str
    email: str


def one_line(text: str) -> str:
    return " ".join(text.split())


def link(site: addresses.Site, name: str, address: str, notes: str = "") -> str:
    """A line of a Markdown list; brackets in a name would end it (llmstxt.org)."""
    label = one_line(name).replace("[", "(").replace("]", ")")
    about = f": {one_line(notes)}" if notes else ""
    return f"- [{label}]({site.url(address)}){about}"
