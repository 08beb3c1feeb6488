"""`/sitemap.xml` and its parts, and `/sitemap.md`.

Sources: sitemaps.org 0.9; Google's "Localized versions of your pages" for the alternates.
"""

from collections.abc import Iterable, Iterator, Sized
from io import BytesIO
from itertools import islice
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct

from catalogue import addresses
from catalogue.addresses import Site
from catalogue.localized import ENGLISH, VIETNAMESE
from site_mirror.listing import Listed, Several, link

LIMIT = 50_000
"""Addresses in one file (sitemaps.org)."""

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
SITEMAPS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
XHTML = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"'


class Part(Struct, frozen=True):
    """Some of the pages of a site map that has too many for one file."""

    slug: str
    start: int

    def of(self, pages: Iterable[Listed]) -> Iterator[Listed]:
        return islice(pages, self.start, self.start + LIMIT)


def parts(pages: Sized) -> list[Part]:
    """The parts that the index lists; none where one file holds every page."""
    if len(pages) <= LIMIT:
        return []
    starts = range(0, len(pages), LIMIT)
    return [Part(str(number), start) for number, start in enumerate(starts, start=1)]


def xml(site: Site, pages: Several[Listed]) -> bytes:
    """The pages, or an index of the parts."""
    if several := parts(pages):
        return index(site, several)
    return urls(site, pages)


def index(site: Site, several: Iterable[Part]) -> bytes:
    entries = (
        f"<sitemap><loc>{escape(site.url(addresses.sitemap_part(part.slug)))}</loc></sitemap>\n"
        for part in several
    )
    return document(f"<sitemapindex {SITEMAPS}>", entries, "</sitemapindex>")


def urls(site: Site, pages: Iterable[Listed]) -> bytes:
    entries = (f"<url>{''.join(members(site, page))}</url>\n" for page in pages)
    return document(f"<urlset {SITEMAPS} {XHTML}>", entries, "</urlset>")


def document(opening: str, entries: Iterable[str], closing: str) -> bytes:
    return f"{DECLARATION}{opening}\n{''.join(entries)}{closing}\n".encode()


def members(site: Site, page: Listed) -> Iterator[str]:
    yield f"<loc>{escape(site.url(page.address))}</loc>"
    if page.changed:
        yield f"<lastmod>{page.changed.isoformat(timespec='seconds')}</lastmod>"
    for language, address in alternates(page):
        yield (
            f'<xhtml:link rel="alternate" hreflang="{language}" '
            f"href={quoteattr(site.url(address))}/>"
        )


def alternates(page: Listed) -> list[tuple[str, str]]:
    """The page and its twin, each listing both; English for every other language."""
    if not page.twin:
        return []
    pair = (page.address, page.twin)
    english, vietnamese = pair if page.in_english else reversed(pair)
    return [(ENGLISH, english), (VIETNAMESE, vietnamese), ("x-default", english)]


HEADINGS = {ENGLISH: "English", VIETNAMESE: "Tiếng Việt"}


def markdown(site: Site, pages: Several[Listed]) -> bytes:
    """The same pages as a list for readers, each with its mirror; UTF-8."""
    text = BytesIO()
    text.write(
        b"# Site map\n\nThe Markdown mirror of a page is at its address plus `.md`, "
        b"that of the home page at `/index.md`.\n"
    )
    for language, heading in HEADINGS.items():
        before = f"\n## {heading}\n\n"
        for page in (page for page in pages if page.language == language):
            mirror = f" ([Markdown]({site.url(page.mirror)}))\n"
            text.write(f"{before}{link(site, page.title, page.address)}{mirror}".encode())
            before = ""
    return text.getvalue()
