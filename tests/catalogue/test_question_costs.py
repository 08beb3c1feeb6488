from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

import pytest
from django.db.models.expressions import OrderBy
from pytest_django import DjangoAssertNumQueries

from catalogue import questions
from catalogue.models import App, Post, StatisticId
from catalogue.models.collation import Bytewise
from tests.catalogue.constraints import RETIREMENT
from tests.factories import (
    NOW,
    make_app,
    make_entry,
    make_link,
    make_principle,
    make_statistic,
    make_studio,
    make_symbol,
    make_tag,
    make_team_member,
    make_topic,
    make_translated_app,
    make_translated_post,
    make_version,
)


def read_all(row: Any) -> None:
    """Read every value of a row that a response may need."""
    for name in ("tag_slugs", "app_slugs", "number", "shown", "today", "platforms", "location"):
        getattr(row, name, None)
    for relation in ("symbols", "links"):
        if hasattr(row, relation) and hasattr(getattr(row, relation), "all"):
            list(getattr(row, relation).all())


def read_company(row: Any) -> None:
    """Read the related rows that a page shows beside a row."""
    assert list(row.posts.all())
    assert list(row.science_topics.all())


def read_title(row: Any) -> None:
    assert str(row)


READ = {
    "post_titles": read_title,
    "apps_with_company": read_company,
    "posts_in": read_title,
}
"""The functions that read less than every value of a row."""


def make_numbered_post(number: int) -> None:
    post = make_translated_post(slug=f"post-{number}", app=make_app(slug=f"app-{number}"))
    post.tags.set([make_tag(slug=f"tag-{number}-{each}") for each in range(3)])


def make_numbered_topic(number: int) -> None:
    topic = make_topic(slug=f"topic-{number}")
    topic.apps.set([make_app(slug=f"app-{number}-{each}") for each in range(2)])
    for symbol in "xyz":
        make_symbol(topic=topic, symbol=symbol)


def make_numbered_entry(number: int) -> None:
    entry = make_entry(slug=f"entry-{number}")
    for href in ("/a", "/b"):
        make_link(entry=entry, href=href)


def make_numbered_version(number: int) -> None:
    if number:
        make_version(version=f"v{number + 1}", **RETIREMENT)
    else:
        make_version()


def make_renamed_app(number: int) -> None:
    app = make_translated_app(slug=f"old-{number}")
    App.objects.filter(pk=app.pk).update(slug=f"new-{number}")


def make_renamed_post(number: int) -> None:
    post = make_translated_post(slug=f"old-{number}")
    Post.objects.filter(pk=post.pk).update(slug=f"new-{number}")


def make_numbered_statistic(number: int) -> None:
    """Create a statistic with a number; there are only four names."""
    if number < len(StatisticId):
        slug = StatisticId.values[number]
        counted = {"counts": "live_apps", "value": None, "display": ""}
        make_statistic(slug=slug, **counted if slug == StatisticId.SHIPPED_APPS else {})


def make_numbered(make: Callable[..., Any], name: str = "slug") -> Callable[[int], Any]:
    return lambda number: make(**{name: f"row-{number}"})


def make_numbered_company(number: int) -> None:
    make_numbered_post(number)
    app = App.objects.get(slug=f"app-{number}")
    app.description_vi = "Đo."
    app.save()
    make_topic(slug=f"topic-{number}").apps.set([app])


def make_numbered_tag(number: int) -> None:
    make_translated_post(slug=f"post-{number}").tags.set([make_tag(slug=f"tag-{number}")])


def ask_in_vietnamese(name: str) -> Callable[[datetime], Any]:
    """Return a question about a language, for Vietnamese."""
    question = partial(getattr(questions, name), language="vi")
    question.__name__ = name  # type: ignore[attr-defined]
    return question


MOST = {questions.statistics: len(StatisticId)}
"""Tables that cannot have more rows."""

COSTS: list[tuple[Callable[..., Any], Callable[[int], Any], int]] = [
    (questions.team, make_numbered(make_team_member, "handle"), 1),
    (questions.apps, make_numbered(make_app), 1),
    (questions.apps_with_icon, make_numbered(make_translated_app), 1),
    (questions.posts, make_numbered_post, 2),
    (questions.post_summaries, make_numbered_post, 2),
    (questions.posts_with_apps, make_numbered_post, 3),
    (ask_in_vietnamese("apps_in"), make_numbered(make_translated_app), 1),
    (ask_in_vietnamese("apps_with_company"), make_numbered_company, 3),
    (ask_in_vietnamese("post_titles"), make_numbered_post, 1),
    (ask_in_vietnamese("posts_in"), make_numbered_post, 2),
    (ask_in_vietnamese("tags"), make_numbered_tag, 1),
    (questions.statistics, make_numbered_statistic, 1),
    (questions.science_topics, make_numbered_topic, 3),
    (questions.principles, make_numbered(make_principle), 1),
    (questions.timeline, make_numbered_entry, 2),
    (questions.versions, make_numbered_version, 1),
    (questions.former_app_slugs, make_renamed_app, 1),
    (ask_in_vietnamese("former_app_slugs_in"), make_renamed_app, 1),
    (questions.former_slugs_of_apps_with_icon, make_renamed_app, 1),
    (questions.former_post_slugs, make_renamed_post, 1),
    (ask_in_vietnamese("former_post_slugs_in"), make_renamed_post, 1),
]


@pytest.mark.parametrize("rows", [1, 5])
@pytest.mark.parametrize(
    ("question", "make", "queries"), COSTS, ids=[question.__name__ for question, _, _ in COSTS]
)
@pytest.mark.django_db
def test_an_answer_costs_the_same_queries_for_one_row_and_for_five(
    question: Callable[..., Any],
    make: Callable[[int], Any],
    queries: int,
    rows: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(rows):
        make(number)
    with django_assert_num_queries(queries):
        found = list(question(NOW))
        for row in found:
            READ.get(question.__name__, read_all)(row)

    assert len(found) == min(rows, MOST.get(question, rows))


@pytest.mark.parametrize("rows", [1, 5])
@pytest.mark.django_db
def test_the_studio_costs_one_query_whatever_it_counts(
    rows: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_studio()
    for number in range(rows):
        make_team_member(handle=f"person-{number}")
        make_numbered_post(number)
    with django_assert_num_queries(1):
        (studio,) = questions.studio(NOW)

    assert (studio.team_size, studio.app_count, studio.post_count) == (rows, rows, rows)


@pytest.mark.parametrize("question", [question for question, _, _ in COSTS])
def test_an_order_ends_in_a_unique_column_so_that_two_freezes_agree(
    question: Callable[..., Any],
) -> None:
    rows = question(NOW)
    last = rows.query.order_by[-1]
    bytewise = last.expression if isinstance(last, OrderBy) else last
    column = rows.model._meta.get_field(bytewise.source_expressions[0].name)

    assert isinstance(bytewise, Bytewise)
    assert column.unique


def test_every_question_has_a_cost() -> None:
    asked = {
        name
        for name, value in vars(questions).items()
        if getattr(value, "__module__", "") == questions.__name__
    }
    counted_elsewhere = {
        "studio",
        "page",
        "standing_pages",
        "newer_post",
        "older_post",
        "years",
        "next_due",
        "PostTitle",
        "posts_of_year",
        "posts_of_tag",
    }
    asked -= {"Row", "count_rows", "facts_of_list", "with_text_in", "redirecting_slugs"}

    assert {question.__name__ for question, _, _ in COSTS} == asked - counted_elsewhere
