"""Ways of writing a row: each prepares one and answers the write itself."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core import serializers
from django.core.management import call_command
from django.db import connection
from django.db.models import Model

from catalogue import revision
from tests.catalogue.makers import (
    CHANGES,
    MAKERS,
    unsaved,
)

Write = Callable[[], object]


def changed(model: type[Model]) -> tuple[Model, str, Any]:
    """A saved row, and a field of it with a value that it may have instead."""
    row = MAKERS[model]()
    field, value = CHANGES[model]
    return row, field, value()


def save_of_new(model: type[Model], folder: Path) -> Write:
    return unsaved(model).save


def save_of_changed(model: type[Model], folder: Path) -> Write:
    row, field, value = changed(model)
    setattr(row, field, value)
    return row.save


def delete(model: type[Model], folder: Path) -> Write:
    return MAKERS[model]().delete


def queryset_update(model: type[Model], folder: Path) -> Write:
    row, field, value = changed(model)
    return lambda: model._default_manager.filter(pk=row.pk).update(**{field: value})


def bulk_create(model: type[Model], folder: Path) -> Write:
    row = unsaved(model)
    return lambda: model._default_manager.bulk_create([row])


def bulk_update(model: type[Model], folder: Path) -> Write:
    row, field, value = changed(model)
    setattr(row, field, value)
    name = model._meta.get_field(field.removesuffix("_id")).name
    return lambda: model._default_manager.bulk_update([row], [name])


def queryset_delete(model: type[Model], folder: Path) -> Write:
    row = MAKERS[model]()
    return model._default_manager.filter(pk=row.pk).delete


def loaddata(model: type[Model], folder: Path) -> Write:
    file = folder / "rows.yaml"
    row = MAKERS[model]()
    file.write_text(serializers.serialize("yaml", [row], use_natural_foreign_keys=True))
    model._default_manager.filter(pk=row.pk).delete()
    return lambda: call_command("loaddata", str(file), verbosity=0)


def raw_sql_update(model: type[Model], folder: Path) -> Write:
    row, field, value = changed(model)
    table, column = model._meta.db_table, model._meta.get_field(field).column
    statement = f"UPDATE {table} SET {column} = %s WHERE id = %s"  # noqa: S608

    def write() -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement, [value, row.pk])

    return write


def moves(write: Write) -> bool:
    before = revision.current()
    write()
    return revision.current() > before
