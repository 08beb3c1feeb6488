"""The moment at which the next scheduled content falls due."""

from datetime import timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from catalogue import questions
from catalogue.models import State
from catalogue.triggers.revision import PUBLISHABLE
from tests.factories import FACTORIES, FUTURE, NOW

MAKE = [FACTORIES[model] for model in PUBLISHABLE]
LATER = FUTURE + timedelta(days=1)

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def test_the_first_moment_of_any_kind_of_content_counts_in_one_query(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for make in MAKE:
        make(slug="published")
        make(slug="due-now", publish_at=NOW)
        make(slug="draft", state=State.DRAFT, publish_at=FUTURE)
    assert questions.next_due(NOW) is None

    for make in MAKE:
        make(slug="later", publish_at=LATER)
    for make in MAKE:
        row = make(slug="first", publish_at=FUTURE)
        with django_assert_num_queries(1):
            assert questions.next_due(NOW) == FUTURE
        assert questions.next_due(FUTURE) == LATER
        row.delete()
    assert questions.next_due(LATER) is None
