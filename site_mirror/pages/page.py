"""The content of one page in one language, from which its HTML and its Markdown are written."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from site_mirror.documents.summaries import PageSummary
from site_mirror.pages.blocks import Block, Inline, Link, Links

FIRST_LEVEL = 2
"""The level of the headings below the page's title."""


class PageContent(Struct, frozen=True):
    """The content of a page.

    `style` is a class of the style sheet; `byline` stands below the title, such as a date; `trail`
    has links from the home page to this one; `data` are objects of schema.org in JSON-LD beside the
    trail; `script` and `feed` are the addresses of an optional script and of the page's own feed.
    `beside` are lists of links to related pages, which stand outside of the content.
    """

    page_summary: PageSummary
    style: str
    blocks: Sequence[Block]
    byline: Sequence[Inline] = ()
    icon: str = ""
    trail: tuple[Link, ...] = ()
    data: Sequence[Mapping[str, Any]] = ()
    open_graph: str = "website"
    script: str = ""
    feed: str = ""
    beside: Sequence[Links] = ()

    @property
    def site_part(self) -> str:
        """The page in the navigation: the last page of the trail other than home, or itself."""
        return self.trail[-1].address if len(self.trail) > 1 else self.page_summary.address
