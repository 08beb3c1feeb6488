from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.db.models import Model
from django.utils import timezone

from catalogue import revision
from catalogue.models import Revision, State, TeamMember
from tests.factories import (
    make_app,
    make_entry,
    make_post,
    make_principle,
    make_team_member,
    make_topic,
)

pytestmark = pytest.mark.postgresql


@pytest.mark.django_db
def test_an_edit_moves_the_moment_of_the_last_change() -> None:
    make_team_member()
    earlier = datetime(2026, 2, 1, tzinfo=UTC)
    Revision.objects.update(public_changed_at=earlier)
    before = timezone.now() - timedelta(seconds=1)
    TeamMember.objects.update(role_en="Backend")
    found = revision.last_public_change(timezone.now())

    assert before <= found <= timezone.now() + timedelta(seconds=1)


@pytest.mark.parametrize("make", [make_app, make_post, make_topic, make_principle, make_entry])
@pytest.mark.django_db
def test_scheduled_content_moves_the_last_change_when_it_falls_due(
    make: Callable[..., Model],
) -> None:
    due = datetime(2031, 5, 1, 9, tzinfo=UTC)
    edited = datetime(2030, 1, 1, tzinfo=UTC)
    make(publish_at=due)
    Revision.objects.update(public_changed_at=edited)

    assert revision.last_public_change(due - timedelta(seconds=1)) == edited
    assert revision.last_public_change(due) == due
    assert revision.last_public_change(due + timedelta(days=9)) == due


@pytest.mark.django_db
def test_a_draft_with_a_moment_does_not_move_the_last_change() -> None:
    edited = datetime(2030, 1, 1, tzinfo=UTC)
    make_post(state=State.DRAFT, publish_at=datetime(2031, 5, 1, 9, tzinfo=UTC))
    Revision.objects.update(public_changed_at=edited)

    assert revision.last_public_change(datetime(2032, 1, 1, tzinfo=UTC)) == edited
