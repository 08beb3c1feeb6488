"""The order of all lists, also of rows with equal values."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from tests import factories
from tests.api.conftest import Get
from tests.api.endpoints import BASE

BY_POSITION = {"b": {"position": 1}, "a": {"position": 1}, "c": {"position": 0}}
STATISTICS = {"tracking-sdks": 1, "instruments": 1, "audio-sample-rate": 0}
DATES = {"a": "2019", "b": "2021-06", "c": "2021-06-02", "d": "2021-06-01", "e": "2021"}
MONTHS = {"ab-x": 1, "a-z": 1, "aa-c": 1, "c": 3, "d": 2}


def make_team_member(slug: str, position: int) -> None:
    factories.make_team_member(handle=slug, position=position)


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("path", "make", "rows", "order"),
    [
        ("/apps", factories.make_app, BY_POSITION, "c a b"),
        ("/science", factories.make_topic, BY_POSITION, "c a b"),
        ("/principles", factories.make_principle, BY_POSITION, "c a b"),
        ("/team", make_team_member, BY_POSITION, "c a b"),
        (
            "/stats",
            factories.make_statistic,
            {slug: {"position": position} for slug, position in STATISTICS.items()},
            "audio-sample-rate instruments tracking-sdks",
        ),
        (
            "/timeline",
            factories.make_entry,
            {slug: {"date": date} for slug, date in DATES.items()},
            "c b d e a",
        ),
        (
            "/posts",
            factories.make_post,
            {slug: {"publish_at": datetime(2026, n, 1, tzinfo=UTC)} for slug, n in MONTHS.items()},
            "c d a-z aa-c ab-x",
        ),
    ],
)
@pytest.mark.usefixtures("db")
def test_a_list_has_its_order_with_ties_by_id(
    get: Get, path: str, make: Callable[..., Any], rows: dict[str, Any], order: str
) -> None:
    for slug, values in rows.items():
        make(slug=slug, **values)

    items = get(BASE + path).json()["data"]
    names = [item.get("id") or item.get("slug") or item["handle"] for item in items]
    assert names == order.split()
