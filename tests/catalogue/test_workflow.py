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
def test_a_published_row_without_a_moment_appears_now(make: Callable[..., Any]) -> None:
    row = make()
    row.publish_at = None
    before = timezone.now()
    row.full_clean()

    assert before <= row.publish_at <= timezone.now()


@PUBLISHABLE
@pytest.mark.django_db
def test_a_published_row_keeps_the_moment_that_it_has(make: Callable[..., Any]) -> None:
    row = make(publish_at=PAST)
    row.full_clean()

    assert row.publish_at == PAST


@PUBLISHABLE
@pytest.mark.parametrize("state", [State.DRAFT, State.IN_REVIEW])
@pytest.mark.django_db
def test_an_unpublished_row_needs_no_moment(make: Callable[..., Any], state: State) -> None:
    row = make(state=state, publish_at=None)
    row.full_clean()

    assert row.publish_at is None


@PUBLISHABLE
def test_a_new_row_is_a_draft(make: Callable[..., Any]) -> None:
    model = {"make_topic": "ScienceTopic", "make_entry": "TimelineEntry"}
    name = model.get(make.__name__, make.__name__.removeprefix("make_").title())
    (found,) = (each for each in list_tables() if each.__name__ == name)

    assert found().state == State.DRAFT
