"""Edits as values.

Rows are identified by their place in the order of their keys, so an edit is possible in any
state. An edit that a constraint forbids is not done.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from django.db import DatabaseError, connection, transaction
from django.db.models import Model

from tests.freeze.incremental.new_rows import create


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

    def apply(self) -> None:
        row = find_row(self.model, self.place)
        if row is not None:
            update_row(row, self.values)


def update_row(row: Model, values: Mapping[str, Any]) -> None:
    type(row)._base_manager.filter(pk=row.pk).update(**values)


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
    """Deletes a row."""

    model: type[Model]
    place: int

    def apply(self) -> None:
        row = find_row(self.model, self.place)
        if row is not None:
            row.delete()


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
