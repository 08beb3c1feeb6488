"""The number of queries does not grow with the content."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests import rows
from tests.api import makers
from tests.api.conftest import Get
from tests.api.endpoints import ADDRESSES


def make_each(number: int) -> None:
    """One row of everything that there can be several of, with a related row of each kind."""
    app = makers.make_full_app(slug=f"app-{number}")
    post = rows.make_post(slug=f"post-{number}", app=app)
    post.tags.add(makers.make_tag(slug=f"tag-{number}"))
    topic = rows.make_topic(slug=f"topic-{number}")
    makers.make_symbol(topic, symbol=f"s{number}")
    topic.apps.add(app)
    rows.make_principle(slug=f"principle-{number}")
    makers.make_link(entry=rows.make_entry(slug=f"entry-{number}"))
    rows.make_team_member(handle=f"member-{number}")
    make_counter(number)
    rows.make_version(version=f"v{number}", **announced(number))


def make_counter(number: int) -> None:
    """There are three counters that are typed."""
    typed = dict(enumerate(("instruments", "audio-sample-rate", "tracking-sdks"), start=1))
    if slug := typed.get(number):
        rows.make_statistic(slug=slug)


def announced(number: int) -> dict[str, object]:
    return {} if number == 1 else {"status": "deprecated", **makers.ANNOUNCEMENT}


@pytest.fixture
def queries(get: Get) -> Callable[[], dict[str, int]]:
    """How many queries each address takes now."""

    def count() -> dict[str, int]:
        return {address: queries_of(get, address) for address in ADDRESSES}

    return count


def queries_of(get: Get, address: str) -> int:
    path = address.replace("full-app", "app-1").replace("full-post", "post-1")
    with CaptureQueriesContext(connection) as captured:
        assert get(path).status_code == 200
    return len(captured)


def test_six_rows_of_everything_take_as_many_queries_as_one(
    db: None, queries: Callable[[], dict[str, int]]
) -> None:
    rows.make_studio()
    make_each(1)
    one = queries()
    for number in range(2, 7):
        make_each(number)

    assert queries() == one


def test_an_answer_takes_a_handful_of_queries(
    db: None, queries: Callable[[], dict[str, int]]
) -> None:
    rows.make_studio()
    make_each(1)
    taken = queries()
    taken.pop("/openapi.json")

    assert {address: number for address, number in taken.items() if number > 5} == {}
