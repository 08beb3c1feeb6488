"""Write pages as Markdown, by one function for each kind of block."""

import re
from collections.abc import Iterable, Iterator
from functools import singledispatch

from msgspec import Struct

from catalogue import addresses
from catalogue.addresses import Site
from catalogue.texts.markdown import read, with_absolute_links, without_html
from catalogue.texts.markdown.plain import unused_word
from catalogue.texts.reading_time import has_fence
from site_mirror.documents.escaping import escape_markdown
from site_mirror.documents.summaries import collapse_whitespace
from site_mirror.pages import blocks
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import FIRST_LEVEL, PageContent
from site_mirror.pages.templating import fence_code


class Url(Struct, frozen=True):
    """Makes addresses on a page absolute, because a mirror is also read outside of the site."""

    site: Site
    page: str

    def __call__(self, address: str) -> str:
        return self.site.url(f"{self.page}{address}" if address[0] == "#" else address)


def write_markdown(frame: Frame, page: PageContent) -> bytes:
    """Return the page as Markdown, UTF-8: title, summary, addresses, byline and blocks."""
    summary = page.page_summary
    url = Url(frame.site, summary.address)
    labels = {frame.gettext("Page"): summary.address, frame.gettext("Index"): addresses.LLMS}
    parts = [
        f"# {escape_markdown(summary.title)}",
        f"> {escape_markdown(collapse_whitespace(summary.summary))}" if summary.summary else "",
        " · ".join(f"{label}: <{url(address)}>" for label, address in labels.items()),
        " · ".join(inline_markdown(part, url) for part in page.byline),
        *(write_block(each, url, FIRST_LEVEL) for each in page.blocks),
    ]
    return ("\n\n".join(part for part in parts if part) + "\n").encode()


@singledispatch
def write_block(part: blocks.Block, url: Url, level: int) -> str:
    raise NotImplementedError(type(part).__name__)


@write_block.register
def _prose(part: blocks.EditorText, url: Url, level: int) -> str:
    text = with_absolute_links(without_html(part.markdown), url(url.page), part.prefix)
    return close_fence(text.strip("\n").rstrip())


@write_block.register
def _paragraphs(part: blocks.Paragraphs, url: Url, level: int) -> str:
    return escape_markdown(part.text)


@write_block.register
def _paragraph(part: blocks.Paragraph, url: Url, level: int) -> str:
    return inline_markdown(part.content, url)


@write_block.register
def _section(part: blocks.Section, url: Url, level: int) -> str:
    inside = (write_block(each, url, level + 1) for each in part.blocks)
    more = inline_markdown(part.more, url) if part.more else ""
    return join_parts(f"{'#' * level} {escape_markdown(part.title)}", *inside, more)


@write_block.register
def _facts(part: blocks.Facts, url: Url, level: int) -> str:
    return "\n".join(
        f"- {escape_markdown(label)}: {', '.join(inline_markdown(value, url) for value in values)}"
        for label, values in part.facts.items()
    )


@write_block.register
def _cards(part: blocks.Cards, url: Url, level: int) -> str:
    return "\n".join(card_line(each, url) for each in part.cards)


def card_line(part: blocks.Card, url: Url) -> str:
    notes = " · ".join(inline_markdown(note, url) for note in part.notes if note)
    summary = escape_markdown(collapse_whitespace(part.summary))
    about = ". ".join(text.rstrip(".") for text in (summary, notes) if text)
    return f"- {inline_markdown(part.link, url)}" + (f": {about}" if about else "")


@write_block.register
def _statistics(part: blocks.Statistics, url: Url, level: int) -> str:
    return "\n".join(
        f"- **{escape_markdown(number)}** {escape_markdown(label)}"
        for number, label in part.statistics
    )


@write_block.register
def _formula(part: blocks.Formula, url: Url, level: int) -> str:
    return f"$$\n{part.latex}\n$$"


@write_block.register
def _table(part: blocks.Table, url: Url, level: int) -> str:
    rows = [part.headings, ["---"] * len(part.headings)]
    lines = [table_row(cells) for cells in rows]
    lines += [table_row(table_cell(each, url) for each in cells) for cells in part.rows]
    return join_parts(escape_markdown(part.caption), "\n".join(lines))


def table_row(cells: Iterable[str]) -> str:
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells)


