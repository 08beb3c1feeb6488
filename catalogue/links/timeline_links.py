"""Links of milestones, and whether readers may see the pages at which they point."""

from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache, reduce
from operator import or_
from typing import Any

from django.db.models import Case, CharField, Exists, F, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Left, StrIndex, Substr

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
    (FormerAppSlug, "owner__", "description", app_page("")),
    (Post, "", "body", post_page("")),
    (FormerPostSlug, "owner__", "body", post_page("")),
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
    return links.exclude(Q(page__regex=CHECKED_PAGE) & ~reduce(or_, shown_pages(at)))


def shown_pages(at: datetime) -> Iterator[Q]:
    """Yield conditions for a link to a page of a kind that readers may see.

    Each looks for one slug, because a list of all addresses is long.
    """
    for language in LANGUAGES:
        for model, through, text, beginning in PAGES_OF_ROWS:
            start = page_in_language(beginning, language)
            rows = model.objects.filter(
                is_visible(at, through), slug=Substr(OuterRef("page"), len(start) + 1)
            )
            written = rows.exclude(**{f"{through}{text}_{language}": ""})
            yield Q(Exists(written), page__startswith=start)
        cases = (
            When(slug=slug, then=Value(page_in_language(page, language)))
            for slug, page in STANDING_PAGES.items()
        )
        pages = Page.objects.alias(address=Case(*cases, output_field=CharField()))
        pages = pages.filter(address=OuterRef("page"))
        yield Q(Exists(pages.exclude(**{f"body_{language}": ""})))


def page_in_language(page: str, language: str) -> str:
    return vietnamese_page(page) if language == VIETNAMESE else page
