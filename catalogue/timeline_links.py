"""Links of milestones, and whether readers may see the pages at which they point."""

from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db.models import Case, CharField, Exists, F, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Concat, Left, StrIndex

from catalogue.addresses import STANDING_PAGES, app_page, post_page, vietnamese_page
from catalogue.localized import LANGUAGES, VIETNAMESE
from catalogue.models import (
    App,
    FormerAppSlug,
    FormerPostSlug,
    Page,
    Post,
    TimelineLink,
    is_visible,
)

SLUG_CHARACTERS = "[a-z0-9-]+"

PAGE_KINDS: tuple[tuple[str, str, tuple[tuple[Any, str], ...]], ...] = (
    (app_page(""), "description", ((App, ""), (FormerAppSlug, "app__"))),
    (post_page(""), "body", ((Post, ""), (FormerPostSlug, "post__"))),
)
"""For each kind of page: the prefix of its addresses, the text that a page of a language needs, and
the tables whose slugs end its addresses, each with the relation from there to the row."""


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
    fragment = StrIndex("href", Value("#"))
    links: QuerySet[Any] = TimelineLink.objects.annotate(
        page=Case(
            When(href__contains="#", then=Left("href", fragment - 1)),
            default=F("href"),
            output_field=CharField(),
        )
    )
    for language in LANGUAGES:
        links = links.exclude(
            Q(page__in=standing_addresses(language)) & ~Exists(written_page(language))
        )
        for prefix, text, tables in PAGE_KINDS:
            begin = page_in_language(prefix, language)
            pages = (
                Exists(shown_row(model, through, f"{text}_{language}", begin, at))
                for model, through in tables
            )
            links = links.exclude(
                Q(page__regex=f"^{begin}{SLUG_CHARACTERS}$") & ~Q(*pages, _connector=Q.OR)
            )
    return links


def page_in_language(page: str, language: str) -> str:
    return vietnamese_page(page) if language == VIETNAMESE else page


def shown_row(model: Any, through: str, text: str, begin: str, at: datetime) -> QuerySet[Any]:
    """Return the row at a link's address, if readers can see it and it has the text."""
    rows: QuerySet[Any] = model.objects.filter(is_visible(at, through))
    address = Concat(Value(begin), "slug", output_field=CharField())
    rows = rows.exclude(**{f"{through}{text}": ""}).annotate(address=address).order_by()
    return rows.filter(address=OuterRef("page"))


def standing_addresses(language: str) -> list[str]:
    """Return the addresses of the standing pages in a language."""
    return [page_in_language(page, language) for page in STANDING_PAGES.values()]


def written_page(language: str) -> QuerySet[Any]:
    """Return the standing page at a link's address, if it has a text in that language."""
    cases = [
        When(slug=slug, then=Value(page_in_language(page, language)))
        for slug, page in STANDING_PAGES.items()
    ]
    pages: QuerySet[Any] = Page.objects.exclude(**{f"body_{language}": ""})
    pages = pages.annotate(address=Case(*cases, output_field=CharField())).order_by()
    return pages.filter(address=OuterRef("page"))
