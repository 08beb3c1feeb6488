"""A release of the shipped content, read from its files."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from catalogue import addresses
from site_mirror.snapshot.entries import Entry
from site_mirror.snapshot.target import Target

ROOT = "http://studio.localhost"
"""Browsers treat hosts below `localhost` as secure contexts."""


@dataclass(frozen=True)
class Page:
    """A page and its tree."""

    address: str
    entry: Entry
    html: str

    @cached_property
    def tree(self) -> LexborHTMLParser:
        return LexborHTMLParser(self.html)

    @property
    def url(self) -> str:
        return ROOT + self.address

    @property
    def mirror(self) -> str:
        return addresses.mirror_of(self.address)

    @property
    def in_vietnamese(self) -> bool:
        return self.address == "/vi" or self.address.startswith("/vi/")

    @property
    def language(self) -> str:
        return "vi" if self.in_vietnamese else "en"

    @property
    def kind(self) -> str:
        """The name of the family without its language: `post-vi` → `post`."""
        return self.entry.family.removesuffix(f"-{self.language}")

    @property
    def heading(self) -> str:
        [found] = self.all("h1")
        return found.text(strip=True)

    @property
    def summary(self) -> str:
        [found] = self.values('meta[name="description"]', "content")
        return found.strip()

    def all(self, selector: str) -> list[LexborNode]:
        return list(self.tree.css(selector))

    def values(self, selector: str, attribute: str) -> list[str]:
        """Return an attribute of all elements that match a selector."""
        return [node.attributes.get(attribute) or "" for node in self.tree.css(selector)]


@dataclass(frozen=True)
class Release:
    """A target that has been frozen into."""

    folder: Path

    @property
    def public(self) -> Path:
        return (self.folder / "current/public").resolve()

    @cached_property
    def entries(self) -> dict[str, Entry]:
        found = Target(self.folder).manifest()
        assert found is not None, f"{self.folder} has no release"
        return {entry.address: entry for entry in found.documents}

    def text(self, address: str) -> str:
        return (self.public / self.entries[address].file).read_text()

    @cached_property
    def pages(self) -> dict[str, Page]:
        return {
            entry.address: Page(entry.address, entry, self.text(entry.address))
            for entry in self.of_type("text/html")
        }

    @cached_property
    def mirrors(self) -> dict[str, str]:
        """The mirror of each page by the page's address."""
        return {page.address: self.text(page.mirror) for page in self.pages.values()}

    def of_type(self, *media_types: str) -> Iterator[Entry]:
        for entry in self.entries.values():
            if entry.media_type.partition(";")[0] in media_types:
                yield entry

    def files(self, *media_types: str) -> list[Path]:
        return [self.public / entry.file for entry in self.of_type(*media_types)]
