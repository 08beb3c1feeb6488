"""The order of all lists, also of rows with equal values."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests import factories
from tests.api.conftest import Get
from tests.api.endpoints import BASE

pytestmark = pytest.mark.postgresql


@pytest.mark.usefixtures("db")
def test_the_timeline_runs_from_the_newest_start_to_the_oldest_with_ties_by_id(get: Get) -> None:
    dates = {"a": "2019", "b": "2021-06", "c": "2021-06-02", "d": "2021-06-01", "e": "2021"}
    for slug, date in dates.items():
        factories.make_entry(slug=slug, date=date)

    found = [entry["id"] for entry in get(f"{BASE}/timeline").json()["data"]]

    assert found == ["c", "b", "d", "e", "a"]


@pytest.mark.usefixtures("db")
def test_posts_run_from_the_newest_to_the_oldest_with_ties_by_slug(get: Get) -> None:
    moments = {"b": 1, "a": 1, "c": 3, "d": 2}
    for slug, month in moments.items():
        factories.make_post(slug=slug, publish_at=datetime(2026, month, 1, tzinfo=UTC))

    found = [post["slug"] for post in get(f"{BASE}/posts").json()["data"]]

    assert found == ["c", "d", "a", "b"]


@pytest.mark.parametrize(
    ("path", "make", "key"),
    [
        ("/apps", factories.make_app, "id"),
        ("/science", factories.make_topic, "id"),
        ("/principles", factories.make_principle, "id"),
    ],
)
@pytest.mark.usefixtures("db")
def test_a_list_in_the_studios_order_has_ties_by_id(
    get: Get, path: str, make: Any, key: str
) -> None:
    for slug, position in {"b": 1, "a": 1, "c": 0}.items():
        make(slug=slug, position=position)

    assert [item[key] for item in get(BASE + path).json()["data"]] == ["c", "a", "b"]


def test_statistics_are_in_the_studios_order_with_ties_by_id(get: Get, db: None) -> None:
    for slug, position in {"tracking-sdks": 1, "instruments": 1, "audio-sample-rate": 0}.items():
        factories.make_statistic(slug=slug, position=position)

    found = [statistic["id"] for statistic in get(f"{BASE}/stats").json()["data"]]

    assert found == ["audio-sample-rate", "instruments", "tracking-sdks"]
