"""The index of all posts, which lists of posts share."""

import pickle
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from catalogue import bulk
from catalogue.bulk import PostName
from catalogue.localized import LANGUAGES
from catalogue.models import Tag
from site_mirror.documents.context import Context
from site_mirror.freeze.batches import SiteBatch, site_batches
from site_mirror.pages.post_index import ALL, TAG, YEAR, PostCardSource, post_index
from site_mirror.pages.texts import has_text
from site_mirror.registry.contexts import context_at
from site_mirror.registry.table import FAMILIES_BY_NAME, page_summaries
from tests import factories
from tests.site.page_reader import SITE

NEW_YEARS_EVE = datetime(2025, 12, 31, 17, 30, 0, 123456, tzinfo=UTC)
"""A moment that is in the next year in the studio's time zone."""


@pytest.fixture
def sound(db: None) -> Tag:
    return Tag.objects.create(slug="sound", name_en="Sound")


@pytest.fixture
def context(sound: Tag) -> Context:
    """Three posts, one of them in both languages, two of them with the tag."""
    early = NEW_YEARS_EVE - timedelta(days=300)
    both = {"title_vi": "Một", "excerpt_vi": "Câu.", "body_vi": "Bài."}
    factories.make_post(slug="late", publish_at=NEW_YEARS_EVE).tags.add(sound)
    factories.make_post(slug="early", publish_at=early, **both).tags.add(sound)
    factories.make_post(slug="plain", publish_at=early - timedelta(days=1), title_en="Ngày “1”\n")
    return context_at(SITE, timezone.now())


def batches_of(context: Context, *names: str) -> list[SiteBatch]:
    families = [FAMILIES_BY_NAME[name] for name in names]
    return [batch.load() for batch in site_batches(families, context, versions_hold=True)]


def test_the_index_equals_the_posts_of_the_database(context: Context) -> None:
    cards = [card for _, card in bulk.post_cards(context.at)]

    assert [*PostCardSource("en").all(context)] == cards
    assert cards[0].publish_at == NEW_YEARS_EVE
    assert [card.slug for card in cards] == ["late", "early", "plain"]


def test_the_key_of_a_post_is_at_its_position(context: Context) -> None:
    index = post_index(context)

    assert [*zip(index.keys, index.cards, strict=True)] == [*bulk.post_cards(context.at)]


def test_a_list_has_the_posts_that_are_written_in_its_language(
    context: Context, sound: Tag
) -> None:
    index = post_index(context)

    assert [card.slug for card in index.list_of(("en", TAG, sound.pk))] == ["late", "early"]
    assert [card.slug for card in index.list_of(("vi", TAG, sound.pk))] == ["early"]
    assert [card.slug for card in index.list_of(("vi", ALL, 0))] == ["early"]
    assert len(PostCardSource("vi").several(context)) == 1


def test_years_are_in_the_studios_time_zone_and_newest_first(context: Context) -> None:
    assert post_index(context).years("en") == [2026, 2025]
    assert post_index(context).years("vi") == [2025]


def test_a_pickled_list_of_posts_is_equal_and_can_be_read_twice(
    context: Context,
) -> None:
    cards = post_index(context).list_of(("en", ALL, 0))

    assert len(cards) == 3
    assert [*pickle.loads(pickle.dumps(cards))] == [*cards] == [*cards]  # noqa: S301


def test_page_summaries_can_be_read_twice_and_have_a_length(context: Context) -> None:
    summaries = page_summaries(context)

    assert [*summaries] == [*summaries]
    assert len(summaries) == len([*summaries])


def test_each_list_of_posts_is_a_batch_of_its_own(context: Context) -> None:
    batches = batches_of(context, "year-en", "year-en-mirror")

    assert [[year.slug for year in batch.subjects] for batch in batches] == [["2026"], ["2025"]]
    assert [batch.families for batch in batches] == [["year-en", "year-en-mirror"]] * 2


def test_batches_of_the_main_process_come_before_those_of_workers(context: Context) -> None:
    batches = batches_of(context, "getApp", "tag-en", "getStudio", "home-en")

    assert [(batch.families, batch.is_local) for batch in batches] == [
        (["getStudio"], True),
        (["home-en"], True),
        (["tag-en"], False),
    ]


def test_the_main_process_builds_documents_that_list_all_pages(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("site_mirror.machine.sitemap.MAX_ADDRESSES_IN_FILE", 2)

    batches = batches_of(context, "sitemap-part")

    assert [batch.is_local for batch in batches] == [True]
    assert [*batches[0].subjects]


def test_a_long_list_of_posts_has_no_excerpts(
    context: Context, sound: Tag, monkeypatch: pytest.MonkeyPatch
) -> None:
    label = ("en", TAG, sound.pk)
    monkeypatch.setattr("site_mirror.pages.post_index.MAX_CARDS", 1)
    index = post_index(context)

    assert [card.excerpt_en for card in index.list_of(label)] == ["", ""]
    assert all(card.excerpt_en for card in index.several(label))
    assert all(card.excerpt_en for card in index.list_of(("vi", *label[1:])))


def test_the_neighbours_of_a_post_are_the_nearest_posts_in_a_language(
    context: Context,
) -> None:
    for number in range(7):
        vietnamese = {"title_vi": "Bài", "excerpt_vi": "Ngắn.", "body_vi": "Dài."}
        factories.make_post(slug=f"beside-{number}", **(vietnamese if number in (2, 3, 5) else {}))
    index = post_index(context)
    last = len(index.cards) - 1

    for language in LANGUAGES:
        names = [card.name if has_text(card, "title", language) else None for card in index.cards]
        for position in range(len(names)):
            newer, older = names[:position][::-1], names[position + 1 :]
            assert index.newer(position, language) == first_of(newer)
            assert index.older(position, language) == first_of(older)
    assert last == 9
    assert index.newer(0, "en") is None is index.older(last, "en")


def first_of(names: Sequence[PostName | None]) -> PostName | None:
    return next(filter(None, names), None)


def test_a_list_knows_the_languages_in_which_its_posts_are_written(context: Context) -> None:
    index = post_index(context)

    for label in index.lists:
        cards = index.list_of(label)
        assert cards.languages == {
            language
            for language in LANGUAGES
            for card in cards
            if has_text(card, "title", language)
        }
    assert index.list_of(("en", YEAR, 2026)).languages == {"en"}
    assert index.list_of(("en", YEAR, 2025)).languages == {"en", "vi"}
    assert index.list_of(("en", YEAR, 1999)).languages == frozenset()
