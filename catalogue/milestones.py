"""Milestones with the links that readers may follow, at today's addresses."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import datetime
from typing import Any

from django.conf import settings

from catalogue import addresses, questions
from catalogue.models import Page, TimelineEntry, TimelineLink
from catalogue.texts.localized import LANGUAGES, VIETNAMESE
from catalogue.todays_links import ADDRESS, TodaysLinks, read_todays_links

SLUG = "[a-z0-9-]+"
PAGES = "|".join(
    (*addresses.STANDING_PAGES.values(), addresses.app_page(SLUG), addresses.post_page(SLUG))
)
ROWS: tuple[tuple[Any, Callable[[str], str]], ...] = (
    (questions.apps_in, addresses.app_page),
    (questions.posts_in, addresses.post_page),
)
CHECKED_PAGE = re.compile(f"(/vi)?({PAGES})|/vi")


def timeline(at: datetime, todays: TodaysLinks | None = None) -> list[TimelineEntry]:
    """Return the milestones of a moment, without links to a page that readers cannot see.

    `todays` are the links of the moment, if they are read already.
    Pages are those of apps, posts and standing pages in both languages. Fragments and addresses of
    other kinds are not checked.
    """
    entries = list(questions.timeline(at))
    links = [link for entry in entries for link in entry.shown_links]
    if slugs_in(links):
        todays = todays or read_todays_links(addresses.Site(settings.SITE_ROOT), at)
        for link in links:
            link.href = todays.of_link(link.href, addresses.HOME)
    pages = {*seen_pages(at, slugs_in(links))}
    for entry in entries:
        entry.shown_links = [
            link
            for link in entry.shown_links
            if (page := addresses.without_fragment(link.href)) in pages
            or not CHECKED_PAGE.fullmatch(page)
        ]
        for link in entry.shown_links:
            link.is_translated = addresses.page_in(VIETNAMESE, link.href) in pages
    return entries


def slugs_in(links: Iterable[TimelineLink]) -> set[str]:
    return {found["slug"] for link in links if (found := ADDRESS.search(link.href))}


def seen_pages(at: datetime, slugs: Collection[str]) -> Iterator[str]:
    """Yield the pages that readers may see: all standing pages, and those of apps and posts."""
    for language in LANGUAGES:
        for rows, address in ROWS if slugs else ():
            found = rows(at, language=language).filter(slug__in=slugs)
            pages = map(address, found.values_list("slug", flat=True))
            yield from (addresses.page_in(language, page) for page in pages)
    for slug, translated in Page.objects.values_list("slug", "title_vi"):
        yield addresses.STANDING_PAGES[slug]
        if translated:
            yield addresses.page_in(VIETNAMESE, addresses.STANDING_PAGES[slug])
