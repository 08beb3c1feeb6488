"""Ways of writing a row: each function prepares a row and returns the write.

Triggers run for each row of any statement, so other methods of querysets are no ways of their own.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import Model

from tests.factories import CHANGES, FACTORIES, make_unsaved
from tests.revisions import read_revision_number

Write = Callable[[], object]


def prepare_row_and_change(model: type[Model]) -> tuple[Model, str, Any]:
    """Return a saved row, and a field with another valid value."""
    row = FACTORIES[model]()
    field, value = CHANGES[model]
    return row, field, value()


def save_new(model: type[Model]) -> Write:
    return make_unsaved(model).save


def save_changed(model: type[Model]) -> Write:
    row, field, value = prepare_row_and_change(model)
    setattr(row, field, value)
    return row.save


def delete(model: type[Model]) -> Write:
    return FACTORIES[model]().delete


def queryset_update(model: type[Model]) -> Write:
    row, field, value = prepare_row_and_change(model)
    return lambda: model._default_manager.filter(pk=row.pk).update(**{field: value})


WAYS = pytest.mark.parametrize(
    "way",
    [save_new, save_changed, delete, queryset_update],
    ids=lambda way: way.__name__,
)


def moves_revision(write: Write) -> bool:
    before = read_revision_number()
    write()
    return read_revision_number() > before
