"""Links that editors type in a field of their own, and whether readers may see where they lead."""

from datetime import datetime
from typing import Any

from django.db.models import Case, CharField, Exists, F, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Concat, Left, StrIndex

from catalogue.addresses import STANDING_PAGES, app_page, post_page, vietnamese
from catalogue.localized import LANGUAGES, VIETNAMESE
from catalogue.models import (
    App,
    FormerAppSlug,
    FormerPostSlug,
    Page,
    Post,
    TimelineLink,
    visible,
)

SLUG = "[a-z0-9-]+"

KINDS: tuple[tuple[str, str, tuple[tuple[Any, str], ...]], ...] = (
    (app_page(""), "description", ((App, ""), (FormerAppSlug, "app__"))),
    (post_page(""), "body", ((Post, ""), (FormerPostSlug, "post__"))),
)
"""Per kind of page: what its addresses begin with, the text without which a language has no page,
and the tables whose slugs end its addresses, each with the way from there to the row."""


def shown_links(at: datetime) -> QuerySet[TimelineLink]:
    """Links of milestones without those to a page that readers cannot see at a moment.

    Pages are those of apps, posts and standing pages in both languages; a former slug leads to
    the page of its row. Places on a page and addresses of other kinds are not looked at.
    """
    place = StrIndex("href", Value("#"))
    links: QuerySet[Any] = TimelineLink.objects.annotate(
        page=Case(
            When(href__contains="#", then=Left("href", place - 1)),
            default=F("href"),
            output_field=CharField(),
        )
    )
    for language in LANGUAGES:
        links = links.exclude(Q(page__in=standing(language)) & ~Exists(written(language)))
        for prefix, text, tables in KINDS:
            begin = here(prefix, language)
            pages = (
                Exists(shown(model, through, f"{text}_{language}", begin, at))
                for model, through in tables
            )
            links = links.exclude(Q(page__regex=f"^{begin}{SLUG}$") & ~Q(*pages, _connector=Q.OR))
    return links


def here(page: str, language: str) -> str:
    return vietnamese(page) if language == VIETNAMESE else page


def shown(model: Any, through: str, text: str, begin: str, at: datetime) -> QuerySet[Any]:
    """The row at a link's address, if readers can see it and it has the text."""
    rows: QuerySet[Any] = model.objects.filter(visible(at, through))
    address = Concat(Value(begin), "slug", output_field=CharField())
    rows = rows.exclude(**{f"{through}{text}": ""}).annotate(address=address).order_by()
    return rows.filter(address=OuterRef("page"))


def standing(language: str) -> list[str]:
    """Addresses of the standing pages in a language."""
    return [here(page, language) for page in STANDING_PAGES.values()]


def written(language: str) -> QuerySet[Any]:
    """The standing page at a link's address, if it has been written in that language."""
    cases = [
        When(slug=slug, then=Value(here(page, language))) for slug, page in STANDING_PAGES.items()
    ]
    pages: QuerySet[Any] = Page.objects.exclude(**{f"body_{language}": ""})
    pages = pages.annotate(address=Case(*cases, output_field=CharField())).order_by()
    return pages.filter(address=OuterRef("page"))
