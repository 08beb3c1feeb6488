from typing import Any

import pytest
from django.utils import timezone

from catalogue.models import Publishable, State
from tests.factories import FACTORIES, PAST, list_tables

pytestmark = pytest.mark.django_db

PUBLISHABLE = pytest.mark.parametrize(
    "model", [model for model in list_tables() if issubclass(model, Publishable)]
)


@PUBLISHABLE
def test_only_a_published_row_without_a_moment_gets_one(model: Any) -> None:
    row: Any = FACTORIES[model]()
    before = timezone.now()
    for state, publish_at in (
        (State.PUBLISHED, PAST),
        (State.DRAFT, None),
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
