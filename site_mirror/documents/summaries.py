"""Summaries of pages and of the publisher, for lists of pages. No framework is imported here."""

from collections.abc import Iterable
from datetime import datetime

from msgspec import Struct

from catalogue import addresses
from catalogue.texts.localized import ENGLISH, VIETNAMESE
from site_mirror.documents.escaping import escape_markdown


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
    def alternates(self) -> list[tuple[str, str]]:
        """Languages and addresses of a translated page, itself included; English is the default."""
        if not self.twin:
            return []
        pair = (self.address, self.twin)
        english, vietnamese = pair if self.in_english else reversed(pair)
        return [(ENGLISH, english), (VIETNAMESE, vietnamese), ("x-default", english)]

    @property
    def folder(self) -> str:
        """The first part of an address that has several: `/blog/x` → `blog`, `/about` → nothing."""
        return self.address[1:].rpartition("/")[0].partition("/")[0]


def in_reading_order(pages: Iterable[PageSummary]) -> list[PageSummary]:
    """Return English pages first, and in each language lists of pages last."""
    return sorted(pages, key=lambda page: (not page.in_english, page.lists_pages))


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
