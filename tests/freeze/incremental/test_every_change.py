"""Every field of every model, changed by itself, is a change that the next freeze takes in.

Fields and models are read off the catalogue: one for which nobody has said what it can be changed
to fails here, and so does one whose change a freeze does not notice.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.db.models import Model

from catalogue.models import Revision, Studio
from tests.freeze.incremental import freezes
from tests.freeze.incremental.creating import MAKERS
from tests.freeze.incremental.edits import (
    Change,
    Create,
    Delete,
    Edit,
    Relate,
    Way,
    is_done,
    row_at,
)
from tests.freeze.incremental.values import (
    Field,
    changeable,
    content_models,
    relations,
    values_of,
)

pytestmark = pytest.mark.django_db

MODELS = content_models()
FIELDS = [pytest.param(model, each, id=str(each)) for model in MODELS for each in changeable(model)]
RELATIONS = [pytest.param(m, each, id=str(each)) for m in MODELS for each in relations(m)]
SOLE = [Revision, Studio]
PLACES = 3
"""How many rows of a kind are tried."""

NOT_SHOWN = {
    "catalogue.Revision.number",
    "catalogue.Revision.changed_at",
    "catalogue.Revision.public_changed_at",
    "catalogue.ApiVersion.announced",
}
"""Columns that no document tells, and one that stays as it was set."""

ONLY_WITH: dict[str, dict[str, Any]] = {
    "catalogue.Statistic.counts": {"slug": "audio-sample-rate", "value": 3, "display": "3"},
}
"""What has to be changed with a field, because the table refuses it alone."""


@pytest.mark.parametrize(("model", "field"), FIELDS)
def test_a_changed_field_gives_what_a_full_freeze_gives(
    model: type[Model], field: Field, target: Path, tmp_path: Path
) -> None:
    shown = any(published(edit, target) for edit in changes(model, field))

    assert shown == (str(field) not in NOT_SHOWN)
    freezes.freeze(tmp_path / "full")
    assert freezes.differences(target, tmp_path / "full") == set()


def changes(model: type[Model], field: Field) -> Iterator[Edit]:
    """Changes of a field that the table allows, by each way in turn; they stay undone."""
    tried = 0
    for place in range(min(PLACES, model._base_manager.count())):
        for value in values_of(field):
            if getattr(row_at(model, place), field.attname) != value:
                values = {field.attname: value} | ONLY_WITH.get(str(field), {})
                yield Change(model, place, values, [*Way][tried % len(Way)])
                tried += 1


def published(edit: Edit, target: Path) -> bool:
    """Whether a freeze of an edit publishes something; otherwise the edit is undone."""
    with transaction.atomic():
        shown = is_done(edit) and freezes.freeze(target).outcome == "published"
        transaction.set_rollback(not shown)
    return shown


@pytest.mark.parametrize(("model", "relation"), RELATIONS)
def test_changed_relations_give_what_a_full_freeze_gives(
    model: type[Model], relation: Any, target: Path, tmp_path: Path
) -> None:
    given = is_done(Relate(model, relation.name, 0, frozenset({1})))

    assert (given, freezes.freeze(target).outcome) == (True, "published")
    freezes.freeze(tmp_path / "full")
    assert freezes.differences(target, tmp_path / "full") == set()


@pytest.mark.parametrize("model", [model for model in MODELS if model not in SOLE])
def test_a_row_more_gives_what_a_full_freeze_gives_and_a_row_less_what_was(
    model: type[Model], base: Path, target: Path, tmp_path: Path
) -> None:
    last = model._base_manager.count()

    assert is_done(Create(model, 0))
    assert freezes.freeze(target).outcome == "published"
    freezes.freeze(tmp_path / "full")
    assert freezes.differences(target, tmp_path / "full") == set()

    assert is_done(Delete(model, last))
    assert freezes.freeze(target).outcome == "published"
    assert freezes.differences(target, base) == set()


@pytest.mark.parametrize("model", SOLE)
def test_there_is_no_second_row_of_some_kinds(model: type[Model], base: Path) -> None:
    assert (model._base_manager.count(), is_done(Create(model, 0))) == (1, False)


def test_every_model_can_be_created() -> None:
    assert set(MODELS) == MAKERS.keys()
