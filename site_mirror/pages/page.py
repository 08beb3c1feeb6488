"""The content of one page in one language, from which its HTML and its Markdown are written."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from catalogue import addresses
from site_mirror.documents.summaries import PageSummary
from site_mirror.pages.blocks import Block, Inline, Link, Links

FIRST_LEVEL = 2
"""The level of the headings below the page's title."""


def picture_of(page: PageSummary, row: Any) -> str:
    """Return the address of the picture of a row's page, or nothing if it has none."""
    has_picture = getattr(row, f"has_picture_{page.language}", False)
    return addresses.picture_of(page.address) if has_picture else ""


class PageContent(Struct, frozen=True):
    """The content of a page.

    `style` is a class of the style sheet; `byline` stands below the title, such as a date; `trail`
    has links from the home page to this one; `data` are objects of schema.org in JSON-LD beside the
    trail; `script` and `feed` are the addresses of an optional script and of the page's own feed;
    `picture` is that of its own picture, which other sites show beside a link to it. `beside` are
    lists of links to related pages, which stand outside of the content.
    """

    page_summary: PageSummary
    style: str
    blocks: Sequence[Block]
    byline: Sequence[Inline] = ()
    icon: str = ""
    picture: str = ""
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
