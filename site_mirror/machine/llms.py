"""`/llms.txt` and `/llms-full.txt`: the site in the order in which a language model needs it.

Source: llmstxt.org. One heading, one quoted line, one paragraph, then lists of links alone.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import islice

from api.contract import LICENCE
from catalogue import addresses
from catalogue.addresses import Site
from site_mirror.escaping import plain
from site_mirror.listing import Listed, Publisher, link, one_line

LONGEST = 45_000
"""Characters; readers of the format expect fewer than 50,000."""

SECTIONS = {"": "Studio", "apps": "Apps", "blog": "Articles", "docs": "Documentation"}
IN_VIETNAMESE = "Tiếng Việt"
HEADINGS = (*SECTIONS.values(), IN_VIETNAMESE)
LONGEST_IN_FULL = 1_000_000
"""Bytes of mirrors in one file: what a reader with a large memory can hold at once."""
LINKS = "the links below lead to the mirrors, and under Optional to other files"
PAGES = "below are all of them, with a rule between two"
FIRST_PAGES = (
    "below are the first {count} of them, and where the others are, with a rule between two"
)
RULE = b"\n---\n\n"


def text(site: Site, publisher: Publisher, pages: Iterable[Listed]) -> bytes:
    """The index, UTF-8: where it would be too long, the last links of the longest part go."""
    opening, ending = head(site, publisher, LINKS), optional(site)
    room = LONGEST - len(opening) - len(ending)
    parts = fitting(sections(site, pages), room)
    body = [f"## {heading}\n\n" + "\n".join(links) + "\n" for heading, links in parts if links]
    return "\n".join([opening, *body, ending]).encode()


def full_text(
    site: Site, publisher: Publisher, pages: Iterable[Listed], mirrors: Iterable[bytes]
) -> bytes:
    """Every page's Markdown in one file, UTF-8, with a rule between two pages.

    `mirrors` are those of the `pages`. Where all would be too long, the last ones are a heading
    and a link each.
    """
    texts = list(while_there_is_room(mirrors))
    rest = BytesIO()
    for page in islice(pages, len(texts), None):
        rest.write(RULE + in_short(site, page))
    below = FIRST_PAGES.format(count=len(texts)) if rest.tell() else PAGES
    return RULE.join([head(site, publisher, below).encode(), *texts]) + rest.getvalue()


def while_there_is_room(mirrors: Iterable[bytes]) -> Iterator[bytes]:
    room = LONGEST_IN_FULL
    for mirror in mirrors:
        room -= len(mirror)
        if room < 0:
            return
        yield mirror


def in_short(site: Site, page: Listed) -> bytes:
    return f"# {plain(one_line(page.title))}\n\n<{site.url(page.mirror)}>\n".encode()


def head(site: Site, publisher: Publisher, below: str) -> str:
    name = plain(one_line(publisher.name))
    return f"""\
# {name}

> {plain(one_line(publisher.summary))}

Each page has a Markdown mirror at its address plus `.md`, the home page at \
`{addresses.mirror(addresses.HOME)}`; {below}. \
The same content is a read-only JSON API at {site.url(addresses.api("/"))}, which needs no key. \
Everything is published under {LICENCE}: please name {name} and link to \
{site.url(addresses.HOME)}.
"""


def sections(site: Site, pages: Iterable[Listed]) -> list[tuple[str, list[str]]]:
    """Links by heading, in the order of the headings; no more than a whole index could have."""
    found: dict[str, list[str]] = {heading: [] for heading in HEADINGS}
    lengths = Counter[str]()
    for page in (page for page in pages if not page.of_pages):
        heading = SECTIONS.get(page.folder, SECTIONS[""]) if page.in_english else IN_VIETNAMESE
        if lengths[heading] <= LONGEST:
            found[heading].append(link(site, page.title, page.mirror, page.summary))
            lengths[heading] += len(found[heading][-1])
    return list(found.items())


def fitting(parts: Sequence[tuple[str, list[str]]], room: int) -> Iterator[tuple[str, list[str]]]:
    """The first links of each part: what short parts leave of the room, the long ones have."""
    left = room
    shares: dict[str, list[str]] = {}
    by_length = sorted(parts, key=lambda part: sum(map(len, part[1])))
    for number, (heading, links) in enumerate(by_length):
        shares[heading] = list(first(links, left // (len(parts) - number) - len(heading)))
        left -= sum(len(line) + 1 for line in shares[heading]) + len(heading) + len("##  \n\n\n")
    return ((heading, shares[heading]) for heading, _ in parts)


def first(links: Iterable[str], room: int) -> Iterator[str]:
    for line in links:
        room -= len(line) + 1
        if room < 0:
            return
        yield line


def optional(site: Site) -> str:
    """What a reader in a hurry may leave out (llmstxt.org)."""
    links = [
        link(site, "Instructions for agents", addresses.AGENTS, "how to use the site and the API"),
        link(site, "Site map", addresses.SITE_MAP, "every page and its mirror"),
        link(site, "Everything in one file", addresses.LLMS_FULL, "the Markdown of every page"),
        link(site, "OpenAPI document", addresses.OPENAPI, "the API, described for programs"),
        link(site, "Articles as a feed", addresses.ATOM_FEED, "Atom, the newest first"),
    ]
    return "## Optional\n\n" + "\n".join(links) + "\n"
