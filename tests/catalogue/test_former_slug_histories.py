import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalogue.models import State
from tests.catalogue.kinds import KINDS, Kind

SLUGS = st.sampled_from(["a", "b", "c", "d"])


STEPS = st.lists(
    st.tuples(st.sampled_from(["create", "rename", "delete", "publish", "withdraw"]), SLUGS, SLUGS),
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


@KINDS
@pytest.mark.django_db
@settings(
    max_examples=150,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=STEPS)
def test_no_former_slug_is_in_use_and_each_leads_to_a_row_in_one_step(
    kind: Kind, steps: list[tuple[str, str, str]]
) -> None:
    with transaction.atomic():
        for step in steps:
            take(kind, *step)
        remembered = kind.remembered()
        current = dict(kind.model._default_manager.values_list("slug", "pk"))
        transaction.set_rollback(True)

    assert not remembered.keys() & current.keys()
    assert set(remembered.values()) <= set(current.values())
