"""The number of queries does not depend on the number of rows."""

from datetime import timedelta
from typing import Any

import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalogue.models import App
from tests import factories
from tests.api import full_content
from tests.api.conftest import Get
from tests.api.endpoints import ADDRESSES, OPENAPI

STATISTICS = ("instruments", "audio-sample-rate", "tracking-sdks")
"""The statistics with a typed value."""


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
    if number <= len(STATISTICS):
        factories.make_statistic(slug=STATISTICS[number - 1])
    ending = {"status": "deprecated", **full_content.ANNOUNCEMENT} if number > 1 else {}
    factories.make_version(version=f"v{number}", **ending)


def count_queries_of(get: Get, address: str) -> int:
    path = address.replace("full-app", "app-1").replace("full-post", "post-1")
    with CaptureQueriesContext(connection) as captured:
        assert get(path).status_code == 200
    return len(captured)


def test_a_response_needs_few_queries_however_many_rows_there_are(db: None, get: Get) -> None:
    def count_queries() -> dict[str, int]:
        return {address: count_queries_of(get, address) for address in ADDRESSES}

    factories.make_studio()
    make_rows(1)
    count_queries()
    one = count_queries()
    for number in range(2, 7):
        make_rows(number)
    count_queries()

    assert count_queries() == one
    assert one.pop(OPENAPI) == 2
    assert {address: number for address, number in one.items() if number > 5} == {}


def listed_apps(get: Get) -> Any:
    return get(OPENAPI).json()["components"]["schemas"]["App"]["properties"]["id"]["enum"]


def test_the_openapi_document_follows_each_edit_and_each_moment(db: None, get: Get) -> None:
    moment = timezone.now() + timedelta(days=1)
    factories.make_app(slug="one")
    factories.make_app(slug="two", publish_at=moment)
    assert listed_apps(get) == ["one"]
    with time_machine.travel(moment + timedelta(seconds=1)):
        assert listed_apps(get) == ["one", "two"]
    assert listed_apps(get) == ["one"]

    App.objects.filter(slug="one").update(slug="renamed")

    assert listed_apps(get) == ["renamed"]
