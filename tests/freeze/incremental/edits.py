"""Edits as values: changes of rows by the admin, by a script or by a database shell.

Rows are identified by their place in the order of their keys, so an edit is possible in any
state. An edit that a constraint forbids is not done.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from django.db import DatabaseError, connection, models, transaction
from django.db.models import Model

from tests.freeze.incremental.field_values import list_changeable_fields
from tests.freeze.incremental.new_rows import create


class Way(StrEnum):
    """How a change is written. Only `SAVE` runs the code of the model."""

    SAVE = "save"
    UPDATE = "update"
    SQL = "sql"


class Edit(Protocol):
    """Changes rows; raises `DatabaseError` if a constraint forbids it."""

    def apply(self) -> None: ...


def apply_edits(edits: Iterable[Edit]) -> None:
    """Do those of some edits that the constraints allow."""
    for edit in edits:
        try_edit(edit)


def try_edit(edit: Edit) -> bool:
    """Do an edit and return whether the constraints allow it."""
    try:
        with transaction.atomic():
            edit.apply()
            connection.check_constraints()
    except DatabaseError:
        return False
    return True


def find_row(model: type[Model], place: int) -> Model | None:
    """Return the row at a place modulo the number of rows, or `None` for an empty table."""
    rows = model._base_manager.order_by("pk")
    count = rows.count()
    return rows[place % count] if count else None


@dataclass(frozen=True)
class Change:
    """New values of one row."""

    model: type[Model]
    place: int
    values: Mapping[str, Any]
    way: Way = Way.SAVE

    def apply(self) -> None:
        row = find_row(self.model, self.place)
        if row is not None:
            WAYS[self.way](row, self.values)


def save_row(row: Model, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        setattr(row, name, value)
    row.save()


def update_row(row: Model, values: Mapping[str, Any]) -> None:
    type(row)._base_manager.filter(pk=row.pk).update(**values)


def update_by_sql(row: Model, values: Mapping[str, Any]) -> None:
    columns = [find_column(type(row), name) for name in values]
    written = ", ".join(f"{quote_name(each.column)} = %s" for each in columns)
    prepared = [
        each.get_db_prep_save(value, connection)
        for each, value in zip(columns, values.values(), strict=True)
    ]
    execute(f"UPDATE {quote_table(row)} SET {written} WHERE id = %s", [*prepared, row.pk])  # noqa: S608


def find_column(model: type[Model], name: str) -> models.Field[Any, Any]:
    return next(each for each in list_changeable_fields(model) if name in (each.name, each.attname))


def quote_table(row: Model) -> str:
    return quote_name(row._meta.db_table)


def quote_name(name: str | None) -> str:
    return connection.ops.quote_name(str(name))


def execute(statement: str, values: list[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


WAYS = {Way.SAVE: save_row, Way.UPDATE: update_row, Way.SQL: update_by_sql}


@dataclass(frozen=True)
class ChangeAll:
    """The same value for every row, in one statement that runs no code of the model."""

    model: type[Model]
    values: Mapping[str, Any]

    def apply(self) -> None:
        self.model._base_manager.update(**self.values)


@dataclass(frozen=True)
class Create:
    """A new row; its number makes it differ from other new rows."""

    model: type[Model]
    number: int
    values: Mapping[str, Any] = field(default_factory=dict)

    def apply(self) -> None:
        create(self.model, self.number, dict(self.values))


@dataclass(frozen=True)
class Delete:
    """Deletes a row; by SQL, only a row that no other refers to."""

    model: type[Model]
    place: int
    way: Way = Way.SAVE

    def apply(self) -> None:
        row = find_row(self.model, self.place)
        if row is None:
            return
        if self.way is Way.SAVE:
            row.delete()
        elif self.way is Way.UPDATE:
            self.model._base_manager.filter(pk=row.pk).delete()
        else:
            execute(f"DELETE FROM {quote_table(row)} WHERE id = %s", [row.pk])  # noqa: S608


@dataclass(frozen=True)
class DeleteAll:
    model: type[Model]

    def apply(self) -> None:
        self.model._base_manager.all().delete()


@dataclass(frozen=True)
class Relate:
    """Replaces the related rows of a row by the rows at some places."""

    model: type[Model]
    name: str
    place: int
    related: frozenset[int]

    def apply(self) -> None:
        row = find_row(self.model, self.place)
        if row is not None:
            relation = getattr(row, self.name)
            found = (find_row(relation.model, place) for place in sorted(self.related))
            relation.set([each for each in found if each is not None])


@dataclass(frozen=True)
class Swap:
    """Exchanges a value of two rows."""

    model: type[Model]
    name: str
    place: int
    other: int

    def apply(self) -> None:
        one, two = find_row(self.model, self.place), find_row(self.model, self.other)
        if one is not None and two is not None:
            here, there = getattr(one, self.name), getattr(two, self.name)
            update_row(one, {self.name: there})
            update_row(two, {self.name: here})
