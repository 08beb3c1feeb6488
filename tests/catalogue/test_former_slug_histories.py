from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalogue.models import State
from tests.catalogue.kinds import KINDS, Kind
from tests.rows import PAST

SLUGS = st.sampled_from(["a", "b", "c", "d"])


STEPS_OF_AN_EDITOR = ["create", "rename", "delete", "publish", "withdraw", "reschedule", "appear"]
LATER = timezone.now() + timedelta(days=400)
STEPS = st.lists(
    st.tuples(st.sampled_from(STEPS_OF_AN_EDITOR), SLUGS, SLUGS),
    max_size=25,
)


def take(kind: Kind, step: str, slug: str, other: str) -> None:
    """One thing that an editor does; one that the table forbids is not done."""
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


@KINDS
@pytest.mark.django_db
@settings(
    max_examples=150,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=STEPS)
def test_readers_find_each_row_by_every_slug_under_which_they_saw_it(
    kind: Kind, steps: list[tuple[str, str, str]]
) -> None:
    seen: dict[str, int] = {}
    with transaction.atomic():
        for step in steps:
            take(kind, *step)
            seen |= visible_rows(kind)
        remembered = kind.remembered()
        current = visible_rows(kind)
        rows = set(kind.model._default_manager.values_list("pk", flat=True))
        transaction.set_rollback(True)

    former = {slug: row for slug, row in seen.items() if slug not in current and row in rows}
    assert not remembered.keys() & current.keys()
    assert remembered == former


def visible_rows(kind: Kind) -> dict[str, int]:
    """What readers see: rows by slug."""
    rows = kind.model._default_manager.published(at=timezone.now())
    return dict(rows.values_list("slug", "pk"))
