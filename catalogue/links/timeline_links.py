"""Links of milestones, and whether readers may see the pages at which they point."""

from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db.models import Case, CharField, F, Q, QuerySet, Value, When
from django.db.models.functions import Concat, Left, StrIndex

from catalogue.addresses import STANDING_PAGES, app_page, post_page, vietnamese_page
from catalogue.models import (
    App,
    FormerAppSlug,
    FormerPostSlug,
    Page,
    Post,
    TimelineLink,
    is_visible,
)
from catalogue.texts.localized import LANGUAGES, VIETNAMESE

SLUG = "[a-z0-9-]+"
PAGES = "|".join((*STANDING_PAGES.values(), app_page(SLUG), post_page(SLUG)))
CHECKED_PAGE = f"^((/vi)?({PAGES})|/vi)$"

PAGES_OF_ROWS: tuple[tuple[Any, str, str, str], ...] = (
    (App, "", "description", app_page("")),
    (FormerAppSlug, "app__", "description", app_page("")),
    (Post, "", "body", post_page("")),
    (FormerPostSlug, "post__", "body", post_page("")),
)
"""Tables whose slugs end addresses of pages: the relation to the row, the text that a page of a
language needs, and the beginning of the addresses."""


def shown_links(at: datetime) -> QuerySet[TimelineLink]:
    """Return the links of milestones, except links to a page that readers cannot see at a moment.

    Pages are those of apps, posts and standing pages in both languages; a former slug redirects to
    the page of its row. Fragments and addresses of other kinds are not checked.
    """
    return build_query(at).all()


@lru_cache(maxsize=1)
def build_query(at: datetime) -> QuerySet[TimelineLink]:
    """Return the query set of shown links, which is built once for a moment and then cloned.

    A freeze of a small site asks eight times, and spent a sixth of its time on the ten subqueries.
    """
    before_fragment = Left("href", StrIndex("href", Value("#")) - 1)
    page = Case(
        When(href__contains="#", then=before_fragment),
        default=F("href"),
        output_field=CharField(),
    )
    links: QuerySet[Any] = TimelineLink.objects.annotate(page=page)
    first, *others = shown_pages(at)
    return links.exclude(Q(page__regex=CHECKED_PAGE) & ~Q(page__in=first.union(*others)))


def shown_pages(at: datetime) -> Iterator[QuerySet[Any, Any]]:
    """Yield queries for the addresses of the pages that readers may see."""
    for language in LANGUAGES:
        for model, through, text, beginning in PAGES_OF_ROWS:
            rows = model.objects.filter(is_visible(at, through))
            start = Value(page_in_language(beginning, language))
            address = Concat(start, "slug", output_field=CharField())
            yield (
                rows.exclude(**{f"{through}{text}_{language}": ""}).order_by().values_list(address)
            )
        cases = (
            When(slug=slug, then=Value(page_in_language(page, language)))
            for slug, page in STANDING_PAGES.items()
        )
        address_of_page = Case(*cases, output_field=CharField())
        written = Page.objects.exclude(**{f"body_{language}": ""})
        yield written.order_by().values_list(address_of_page)


def page_in_language(page: str, language: str) -> str:
    return vietnamese_page(page) if language == VIETNAMESE else page
