"""Edits as plain values: what an editor, a script or a database shell does to the catalogue.

Rows are named by their place in the order of their keys, so an edit means something in any
state. What the tables forbid is not done.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from django.db import DatabaseError, connection, models, transaction
from django.db.models import Model

from tests.freeze.incremental.creating import create
from tests.freeze.incremental.values import changeable


class Way(StrEnum):
    """How a change gets into the table. Only the first runs the code of the model."""

    SAVE = "save"
    UPDATE = "update"
    SQL = "sql"


class Edit(Protocol):
    """Changes the catalogue; raises `DatabaseError` where the tables forbid it."""

    def apply(self) -> None: ...


def do(edits: Iterable[Edit]) -> None:
    """Whatever the tables allow of some edits."""
    for edit in edits:
        is_done(edit)


def is_done(edit: Edit) -> bool:
    """Do an edit if the tables allow it."""
    try:
        with transaction.atomic():
            edit.apply()
            connection.check_constraints()
    except DatabaseError:
        return False
    return True


def row_at(model: type[Model], place: int) -> Model | None:
    """The row at a place, counted round and round; none where there is no row."""
    rows = model._base_manager.order_by("pk")
    count = rows.count()
    return rows[place % count] if count else None


@dataclass(frozen=True)
class Change:
    """Other values of one row."""

    model: type[Model]
    place: int
    values: Mapping[str, Any]
    way: Way = Way.SAVE

    def apply(self) -> None:
        row = row_at(self.model, self.place)
        if row is not None:
            WAYS[self.way](row, self.values)


def save(row: Model, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        setattr(row, name, value)
    row.save()


def update(row: Model, values: Mapping[str, Any]) -> None:
    type(row)._base_manager.filter(pk=row.pk).update(**values)


def sql(row: Model, values: Mapping[str, Any]) -> None:
    columns = [column(type(row), name) for name in values]
    written = ", ".join(f"{quoted(each.column)} = %s" for each in columns)
    prepared = [
        each.get_db_prep_save(value, connection)
        for each, value in zip(columns, values.values(), strict=True)
    ]
    execute(f"UPDATE {table(row)} SET {written} WHERE id = %s", [*prepared, row.pk])  # noqa: S608


def column(model: type[Model], name: str) -> models.Field[Any, Any]:
    return next(each for each in changeable(model) if name in (each.name, each.attname))


def table(row: Model) -> str:
    return quoted(row._meta.db_table)


def quoted(name: str | None) -> str:
    return connection.ops.quote_name(str(name))


def execute(statement: str, values: list[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


WAYS = {Way.SAVE: save, Way.UPDATE: update, Way.SQL: sql}


@dataclass(frozen=True)
class ChangeAll:
    """The same value for every row, in one statement that runs no code of the model."""

    model: type[Model]
    values: Mapping[str, Any]

    def apply(self) -> None:
        self.model._base_manager.update(**self.values)


@dataclass(frozen=True)
class Create:
    """One more row, numbered, so that two of them are two."""

    model: type[Model]
    number: int
    values: Mapping[str, Any] = field(default_factory=dict)

    def apply(self) -> None:
        create(self.model, self.number, dict(self.values))


@dataclass(frozen=True)
class Delete:
    """One row less; in SQL, only one that no other belongs to."""

    model: type[Model]
    place: int
    way: Way = Way.SAVE

    def apply(self) -> None:
        row = row_at(self.model, self.place)
        if row is None:
            return
        if self.way is Way.SAVE:
            row.delete()
        elif self.way is Way.UPDATE:
            self.model._base_manager.filter(pk=row.pk).delete()
        else:
            execute(f"DELETE FROM {table(row)} WHERE id = %s", [row.pk])  # noqa: S608


@dataclass(frozen=True)
class DeleteAll:
    model: type[Model]

    def apply(self) -> None:
        self.model._base_manager.all().delete()


@dataclass(frozen=True)
class Relate:
    """Other related rows of one row: those whose places are given."""

    model: type[Model]
    name: str
    place: int
    related: frozenset[int]

    def apply(self) -> None:
        row = row_at(self.model, self.place)
        if row is not None:
            relation = getattr(row, self.name)
            found = (row_at(relation.model, place) for place in sorted(self.related))
            relation.set([each for each in found if each is not None])


@dataclass(frozen=True)
class Swap:
    """Two rows change places: each has the other's value."""

    model: type[Model]
    name: str
    place: int
    other: int

    def apply(self) -> None:
        one, two = row_at(self.model, self.place), row_at(self.model, self.other)
        if one is not None and two is not None:
            here, there = getattr(one, self.name), getattr(two, self.name)
            update(one, {self.name: there})
            update(two, {self.name: here})
