"""The number of queries does not depend on the number of rows."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests import factories
from tests.api import full_content
from tests.api.conftest import Get
from tests.api.endpoints import ADDRESSES


def make_rows(number: int) -> None:
    """Make one row of each model that may have several, with a related row of each kind."""
    app = full_content.make_full_app(slug=f"app-{number}")
    post = factories.make_post(slug=f"post-{number}", app=app)
    post.tags.add(factories.make_tag(slug=f"tag-{number}"))
    topic = factories.make_topic(slug=f"topic-{number}")
    factories.make_symbol(topic, symbol=f"s{number}")
    topic.apps.add(app)
    factories.make_principle(slug=f"principle-{number}")
    factories.make_link(entry=factories.make_entry(slug=f"entry-{number}"), href="/apps/x")
    factories.make_team_member(handle=f"member-{number}")
    make_statistic(number)
    factories.make_version(version=f"v{number}", **version_values(number))


def make_statistic(number: int) -> None:
    """Make one of the three statistics with a typed value."""
    typed = dict(enumerate(("instruments", "audio-sample-rate", "tracking-sdks"), start=1))
    if slug := typed.get(number):
        factories.make_statistic(slug=slug)


def version_values(number: int) -> dict[str, object]:
    return {} if number == 1 else {"status": "deprecated", **full_content.ANNOUNCEMENT}


@pytest.fixture
def count_queries(get: Get) -> Callable[[], dict[str, int]]:
    """A function that returns the number of queries of each address."""

    def count() -> dict[str, int]:
        return {address: count_queries_of(get, address) for address in ADDRESSES}

    return count


def count_queries_of(get: Get, address: str) -> int:
    path = address.replace("full-app", "app-1").replace("full-post", "post-1")
    with CaptureQueriesContext(connection) as captured:
        assert get(path).status_code == 200
    return len(captured)


def test_six_rows_of_each_model_need_as_many_queries_as_one(
    db: None, count_queries: Callable[[], dict[str, int]]
) -> None:
    factories.make_studio()
    make_rows(1)
    one = count_queries()
    for number in range(2, 7):
        make_rows(number)

    assert count_queries() == one


def test_a_response_needs_at_most_five_queries(
    db: None, count_queries: Callable[[], dict[str, int]]
) -> None:
    factories.make_studio()
    make_rows(1)
    taken = count_queries()
    taken.pop("/openapi.json")

    assert {address: number for address, number in taken.items() if number > 5} == {}
