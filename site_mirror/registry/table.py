"""The registry: one table of everything that is published.

The URL patterns and the snapshot are made from it. A document of no family in this table is not
published, live or frozen.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import attrgetter

from catalogue import questions
from catalogue.texts.localized import LANGUAGES
from site_mirror.documents import headers
from site_mirror.documents.assets import ASSETS
from site_mirror.documents.context import Context
from site_mirror.documents.family import Family
from site_mirror.documents.summaries import PageSummary
from site_mirror.machine.table import machine_files
from site_mirror.registry.families import (
    asset_family,
    endpoint_families,
    icon_family,
    image_families,
    openapi_family,
    picture_families,
)
from site_mirror.registry.pages import families_of_pages


@lru_cache(maxsize=1)
def page_summaries(context: Context) -> Sequence[PageSummary]:
    """Return the summaries of all pages, cached because several lists need them."""
    return [page for family in FAMILIES for page in family.summarize(context)]


def render_mirrors(context: Context) -> Iterator[bytes]:
    """Yield the Markdown of all pages, English first, and lists of pages last in each language."""
    for language in LANGUAGES:
        for family in sorted(FAMILIES, key=attrgetter("lists_pages")):
            if family.media_type == headers.MARKDOWN_TYPE and family.language == language:
                yield from (document.body() for document in family.documents(context))


FAMILIES: tuple[Family, ...] = (
    *endpoint_families(),
    openapi_family(),
    *families_of_pages(),
    icon_family(),
    *image_families(),
    *picture_families(),
    *map(asset_family, ASSETS.values()),
    *machine_files(page_summaries, render_mirrors),
)


FAMILIES_BY_NAME = {family.name: family for family in FAMILIES}


def former_addresses(context: Context) -> Iterator[tuple[str, str]]:
    """Yield former addresses and their present ones, in the order of the table.

    Families with the same rows share one query.
    """
    at = context.at
    asked = {family.rows for family in FAMILIES if family.rows}
    slugs = {
        rows: [(row.slug, row.today) for row in questions.former_slugs(at, of=rows(at))]
        for rows in asked
    }
    for family in FAMILIES:
        if family.rows:
            yield from family.moves(slugs[family.rows])
