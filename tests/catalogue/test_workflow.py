from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from catalogue.models import Publishable, State
from tests.factories import (
    PAST,
    list_tables,
    make_app,
    make_entry,
    make_post,
    make_principle,
    make_topic,
)

FACTORIES = [make_app, make_post, make_topic, make_principle, make_entry]
PUBLISHABLE = pytest.mark.parametrize("make", FACTORIES)
MOMENT = datetime(2026, 6, 1, 9, tzinfo=UTC)
INSTANT = timedelta(microseconds=1)


@pytest.mark.django_db
def test_there_is_a_factory_for_every_publishable_model() -> None:
    made = {type(make()) for make in FACTORIES}

    assert made == {model for model in list_tables() if issubclass(model, Publishable)}


@PUBLISHABLE
@pytest.mark.parametrize(
    ("state", "publish_at", "at", "shown"),
    [
        (State.PUBLISHED, MOMENT, MOMENT - INSTANT, False),
        (State.PUBLISHED, MOMENT, MOMENT, True),
        (State.PUBLISHED, MOMENT, MOMENT + INSTANT, True),
        (State.PUBLISHED, MOMENT, MOMENT + timedelta(days=9000), True),
        (State.IN_REVIEW, MOMENT, MOMENT - INSTANT, False),
        (State.IN_REVIEW, MOMENT, MOMENT + INSTANT, False),
        (State.IN_REVIEW, None, MOMENT, False),
        (State.DRAFT, MOMENT, MOMENT - INSTANT, False),
        (State.DRAFT, MOMENT, MOMENT + INSTANT, False),
        (State.DRAFT, None, MOMENT, False),
    ],
)
@pytest.mark.django_db
def test_readers_see_published_rows_from_their_moment_on(
    make: Callable[..., Any],
    state: State,
    publish_at: datetime | None,
    at: datetime,
    shown: bool,
) -> None:
    row = make(state=state, publish_at=publish_at)
    found = list(type(row).objects.published(at=at))

    assert found == ([row] if shown else [])


@PUBLISHABLE
@pytest.mark.django_db
def test_only_a_published_row_without_a_moment_gets_one(make: Callable[..., Any]) -> None:
    row, before = make(), timezone.now()
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
@pytest.mark.django_db
def test_a_new_row_is_a_draft(make: Callable[..., Any]) -> None:
    assert type(make())().state == State.DRAFT
