"""`/search-index.json`, from which the page `/search` finds passages: the plain text of all pages.

The library that finds them makes its index in the browser, because the live origin cannot make a
new one for each edit, and a program that makes one beforehand needs WebAssembly on the page.
"""

import re
from collections.abc import Iterable

import orjson

from catalogue import addresses
from catalogue.addresses import Site
from catalogue.texts.markdown import plain_sections
from site_mirror.documents.summaries import PageSummary, in_reading_order
from site_mirror.machine.llms import PAGE_RULE

_BETWEEN_PAGES = re.compile(rb"%b(?=# )" % PAGE_RULE)


def search_index(site: Site, language: str, pages: Iterable[PageSummary], joined: bytes) -> bytes:
    """Return the index of a language, JSON.

    Its member `pages` has the address, the title and the summary of each page, and the `sections`,
    each a heading and a text, of those that are no lists of others. `joined` is `/llms-full.txt`,
    so of a large site only the first pages have sections.
    """
    _introduction, *mirrors = _BETWEEN_PAGES.split(joined)
    end_of_head = f"<{site.url(addresses.LLMS)}>\n"
    found = [
        {
            "address": page.address,
            "title": page.title,
            "summary": page.summary,
            "sections": [*plain_sections(mirror.decode().partition(end_of_head)[2])]
            if not page.lists_pages
            else [],
        }
        for page, mirror in zip(in_reading_order(pages), mirrors, strict=True)
        if page.language == language
    ]
    return orjson.dumps({"pages": found})
