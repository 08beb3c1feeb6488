from collections.abc import Callable
from typing import Any

import pytest

from catalogue import questions
from catalogue.models import State
from tests.catalogue.makers import (
    FUTURE,
    NOW,
    make_translated_app,
    make_translated_post,
)
from tests.rows import (
    make_app,
    make_post,
)

FORMER = pytest.mark.parametrize(
    ("question", "make"),
    [
        (questions.former_app_slugs, make_app),
        (questions.former_slugs_of_apps_in_vietnamese, make_translated_app),
        (questions.former_slugs_of_apps_with_icon, make_translated_app),
        (questions.former_post_slugs, make_post),
        (questions.former_slugs_of_posts_in_vietnamese, make_translated_post),
    ],
)


@FORMER
@pytest.mark.django_db
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
def test_former_slugs_of_what_readers_do_not_see_are_not_answered(
    question: Callable[..., Any], make: Callable[..., Any], hidden: dict[str, Any], then: int
) -> None:
    row = make(slug="before")
    type(row).objects.filter(pk=row.pk).update(slug="after", **hidden)

    assert not question(NOW)
    assert len(question(FUTURE)) == then


@pytest.mark.parametrize(
    ("question", "make"),
    [
        (questions.former_slugs_of_apps_in_vietnamese, make_app),
        (questions.former_slugs_of_apps_with_icon, make_app),
        (questions.former_slugs_of_posts_in_vietnamese, make_post),
    ],
)
@pytest.mark.django_db
def test_former_slugs_of_what_has_no_such_address_are_not_answered(
    question: Callable[..., Any], make: Callable[..., Any]
) -> None:
    row = make(slug="before")
    type(row).objects.filter(pk=row.pk).update(slug="after")

    assert not question(NOW)
