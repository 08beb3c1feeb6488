from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest

from catalogue import questions
from catalogue.models import State
from tests.catalogue.constraints import RETIREMENT
from tests.factories import (
    FUTURE,
    NOW,
    PAST,
    make_app,
    make_entry,
    make_link,
    make_page,
    make_post,
    make_principle,
    make_statistic,
    make_symbol,
    make_tag,
    make_team_member,
    make_topic,
    make_translated_app,
    make_translated_post,
    make_version,
)

pytestmark = pytest.mark.postgresql


def slugs(rows: Any) -> list[str]:
    return [row.slug for row in rows]


@pytest.mark.parametrize(
    ("question", "make"),
    [
        (questions.apps, make_app),
        (questions.science_topics, make_topic),
        (questions.principles, make_principle),
    ],
)
@pytest.mark.django_db
def test_rows_come_by_position_and_ties_by_slug(
    question: Callable[..., Any], make: Callable[..., Any]
) -> None:
    for slug, position in [("d", 1), ("a", 3), ("c", 2), ("b", 2)]:
        make(slug=slug, position=position)

    assert slugs(question(NOW)) == ["d", "b", "c", "a"]


@pytest.mark.django_db
def test_people_come_by_position_and_ties_by_handle() -> None:
    for handle, position in [("thao", 2), ("minh", 2), ("linh", 1)]:
        make_team_member(handle=handle, position=position)

    assert [member.handle for member in questions.team(NOW)] == ["linh", "minh", "thao"]


@pytest.mark.django_db
def test_posts_come_newest_first_and_ties_by_slug() -> None:
    for slug, days in [("d", 3), ("a", 1), ("c", 2), ("b", 2)]:
        make_post(slug=slug, publish_at=PAST + timedelta(days=days))

    assert slugs(questions.posts(NOW)) == ["d", "b", "c", "a"]


@pytest.mark.django_db
def test_milestones_come_newest_first_by_the_start_of_their_period_and_ties_by_slug() -> None:
    for slug, day in [
        ("b-year", "2021"),
        ("c-january", "2021-01"),
        ("a-new-year", "2021-01-01"),
        ("second", "2021-01-02"),
        ("february", "2021-02"),
        ("before", "2020-12-31"),
    ]:
        make_entry(slug=slug, date=day)
    found = slugs(questions.timeline(NOW))

    assert found == ["february", "second", "a-new-year", "b-year", "c-january", "before"]


@pytest.mark.django_db
def test_versions_come_newest_first() -> None:
    make_version(version="v1", **RETIREMENT)
    make_version(version="v2", released=date(2027, 1, 1))

    assert [row.version for row in questions.versions(NOW)] == ["v2", "v1"]


@pytest.mark.django_db
def test_tags_of_a_post_are_sorted() -> None:
    post = make_post()
    post.tags.set([make_tag(slug=slug) for slug in ("physics", "audio", "maps")])

    assert questions.posts(NOW).get().tag_slugs == ["audio", "maps", "physics"]


@pytest.mark.django_db
def test_symbols_and_links_come_by_position() -> None:
    topic, entry = make_topic(), make_entry()
    for number, name in [(2, "b"), (1, "c"), (3, "a")]:
        make_symbol(topic=topic, symbol=name, position=number)
        make_link(entry=entry, href=f"/{name}", position=number)

    assert [row.symbol for row in questions.science_topics(NOW).get().symbols.all()] == [*"cba"]
    assert [row.href for row in questions.timeline(NOW).get().links.all()] == ["/c", "/b", "/a"]


@pytest.mark.parametrize(
    ("question", "make"),
    [
        (questions.apps, make_app),
        (partial(questions.apps_in, language="vi"), make_translated_app),
        (questions.apps_with_icon, make_translated_app),
        (questions.posts, make_post),
        (partial(questions.posts_in, language="vi"), make_translated_post),
        (questions.science_topics, make_topic),
        (questions.principles, make_principle),
        (questions.timeline, make_entry),
    ],
)
@pytest.mark.django_db
def test_only_published_rows_are_answered(
    question: Callable[..., Any], make: Callable[..., Any]
) -> None:
    make(slug="shown")
    make(slug="due", publish_at=NOW)
    make(slug="scheduled", publish_at=FUTURE)
    make(slug="draft", state=State.DRAFT)
    make(slug="reviewed", state=State.IN_REVIEW)

    assert set(slugs(question(NOW))) == {"shown", "due"}
    assert set(slugs(question(FUTURE))) == {"shown", "due", "scheduled"}


@pytest.mark.parametrize(
    ("question", "make", "translated"),
    [
        (partial(questions.apps_in, language="vi"), make_app, make_translated_app),
        (questions.apps_with_icon, make_app, make_translated_app),
        (partial(questions.posts_in, language="vi"), make_post, make_translated_post),
    ],
)
@pytest.mark.django_db
def test_a_row_without_a_vietnamese_page_or_an_icon_is_left_out(
    question: Callable[..., Any], make: Callable[..., Any], translated: Callable[..., Any]
) -> None:
    make(slug="without")
    translated(slug="with")

    assert slugs(question(NOW)) == ["with"]


@pytest.mark.parametrize(
    ("slug", "language", "found"),
    [
        ("home", "en", True),
        ("home", "vi", False),
        ("about", "en", True),
        ("about", "vi", True),
        ("privacy", "en", False),
    ],
)
@pytest.mark.django_db
def test_a_standing_page_is_answered_in_the_languages_that_it_has(
    slug: str,
    language: str,
    found: bool,
) -> None:
    make_page(slug="home")
    make_page(slug="about", title_vi="Giới thiệu", body_vi="Xin chào.")
    pages = questions.page(NOW, slug=slug, language=language)

    assert slugs(pages) == ([slug] if found else [])


@pytest.mark.django_db
def test_a_topic_names_only_the_apps_that_readers_see_in_the_order_of_apps() -> None:
    topic = make_topic()
    topic.apps.set(
        [
            make_app(slug="second", position=2),
            make_app(slug="first", position=1),
            make_app(slug="draft", state=State.DRAFT),
            make_app(slug="scheduled", publish_at=FUTURE),
        ]
    )

    assert questions.science_topics(NOW).get().app_slugs == ["first", "second"]
    assert "scheduled" in questions.science_topics(FUTURE).get().app_slugs


@pytest.mark.django_db
def test_counters_come_by_position_and_ties_by_slug() -> None:
    for slug, position in [("tracking-sdks", 2), ("instruments", 2), ("audio-sample-rate", 1)]:
        make_statistic(slug=slug, position=position)

    found = slugs(questions.statistics(NOW))

    assert found == ["audio-sample-rate", "instruments", "tracking-sdks"]


@pytest.mark.django_db
def test_ties_are_ordered_by_bytes_in_any_locale_of_the_server() -> None:
    for slug in ("ab-x", "a-z", "aa-c"):
        make_post(slug=slug)

    assert slugs(questions.posts(NOW)) == ["a-z", "aa-c", "ab-x"]
