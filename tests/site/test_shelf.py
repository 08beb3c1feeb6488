"""Posts in short, as they are held for all that lists them."""

import pickle
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from catalogue import questions
from catalogue.localized import LANGUAGES
from catalogue.models import Tag
from site_mirror.batches import Batch, Digests, batches, of_source
from site_mirror.context import Context
from site_mirror.framing import context_at
from site_mirror.listed import Listings
from site_mirror.pages.texts import written
from site_mirror.registry import BY_NAME, pages
from site_mirror.shelf import ALL, TAG, YEAR, Shelved, shelf
from tests import rows
from tests.site.reading import SITE

LATE = datetime(2025, 12, 31, 17, 30, 0, 123456, tzinfo=UTC)
"""The next year, in the studio's time zone."""


@pytest.fixture
def sound(db: None) -> Tag:
    return Tag.objects.create(slug="sound", name_en="Sound")


@pytest.fixture
def context(sound: Tag) -> Context:
    """Three posts, one of them in both languages, two of them with the tag."""
    early = LATE - timedelta(days=300)
    both = {"title_vi": "Một", "excerpt_vi": "Câu.", "body_vi": "Bài."}
    rows.make_post(slug="late", publish_at=LATE).tags.add(sound)
    rows.make_post(slug="early", publish_at=early, **both).tags.add(sound)
    rows.make_post(slug="plain", publish_at=early - timedelta(days=1), title_en="Ngày “1”\n")
    return context_at(SITE, timezone.now())


def test_a_post_comes_off_the_shelf_as_it_was_put_there(context: Context) -> None:
    cards = [card for _, card in questions.post_cards(context.at)]

    assert [*Shelved("en").all(context)] == cards
    assert cards[0].publish_at == LATE


def test_a_list_has_the_posts_that_are_written_in_its_language(
    context: Context, sound: Tag
) -> None:
    found = shelf(context)

    assert [card.slug for card in found.cards(("en", TAG, sound.pk))] == ["late", "early"]
    assert [card.slug for card in found.cards(("vi", TAG, sound.pk))] == ["early"]
    assert [card.slug for card in found.cards(("vi", ALL, 0))] == ["early"]
    assert len(Shelved("vi").several(context)) == 1


def test_years_are_those_of_the_studios_time_zone_the_newest_first(context: Context) -> None:
    assert shelf(context).years("en") == [2026, 2025]
    assert shelf(context).years("vi") == [2025]


def test_a_list_is_the_same_in_another_process_and_however_often_it_is_read(
    context: Context,
) -> None:
    cards = shelf(context).cards(("en", ALL, 0))

    assert len(cards) == 3
    assert [*pickle.loads(pickle.dumps(cards))] == [*cards] == [*cards]  # noqa: S301


def test_pages_can_be_looked_at_again_and_tell_how_many_they_are(context: Context) -> None:
    found = pages(context)

    assert [*found] == [*found]
    assert len(found) == len([*found])


def test_each_long_list_is_a_batch_of_its_own(context: Context) -> None:
    years = [BY_NAME["year-en"], BY_NAME["year-en-mirror"]]

    made = [*of_source(years, context, "", Digests())]

    assert [len([*batch.subjects]) for batch in made if isinstance(batch, Batch)] == [1, 1]


def test_what_stays_at_home_comes_before_what_travels(context: Context) -> None:
    families = [BY_NAME[name] for name in ("getApp", "getStudio", "tag-en", "home-en")]

    made = [*batches(families, context, Listings(), Digests())]

    assert [batch.portable for batch in made] == [False, False, True]
    assert [name for batch in made if isinstance(batch, Batch) for name in batch.families] == [
        "getStudio",
        "home-en",
        "tag-en",
    ]


def test_a_list_that_is_too_long_to_be_handed_over_is_made_last(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("site_mirror.batches.HUGE", 1)

    made = [*batches([BY_NAME["tag-en"]], context, Listings(), Digests())]
    both = [*batches([BY_NAME["year-en"]], context, Listings(), Digests())]

    assert [(batch.portable, batch.last) for batch in made] == [(False, True)]
    assert [(batch.portable, batch.last) for batch in both] == [(True, False), (False, True)]


def test_a_file_that_is_made_of_all_pages_is_made_where_these_are(context: Context) -> None:
    parts = [BY_NAME["sitemap-part"]]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("site_mirror.machine.sitemap.LIMIT", 2)
        made = [*of_source(parts, context, "", Digests())]

    assert made
    assert not any(batch.portable for batch in made)


def test_a_list_that_shows_no_summaries_has_none(
    context: Context, sound: Tag, monkeypatch: pytest.MonkeyPatch
) -> None:
    label = ("en", TAG, sound.pk)
    monkeypatch.setattr("site_mirror.shelf.MANY", 1)

    assert [card.excerpt_en for card in shelf(context).cards(label)] == ["", ""]
    assert all(card.excerpt_en for card in shelf(context).several(label))
    assert all(card.excerpt_en for card in shelf(context).cards(("vi", *label[1:])))


def test_what_is_beside_posts_that_follow_each_other_is_beside_each(context: Context) -> None:
    for number in range(7):
        vietnamese = {"title_vi": "Bài", "excerpt_vi": "Ngắn.", "body_vi": "Dài."}
        rows.make_post(slug=f"beside-{number}", **(vietnamese if number in (2, 3, 5) else {}))
    found = shelf(context)
    every = range(len(found.keys))

    for language in ("en", "vi"):
        for start in every:
            lines = range(start, len(every))
            assert list(found.beside(lines, language)) == [
                (found.newer(line, language), found.older(line, language)) for line in lines
            ]
    assert found.newer(0, "en") is None is found.older(every[-1], "en")


def test_the_slugs_of_a_shelf_are_those_of_its_posts(context: Context) -> None:
    found = shelf(context)

    slugs = [slug.decode() for slug in found.slugs()]

    assert slugs == [found.name(line).slug for line in range(len(found.keys))]
    assert slugs


def test_a_list_knows_the_languages_in_which_its_posts_are_written(context: Context) -> None:
    found = shelf(context)

    for label in found.lists:
        cards = found.cards(label)
        assert cards.languages == {
            language for language in LANGUAGES for card in cards if written(card, "title", language)
        }
    assert found.cards(("en", YEAR, 2026)).languages == {"en"}
    assert found.cards(("en", YEAR, 2025)).languages == {"en", "vi"}
    assert found.cards(("en", YEAR, 1999)).languages == frozenset()
