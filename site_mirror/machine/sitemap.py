"""`/sitemap.xml` and its parts, and `/sitemap.md`.

Sources: sitemaps.org 0.9; Google's "Localized versions of your pages" for the alternates.
"""

from collections.abc import Iterable, Iterator, Sequence, Sized
from itertools import islice
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct

from catalogue import addresses
from catalogue.addresses import Site
from catalogue.texts.localized import LANGUAGE_NAMES
from site_mirror.documents.summaries import PageSummary, markdown_list_link

MAX_ADDRESSES_IN_FILE = 50_000
"""The limit of sitemaps.org."""

XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
SITEMAP_NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
XHTML_NAMESPACE = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"'


class SitemapPart(Struct, frozen=True):
    """Consecutive pages of a site map that has too many pages for one file."""

    slug: str
    start: int

    def of(self, pages: Iterable[PageSummary]) -> Iterator[PageSummary]:
        return islice(pages, self.start, self.start + MAX_ADDRESSES_IN_FILE)


def sitemap_parts(pages: Sized) -> list[SitemapPart]:
    """Return the parts for the index, or none if one file can list all pages."""
    if len(pages) <= MAX_ADDRESSES_IN_FILE:
        return []
    starts = range(0, len(pages), MAX_ADDRESSES_IN_FILE)
    return [SitemapPart(str(number), start) for number, start in enumerate(starts, start=1)]


def sitemap_xml(site: Site, pages: Sequence[PageSummary]) -> bytes:
    parts = sitemap_parts(pages)
    if not parts:
        return urlset_xml(site, pages)
    entries = (
        f"<sitemap><loc>{escape(site.url(addresses.sitemap_part(part.slug)))}</loc></sitemap>\n"
        for part in parts
    )
    return xml_document(f"<sitemapindex {SITEMAP_NAMESPACE}>", entries, "</sitemapindex>")


def urlset_xml(site: Site, pages: Iterable[PageSummary]) -> bytes:
    entries = (f"<url>{''.join(url_elements(site, page))}</url>\n" for page in pages)
    return xml_document(f"<urlset {SITEMAP_NAMESPACE} {XHTML_NAMESPACE}>", entries, "</urlset>")


def xml_document(opening: str, entries: Iterable[str], closing: str) -> bytes:
    return f"{XML_DECLARATION}{opening}\n{''.join(entries)}{closing}\n".encode()


def url_elements(site: Site, page: PageSummary) -> Iterator[str]:
    yield f"<loc>{escape(site.url(page.address))}</loc>"
    if page.changed:
        yield f"<lastmod>{page.changed.isoformat(timespec='seconds')}</lastmod>"
    for language, address in page.alternates:
        yield (
            f'<xhtml:link rel="alternate" hreflang="{language}" '
            f"href={quoteattr(site.url(address))}/>"
        )


def sitemap_markdown(site: Site, pages: Sequence[PageSummary]) -> bytes:
    text = (
        "# Site map\n\nThe Markdown mirror of a page is at its address plus `.md`, "
        "that of the home page at `/index.md`.\n"
    )
    for language, heading in LANGUAGE_NAMES.items():
        links = [
            f"{markdown_list_link(site, page.title, page.address)}"
            f" ([Markdown]({site.url(page.mirror)}))\n"
            for page in pages
            if page.language == language
        ]
        text += f"\n## {heading}\n\n{''.join(links)}" if links else ""
    return text.encode()
