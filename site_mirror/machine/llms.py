"""`/llms.txt` and `/llms-full.txt`: an index of the site and its full text, for language models.

Source: llmstxt.org. The format is a heading, a quoted line, a paragraph, and lists of links.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from api.contract import LICENCE
from catalogue import addresses
from catalogue.addresses import Site
from catalogue.texts.markdown import with_unique_labels
from site_mirror.documents.escaping import escape_markdown
from site_mirror.documents.summaries import (
    PageSummary,
    Publisher,
    collapse_whitespace,
    markdown_list_link,
)

Text = TypeVar("Text", str, bytes)

MAX_INDEX_CHARACTERS = 45_000
"""Programs that read the format expect fewer than 50,000 characters."""

HEADING_BY_FOLDER = {"": "Studio", "apps": "Apps", "blog": "Articles", "docs": "Documentation"}
IN_VIETNAMESE = "Tiếng Việt"
SECTION_HEADINGS = (*HEADING_BY_FOLDER.values(), IN_VIETNAMESE)
MAX_FULL_TEXT_BYTES = 1_000_000
"""Bytes of mirrors in one file, which large language models can read at once."""
ABOUT_LINKS = "the links below lead to the mirrors, and under Optional to other files"
ABOUT_ALL_PAGES = "below are all of them, with a rule between two"
ABOUT_FIRST_PAGES = (
    "below are the first {count} of them, and where the others are, with a rule between two"
)
PAGE_RULE = b"\n---\n\n"
OPTIONAL_LINKS = (
    ("Instructions for agents", addresses.AGENTS, "how to use the site and the API"),
    ("Site map", addresses.SITE_MAP, "every page and its mirror"),
    ("Everything in one file", addresses.LLMS_FULL, "the Markdown of every page"),
    ("OpenAPI document", addresses.OPENAPI, "the API, described for programs"),
    ("Articles as a feed", addresses.ATOM_FEED, "Atom, the newest first"),
)


def llms_txt(site: Site, publisher: Publisher, pages: Iterable[PageSummary]) -> bytes:
    """Return the index, UTF-8; if it would be too long, long sections lose their last links."""
    opening, ending = introduction(site, publisher, ABOUT_LINKS), optional_section(site)
    room = MAX_INDEX_CHARACTERS - len(opening) - len(ending)
    parts = fit_sections(links_by_heading(site, pages), room)
    body = [f"## {heading}\n\n{''.join(links)}" for heading, links in parts if links]
    return "\n".join([opening, *body, ending]).encode()


def llms_full_txt(
    site: Site, publisher: Publisher, pages: Iterable[PageSummary], mirrors: Iterable[bytes]
) -> bytes:
    """Return the Markdown of all pages in one file, UTF-8, with a rule between two pages.

    `mirrors` are those of the `pages`. If the file would be too long, the last pages are only a
    heading and a link each. So is a page whose text cannot be joined with others.
    """
    listed, texts = list(pages), list(take_first(mirrors, MAX_FULL_TEXT_BYTES))
    rest = [page_reference(site, page) for page in listed[len(texts) :]]
    below = ABOUT_FIRST_PAGES.format(count=len(texts)) if rest else ABOUT_ALL_PAGES
    joined = (
        joinable_text(text, number) or page_reference(site, page)
        for number, (page, text) in enumerate(zip(listed, texts, strict=False), start=1)
    )
    return PAGE_RULE.join([introduction(site, publisher, below).encode(), *joined, *rest])


def joinable_text(mirror: bytes, number: int) -> bytes | None:
    """Return a mirror with labels of its own; `None` if it has none or looks like several texts."""
    if PAGE_RULE + b"# " in mirror:
        return None
    if b"]:" not in mirror:
        return mirror
    text = with_unique_labels(mirror.decode(), f"-p{number}")
    return text.encode() if text else None


def take_first(texts: Iterable[Text], room: int) -> Iterator[Text]:
    for text in texts:
        room -= len(text)
        if room < 0:
            return
        yield text


def page_reference(site: Site, page: PageSummary) -> bytes:
    title = escape_markdown(collapse_whitespace(page.title))
    return f"# {title}\n\n<{site.url(page.mirror)}>\n".encode()


def introduction(site: Site, publisher: Publisher, below: str) -> str:
    name = escape_markdown(collapse_whitespace(publisher.name))
    return f"""\
# {name}

> {escape_markdown(collapse_whitespace(publisher.summary))}

Each page has a Markdown mirror at its address plus `.md`, the home page at \
`{addresses.mirror_of(addresses.HOME)}`; {below}. \
The same content is a read-only JSON API at {site.url(addresses.api_address("/"))}, which needs \
no key. Everything is published under {LICENCE}: please name {name} and link to \
{site.url(addresses.HOME)}.
"""


def links_by_heading(site: Site, pages: Iterable[PageSummary]) -> list[tuple[str, list[str]]]:
    """Return links by heading, in the order of the headings, at most as many as an index has."""
    links: dict[str, list[str]] = {heading: [] for heading in SECTION_HEADINGS}
    lengths = Counter[str]()
    for page in (page for page in pages if not page.lists_pages):
        in_english = HEADING_BY_FOLDER.get(page.folder, HEADING_BY_FOLDER[""])
        heading = in_english if page.in_english else IN_VIETNAMESE
        if lengths[heading] <= MAX_INDEX_CHARACTERS:
            link = markdown_list_link(site, page.title, page.mirror, page.summary) + "\n"
            links[heading].append(link)
            lengths[heading] += len(link)
    return list(links.items())


def fit_sections(
    parts: Sequence[tuple[str, list[str]]], room: int
) -> Iterator[tuple[str, list[str]]]:
    """Yield the first links of each section; long sections share the space that others leave."""
    left = room
    shares: dict[str, list[str]] = {}
    by_length = sorted(parts, key=lambda part: sum(map(len, part[1])))
    for number, (heading, links) in enumerate(by_length):
        share = left // (len(parts) - number) - len(heading)
        shares[heading] = list(take_first(links, share))
        left -= sum(map(len, shares[heading])) + len(heading) + len("##  \n\n\n")
    return ((heading, shares[heading]) for heading, _ in parts)


def optional_section(site: Site) -> str:
    """Return the section “Optional”, which readers may skip (llmstxt.org)."""
    links = [markdown_list_link(site, *link) for link in OPTIONAL_LINKS]
    return "## Optional\n\n" + "\n".join(links) + "\n"
