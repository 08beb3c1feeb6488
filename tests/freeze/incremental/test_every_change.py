"""The next freeze publishes every change of a single field of any model.

Fields and models are those of the catalogue: a field without known values fails here, and so
does one whose change a freeze does not notice.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.db.models import Model

from catalogue.models import Post, Revision, Studio, TimelineLink
from tests.freeze.incremental import freezes
from tests.freeze.incremental.edits import (
    Change,
    Create,
    Delete,
    Edit,
    Relate,
    find_row,
    try_edit,
)
from tests.freeze.incremental.field_values import (
    Field,
    list_changeable_fields,
    list_models,
    list_relations,
    list_values,
)
from tests.freeze.incremental.new_rows import MAKERS

pytestmark = pytest.mark.django_db

MODELS = list_models()
QUICK_FIELDS = {
    "catalogue.App.icon_svg",
    "catalogue.Post.body_vi",
    "catalogue.FormerPostSlug.slug",
    "catalogue.TimelineLink.href",
}
QUICK_MODELS = (Post, TimelineLink)
"""Changes of each kind of row that the short run tries."""


def marks(*, quick: bool) -> Any:
    return () if quick else pytest.mark.exhaustive("changes every field and adds every row")


FIELDS = [
    pytest.param(model, each, id=str(each), marks=marks(quick=str(each) in QUICK_FIELDS))
    for model in MODELS
    for each in list_changeable_fields(model)
]
RELATIONS = [pytest.param(m, each, id=str(each)) for m in MODELS for each in list_relations(m)]
SINGLE_ROW_MODELS = [Revision, Studio]
ROWS_TRIED = 3
"""Number of rows of a model whose fields are changed."""

NOT_SHOWN = {
    "catalogue.Revision.number",
    "catalogue.Revision.changed_at",
    "catalogue.Revision.public_changed_at",
    "catalogue.ApiVersion.announced",
}
"""Columns that no document shows, and one that cannot be changed."""

ONLY_WITH: dict[str, dict[str, Any]] = {
    "catalogue.Statistic.counts": {"slug": "audio-sample-rate", "value": 3, "display": "3"},
}
"""Values that must change with a field, because a constraint forbids to change it alone."""


@pytest.mark.parametrize(("model", "field"), FIELDS)
def test_a_changed_field_gives_what_a_full_freeze_gives(
    model: type[Model], field: Field, target: Path, tmp_path: Path
) -> None:
    shown = any(is_published(edit, target) for edit in list_changes(model, field))

    assert shown == (str(field) not in NOT_SHOWN)
    freezes.freeze(tmp_path / "full")
    assert freezes.find_differences(target, tmp_path / "full") == set()


def list_changes(model: type[Model], field: Field) -> Iterator[Edit]:
    for place in range(min(ROWS_TRIED, model._base_manager.count())):
        for value in list_values(field):
            if getattr(find_row(model, place), field.attname) != value:
                values = {field.attname: value} | ONLY_WITH.get(str(field), {})
                yield Change(model, place, values)


def is_published(edit: Edit, target: Path) -> bool:
    """Do an edit and return whether a freeze publishes it; otherwise roll it back."""
    with transaction.atomic():
        shown = try_edit(edit) and freezes.freeze(target).outcome == "published"
        transaction.set_rollback(not shown)
    return shown


@pytest.mark.parametrize(("model", "relation"), RELATIONS)
def test_changed_relations_give_what_a_full_freeze_gives(
    model: type[Model], relation: Any, target: Path, tmp_path: Path
) -> None:
    given = try_edit(Relate(model, relation.name, 0, frozenset({1})))

    assert (given, freezes.freeze(target).outcome) == (True, "published")
    freezes.freeze(tmp_path / "full")
    assert freezes.find_differences(target, tmp_path / "full") == set()


@pytest.mark.parametrize(
    "model",
    [
        pytest.param(model, marks=marks(quick=model in QUICK_MODELS))
        for model in MODELS
        if model not in SINGLE_ROW_MODELS
    ],
)
def test_a_new_row_gives_the_bytes_of_a_full_freeze_and_its_deletion_the_earlier_bytes(
    model: type[Model], base: Path, target: Path, tmp_path: Path
) -> None:
    last = model._base_manager.count()

    assert try_edit(Create(model, 0))
    assert freezes.freeze(target).outcome == "published"
    freezes.freeze(tmp_path / "full")
    assert freezes.find_differences(target, tmp_path / "full") == set()

    assert try_edit(Delete(model, last))
    assert freezes.freeze(target).outcome == "published"
    assert freezes.find_differences(target, base) == set()


@pytest.mark.parametrize("model", SINGLE_ROW_MODELS)
def test_models_with_a_single_row_have_no_second_one(model: type[Model], base: Path) -> None:
    assert (model._base_manager.count(), try_edit(Create(model, 0))) == (1, False)


def test_every_model_can_be_created() -> None:
    assert set(MODELS) == MAKERS.keys()
