"""A page as Markdown: the same blocks, one writer for each kind."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from catalogue import addresses
from catalogue.addresses import Site
from catalogue.markdown import LimitExceeded, reason, with_absolute_links
from catalogue.reading_time import has_fence
from site_mirror.escaping import plain
from site_mirror.listing import one_line
from site_mirror.pages.blocks import (
    Archive,
    Block,
    Card,
    Cards,
    Code,
    Explorer,
    Facts,
    Formula,
    Inline,
    Items,
    Link,
    Links,
    Listing,
    Literal,
    Milestone,
    Milestones,
    Moment,
    Neighbours,
    Paragraph,
    Paragraphs,
    Phrase,
    Prose,
    Request,
    Section,
    Statistics,
    Table,
)
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import FIRST_LEVEL, Page
from site_mirror.pages.templating import fenced


class Url(Struct, frozen=True):
    """Makes addresses of a page absolute."""

    site: Site
    page: Page

    def __call__(self, address: str) -> str:
        place = f"{self.page.address}{address}" if address[0] == "#" else address
        return self.site.url(place)


def write(frame: Frame, page: Page) -> bytes:
    """The page as Markdown, UTF-8: its heading, where it and the index are, then its blocks."""
    url = Url(frame.site, page)
    parts = [
        f"# {plain(page.title)}",
        f"> {plain(one_line(page.summary))}" if page.summary else "",
        pointers(frame, page),
        " · ".join(inline(part, url) for part in page.byline),
        *(block(each, url, FIRST_LEVEL) for each in page.blocks),
    ]
    return ("\n\n".join(part for part in parts if part) + "\n").encode()


def pointers(frame: Frame, page: Page) -> str:
    """Where the page and the index of the site are."""
    labels = {frame.gettext("Page"): page.address, frame.gettext("Index"): addresses.LLMS}
    return " · ".join(f"{label}: <{frame.site.url(address)}>" for label, address in labels.items())


def block(part: Block, url: Url, level: int) -> str:
    """A block; `level` is that of the next heading."""
    return WRITERS[type(part)](part, url, level)


def _prose(part: Prose, url: Url, level: int) -> str:
    language = part.language or url.page.language
    try:
        text = with_absolute_links(part.markdown, url(url.page.address), part.prefix)
    except LimitExceeded as error:
        return plain(reason(error, language))
    return closed(text.strip("\n").rstrip())


def _paragraphs(part: Paragraphs, url: Url, level: int) -> str:
    return plain(part.text)


def _paragraph(part: Paragraph, url: Url, level: int) -> str:
    return inline(part.content, url)


def _section(part: Section, url: Url, level: int) -> str:
    inside = (block(each, url, level + 1) for each in part.blocks)
    more = inline(part.more, url) if part.more else ""
    return joined(f"{'#' * level} {plain(part.title)}", *inside, more)


def _facts(part: Facts, url: Url, level: int) -> str:
    return "\n".join(
        f"- {plain(fact.label)}: {', '.join(inline(value, url) for value in fact.values)}"
        for fact in part.facts
    )


def _cards(part: Cards, url: Url, level: int) -> str:
    return "\n".join(card(each, url) for each in part.cards)


def card(part: Card, url: Url) -> str:
    notes = " · ".join(inline(note, url) for note in part.notes if note)
    summary = plain(one_line(part.summary))
    about = ". ".join(text.rstrip(".") for text in (summary, notes) if text)
    return f"- [{plain(part.title)}]({url(part.address)})" + (f": {about}" if about else "")


def _statistics(part: Statistics, url: Url, level: int) -> str:
    return "\n".join(f"- **{plain(each.display)}** {plain(each.label)}" for each in part.statistics)


def _formula(part: Formula, url: Url, level: int) -> str:
    return f"$$\n{part.latex}\n$$"


def _table(part: Table, url: Url, level: int) -> str:
    rows = [part.headings, ["---"] * len(part.headings)]
    lines = [row(cells) for cells in rows]
    lines += [row(cell(each, url) for each in cells) for cells in part.rows]
    return joined(plain(part.caption), "\n".join(lines))


def row(cells: Iterable[str]) -> str:
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells)


def cell(part: Inline, url: Url) -> str:
    """An inline part in a table, where a bar ends a cell even inside of code (GFM, 4.10)."""
    if isinstance(part, Phrase):
        return "".join(cell(each, url) for each in part.parts)
    written = inline(part, url)
    return written.replace("|", r"\|") if isinstance(part, Literal) else written


def _milestones(part: Milestones, url: Url, level: int) -> str:
    return joined(*(milestone(each, url, level) for each in part.milestones))


def milestone(part: Milestone, url: Url, level: int) -> str:
    links = [f"- {inline(link, url)}" for link in part.links]
    return joined(
        f"{'#' * level} {plain(part.title)}",
        f"{plain(part.date.label)} · {plain(part.subject)}",
        plain(part.description),
        "\n".join(links),
    )


def _links(part: Links, url: Url, level: int) -> str:
    links = "\n".join(f"- {inline(link, url)}" for link in part.links)
    return joined(f"{plain(part.label)}:" if part.label else "", links)


def _archive(part: Archive, url: Url, level: int) -> str:
    return "\n".join(
        f"- {plain(moment.label)}: {inline(link, url)}" for moment, link in part.entries
    )


def _items(part: Items, url: Url, level: int) -> str:
    return "\n".join(f"- {plain(item)}" for item in part.items)


def _code(part: Code, url: Url, level: int) -> str:
    return fenced(part.source, part.language)


def _listing(part: Listing, url: Url, level: int) -> str:
    return joined(f"{plain(part.label)}:", fenced(part.source, part.language))


def _request(part: Request, url: Url, level: int) -> str:
    return f"{literal(part.operation)}: {literal(f'{part.method} {part.address}')}"


def _explorer(part: Explorer, url: Url, level: int) -> str:
    """Nothing: it is a program, and what it shows stands elsewhere."""
    return ""


def _neighbours(part: Neighbours, url: Url, level: int) -> str:
    found = (each for each in (part.newer, part.older) if each)
    return "\n".join(f"- {plain(each.label)}: {inline(each.link, url)}" for each in found)


WRITERS: dict[type[Block], Callable[[Any, Url, int], str]] = {
    Prose: _prose,
    Paragraphs: _paragraphs,
    Paragraph: _paragraph,
    Section: _section,
    Facts: _facts,
    Cards: _cards,
    Statistics: _statistics,
    Formula: _formula,
    Table: _table,
    Milestones: _milestones,
    Links: _links,
    Archive: _archive,
    Items: _items,
    Code: _code,
    Listing: _listing,
    Request: _request,
    Explorer: _explorer,
    Neighbours: _neighbours,
}


def inline(part: Inline, url: Url) -> str:
    if isinstance(part, Link):
        note = f" ({plain(part.note)})" if part.note else ""
        return f"[{plain(part.label)}]({url(part.address)}){note}"
    if isinstance(part, Phrase):
        return "".join(inline(each, url) for each in part.parts)
    if isinstance(part, Literal):
        return literal(part.text)
    return plain(part.label if isinstance(part, Moment) else part)


def literal(text: str) -> str:
    """Text as code, between more backticks than it has in a row (CommonMark, 6.1)."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    blank = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{blank}{text}{blank}{fence}"


def joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n]*$", re.MULTILINE)


def closed(markdown: str) -> str:
    """The text with an end to the code that has none, or what follows would be code."""
    fence = ""
    if not has_fence(markdown):
        return markdown
    for found in FENCE.finditer(markdown):
        mark, rest = found[1], found[0].strip()
        if not fence:
            fence = mark
        elif rest == mark and mark.startswith(fence):
            fence = ""
    return f"{markdown}\n{fence}" if fence else markdown
