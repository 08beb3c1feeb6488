"""The moment at which the next scheduled content falls due."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from catalogue import questions
from catalogue.models import State
from tests import factories
from tests.factories import FUTURE, NOW

FACTORIES = (
    factories.make_app,
    factories.make_post,
    factories.make_topic,
    factories.make_principle,
    factories.make_entry,
)
LATER = FUTURE + timedelta(days=1)

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def test_nothing_scheduled_falls_due_at_no_moment() -> None:
    for make in FACTORIES:
        make(slug="published")
        make(slug="due-now", publish_at=NOW)
        make(slug="draft", state=State.DRAFT, publish_at=FUTURE)
        make(slug="in-review", state=State.IN_REVIEW, publish_at=FUTURE)

    assert questions.next_due(NOW) is None


@pytest.mark.parametrize("make", FACTORIES, ids=lambda make: make.__name__)
def test_the_first_moment_of_any_kind_of_content_counts(make: Callable[..., Any]) -> None:
    for other in FACTORIES:
        other(slug="later", publish_at=LATER)
    make(slug="first", publish_at=FUTURE)

    assert questions.next_due(NOW) == FUTURE
    assert questions.next_due(FUTURE) == LATER
    assert questions.next_due(LATER) is None


def test_the_next_due_moment_costs_one_query(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    factories.make_post(publish_at=FUTURE)

    with django_assert_num_queries(1):
        assert questions.next_due(NOW) == FUTURE
