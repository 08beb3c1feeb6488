"""One page in one language, before it is HTML or Markdown: both are made from this."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from site_mirror.listing import Listed
from site_mirror.pages.blocks import Block, Inline, Link

FIRST_LEVEL = 2
"""Of the headings below a page's own."""


class Page(Struct, frozen=True):
    """What a page says.

    `style` is what its look hangs on; `byline` stands below the heading, such as a date; `trail`
    leads here from the home page; `data` are objects of schema.org in JSON-LD; `script` is the
    address of a script that nobody needs to read the page.
    """

    listed: Listed
    style: str
    blocks: Sequence[Block]
    byline: Sequence[Inline] = ()
    icon: str = ""
    trail: tuple[Link, ...] = ()
    data: Sequence[Mapping[str, Any]] = ()
    open_graph: str = "website"
    script: str = ""

    @property
    def place(self) -> str:
        """Where the page is among the parts of the site: itself, or the last but home above it."""
        return self.trail[-1].address if len(self.trail) > 1 else self.address

    @property
    def title(self) -> str:
        return self.listed.title

    @property
    def summary(self) -> str:
        return self.listed.summary

    @property
    def address(self) -> str:
        return self.listed.address

    @property
    def language(self) -> str:
        return self.listed.language
