from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from catalogue.models import State
from tests.catalogue.slug_tables import EACH_SLUG_TABLE, SlugTable
from tests.factories import PAST

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

SLUGS = st.sampled_from(["a", "b", "c", "d"])


STEPS_OF_AN_EDITOR = ["create", "rename", "delete", "publish", "withdraw", "reschedule", "appear"]
LATER = timezone.now() + timedelta(days=400)
STEPS = st.lists(
    st.tuples(st.sampled_from(STEPS_OF_AN_EDITOR), SLUGS, SLUGS),
    max_size=25,
)


def take_step(kind: SlugTable, step: str, slug: str, other: str) -> None:
    """Do one step of an editor, unless a constraint forbids it."""
    row = kind.model._default_manager.filter(slug=slug)
    if step == "create" and not row.exists():
        kind.make(slug=slug, state=State.DRAFT)
    if step == "rename" and not kind.model._default_manager.filter(slug=other).exists():
        row.update(slug=other)
    if step == "delete":
        row.delete()
    if step in ("publish", "withdraw"):
        row.update(state=State.PUBLISHED if step == "publish" else State.DRAFT)
    if step in ("reschedule", "appear"):
        row.update(publish_at=LATER if step == "reschedule" else PAST)


@EACH_SLUG_TABLE
@settings(max_examples=30)
@given(steps=STEPS)
def test_every_slug_under_which_readers_saw_a_row_leads_to_it(
    kind: SlugTable, steps: list[tuple[str, str, str]]
) -> None:
    assert_seen_slugs_lead_to_rows(kind, steps)


@pytest.mark.exhaustive("tries 150 random histories of up to 25 steps")
@EACH_SLUG_TABLE
@settings(max_examples=150)
@given(steps=STEPS)
def test_every_slug_of_a_long_history_leads_to_its_row(
    kind: SlugTable, steps: list[tuple[str, str, str]]
) -> None:
    assert_seen_slugs_lead_to_rows(kind, steps)


def assert_seen_slugs_lead_to_rows(kind: SlugTable, steps: list[tuple[str, str, str]]) -> None:
    seen: dict[str, int] = {}
    with transaction.atomic():
        for step in steps:
            take_step(kind, *step)
            seen |= find_visible_rows(kind)
        remembered = kind.remembered()
        current = find_visible_rows(kind)
        rows = set(kind.model._default_manager.values_list("pk", flat=True))
        transaction.set_rollback(True)

    former = {slug: row for slug, row in seen.items() if slug not in current and row in rows}
    assert not remembered.keys() & current.keys()
    assert remembered == former


def find_visible_rows(kind: SlugTable) -> dict[str, int]:
    """Return the visible rows by slug."""
    rows = kind.model._default_manager.published(at=timezone.now())
    return dict(rows.values_list("slug", "pk"))
