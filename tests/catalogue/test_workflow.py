from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from catalogue.models import Publishable, State
from tests.factories import FACTORIES, PAST, list_tables

pytestmark = pytest.mark.django_db

PUBLISHABLE = pytest.mark.parametrize(
    "model", [model for model in list_tables() if issubclass(model, Publishable)]
)
MOMENT = datetime(2026, 6, 1, 9, tzinfo=UTC)
INSTANT = timedelta(microseconds=1)


@PUBLISHABLE
@pytest.mark.parametrize(
    ("state", "publish_at", "at", "shown"),
    [
        (State.PUBLISHED, MOMENT, MOMENT - INSTANT, False),
        (State.PUBLISHED, MOMENT, MOMENT, True),
        (State.PUBLISHED, MOMENT, MOMENT + timedelta(days=9000), True),
        (State.IN_REVIEW, MOMENT, MOMENT + INSTANT, False),
        (State.IN_REVIEW, None, MOMENT, False),
        (State.DRAFT, MOMENT, MOMENT + INSTANT, False),
        (State.DRAFT, None, MOMENT, False),
    ],
)
def test_readers_see_published_rows_from_their_moment_on(
    model: Any, state: State, publish_at: datetime | None, at: datetime, shown: bool
) -> None:
    row = FACTORIES[model](state=state, publish_at=publish_at)
    found = list(model.objects.published(at=at))

    assert found == ([row] if shown else [])


@PUBLISHABLE
def test_only_a_published_row_without_a_moment_gets_one(model: Any) -> None:
    row: Any = FACTORIES[model]()
    before = timezone.now()
    for state, publish_at in (
        (State.PUBLISHED, PAST),
        (State.DRAFT, None),
        (State.IN_REVIEW, None),
    ):
        row.state, row.publish_at = state, publish_at
        row.full_clean()
        assert row.publish_at == publish_at

    row.state = State.PUBLISHED
    row.full_clean()
    assert before <= row.publish_at <= timezone.now()


@PUBLISHABLE
def test_a_new_row_is_a_draft(model: Any) -> None:
    assert model().state == State.DRAFT
