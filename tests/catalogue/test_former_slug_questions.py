from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from catalogue import questions
from catalogue.models import State
from tests.factories import (
    FUTURE,
    NOW,
    make_app,
    make_post,
    make_translated_app,
    make_translated_post,
)

FORMER = pytest.mark.parametrize(
    ("question", "make"),
    [
        (questions.former_app_slugs, make_app),
        (partial(questions.former_app_slugs_in, language="vi"), make_translated_app),
        (questions.former_slugs_of_apps_with_icon, make_translated_app),
        (questions.former_post_slugs, make_post),
        (partial(questions.former_post_slugs_in, language="vi"), make_translated_post),
    ],
)


@FORMER
@pytest.mark.django_db
@pytest.mark.postgresql
def test_former_slugs_come_sorted_each_with_the_slug_of_today(
    question: Callable[..., Any], make: Callable[..., Any]
) -> None:
    for slug in ("c", "a", "b"):
        row = make(slug=slug)
        type(row).objects.filter(pk=row.pk).update(slug=f"new-{slug}")

    assert [(row.slug, row.today) for row in question(NOW)] == [
        ("a", "new-a"),
        ("b", "new-b"),
        ("c", "new-c"),
    ]


@FORMER
@pytest.mark.parametrize(
    ("hidden", "then"), [({"state": State.DRAFT}, 0), ({"publish_at": FUTURE}, 1)]
)
@pytest.mark.django_db
def test_former_slugs_of_hidden_rows_are_not_answered(
    question: Callable[..., Any], make: Callable[..., Any], hidden: dict[str, Any], then: int
) -> None:
    row = make(slug="before")
    type(row).objects.filter(pk=row.pk).update(slug="after", **hidden)

    assert not question(NOW)
    assert len(question(FUTURE)) == then


@pytest.mark.parametrize(
    ("question", "make"),
    [
        (partial(questions.former_app_slugs_in, language="vi"), make_app),
        (questions.former_slugs_of_apps_with_icon, make_app),
        (partial(questions.former_post_slugs_in, language="vi"), make_post),
    ],
)
@pytest.mark.django_db
def test_former_slugs_of_rows_without_a_vietnamese_page_or_an_icon_are_not_answered(
    question: Callable[..., Any], make: Callable[..., Any]
) -> None:
    row = make(slug="before")
    type(row).objects.filter(pk=row.pk).update(slug="after")

    assert not question(NOW)