def table_cell(part: blocks.Inline, url: Url) -> str:
    """Return an inline part of a table, in which a bar ends a cell even inside code (GFM, 4.10)."""
    if isinstance(part, blocks.Phrase):
        return "".join(table_cell(each, url) for each in part.parts)
    text = inline_markdown(part, url)
    return text.replace("|", r"\|") if isinstance(part, blocks.Literal) else text


@write_block.register
def _milestones(part: blocks.Milestones, url: Url, level: int) -> str:
    return join_parts(*(write_milestone(each, url, level) for each in part.milestones))


def write_milestone(part: blocks.Milestone, url: Url, level: int) -> str:
    links = [f"- {inline_markdown(link, url)}" for link in part.links]
    return join_parts(
        f"{'#' * level} {escape_markdown(part.title)}",
        f"{escape_markdown(part.date.label)} · {escape_markdown(part.subject)}",
        escape_markdown(part.description),
        "\n".join(links),
    )


@write_block.register
def _links(part: blocks.Links, url: Url, level: int) -> str:
    links = "\n".join(f"- {inline_markdown(link, url)}" for link in part.links)
    return join_parts(f"{escape_markdown(part.label)}:" if part.label else "", links)


@write_block.register
def _archive(part: blocks.Archive, url: Url, level: int) -> str:
    return "\n".join(
        f"- {escape_markdown(moment.label)}: {inline_markdown(link, url)}"
        for moment, link in part.entries
    )


@write_block.register
def _items(part: blocks.ShortTexts, url: Url, level: int) -> str:
    return "\n".join(f"- {escape_markdown(item)}" for item in part.items)


@write_block.register
def _listing(part: blocks.Listing, url: Url, level: int) -> str:
    return join_parts(f"{escape_markdown(part.label)}:", fence_code(part.source, part.language))


@write_block.register
def _programs(part: blocks.Programs, url: Url, level: int) -> str:
    return join_parts(*(write_block(each, url, level) for each in part.listings))


@write_block.register
def _members(part: blocks.Members, url: Url, level: int) -> str:
    return "\n".join(line for each in part.members for line in member_lines(each, url))


def member_lines(part: blocks.Member, url: Url) -> Iterator[str]:
    names = " · ".join(inline_markdown(each, url) for each in (part.name, *part.notes))
    yield f"- {names}: {inline_markdown(part.meaning, url)}"
    for value, text in part.values:
        yield f"  - {inline_markdown(value, url)}: {inline_markdown(text, url)}"


@write_block.register
def _request(part: blocks.ApiRequest, url: Url, level: int) -> str:
    return f"`{part.operation}`: `GET {part.address}`"


@write_block.register(blocks.Explorer)
@write_block.register(blocks.Search)
def _program(part: blocks.Block, url: Url, level: int) -> str:
    """Return nothing, because the block is a program that shows another document."""
    return ""


def inline_markdown(part: blocks.Inline, url: Url) -> str:
    if isinstance(part, blocks.Link):
        note = f" ({escape_markdown(part.note)})" if part.note else ""
        return f"[{escape_markdown(part.label)}]({url(part.address)}){note}"
    if isinstance(part, blocks.Phrase):
        return "".join(inline_markdown(each, url) for each in part.parts)
    if isinstance(part, blocks.Literal):
        return f"`{part.text}`"
    if isinstance(part, blocks.InlineFormula):
        return f"${part.latex}$"
    return escape_markdown(part.label if isinstance(part, blocks.Moment) else part)


def join_parts(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


FENCES = re.compile("`{3,}|~{3,}")


def close_fence(markdown: str) -> str:
    """Return the text with its last fence closed, because otherwise later blocks would be code.

    A fence in a list or a quote ends with that, and a line of code may look like a fence. So the
    library tells whether a word after the text is a paragraph.
    """
    if not has_fence(markdown):
        return markdown
    word = unused_word(markdown)
    longest = {fence[0]: f"\n{fence}" for fence in sorted(FENCES.findall(markdown), key=len)}
    closed = (markdown + ending for ending in ("", *longest.values()))
    return next((text for text in closed if is_followed_by(text, word)), markdown)


def is_followed_by(markdown: str, word: str) -> bool:
    return f"<p>{word}</p>" in read(f"{markdown}\n\n{word}").html
