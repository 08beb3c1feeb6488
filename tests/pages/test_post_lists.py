"""Lists of posts and their neighbours, as a freeze reads them and as a request asks for them."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from site_mirror.documents.context import Context
from site_mirror.registry.contexts import context_at
from site_mirror.registry.table import FAMILIES_BY_NAME
from tests import factories
from tests.pages.page_reader import SITE

NEW_YEARS_EVE = datetime(2025, 12, 31, 17, 30, 0, 123456, tzinfo=UTC)
"""A moment that is in the next year in the studio's time zone."""
BOTH = {"title_vi": "Một", "excerpt_vi": "Câu.", "body_vi": "Bài."}
PAGES = [
    *("year-en", "year-vi", "tag-en", "tag-vi", "post-en", "post-vi"),
    *("blog-en", "blog-vi", "getPost"),
]


@pytest.fixture
def context(db: None) -> Context:
    """Twelve posts, some of them translated, two at the same moment, and tags on some of them."""
    factories.make_studio()
    sound, light = (factories.make_tag(slug=slug) for slug in ("sound", "light"))
    for number in range(12):
        post = factories.make_post(
            slug=f"post-{number}",
            publish_at=NEW_YEARS_EVE - timedelta(days=100 * (number // 2)),
            app=factories.make_app(slug=f"app-{number}") if number % 5 == 0 else None,
            **(BOTH if number in (2, 3, 7, 11) else {}),
        )
        post.tags.set([tag for tag, step in ((sound, 2), (light, 3)) if number % step == 0])
    factories.make_page(slug="blog", title_vi="Blog", body_vi="Chào.")
    return context_at(SITE, timezone.now())


@pytest.mark.parametrize("name", PAGES)
def test_a_freeze_and_a_request_give_the_same_documents(name: str, context: Context) -> None:
    family = FAMILIES_BY_NAME[name]
    frozen = {document.address: document.body() for document in family.documents(context)}

    slugs = [family.part(each) for each in family.source.all(context)]
    slugs = [each.slug if family.parameter else "" for each in slugs if each is not None]
    asked = [family.document(context, family.one(context, slug)) for slug in slugs]

    assert frozen
    assert {document.address: document.body() for document in asked} == frozen


def list_addresses(name: str, context: Context) -> list[str]:
    return [document.address for document in FAMILIES_BY_NAME[name].documents(context)]


def test_years_are_those_of_the_studios_time_zone_and_newest_first(context: Context) -> None:
    years = list_addresses("year-en", context)

    assert years == ["/blog/years/2026", "/blog/years/2025", "/blog/years/2024"]
    index = next(document.body() for document in FAMILIES_BY_NAME["blog-en"].documents(context))
    assert b'id="y2026_"' in index
    assert list_addresses("year-vi", context) == ["/vi/blog/years/2025", "/vi/blog/years/2024"]
