"""Edits of every model as values.

Rows are identified by their place in the order of their keys, so an edit is possible in any
state. An edit that a constraint forbids is not done.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import DatabaseError, IntegrityError, connection, models, transaction

from catalogue.texts.fields import Lines
from tests import factories
from tests.freeze.incremental import corpus

Field = models.Field[Any, Any]
Model = type[models.Model]
Edit = Callable[[], object]

TEXTS = [
    *("Text", "“A” & <b>Đo</b> \"b\" 'c'", "a | b * c _d_ `e`", "One line\nand another.\n\n- 1. x"),
    "## A part\n\n**Bold** and `code`.\n\n| a | b |\n| - | - |\n| 1 | 2 |",
    "```python\nprint('one')\n```\n\nThe formula $v = f \\lambda$, and {site}.",
    "Of [an app](/apps/first) and [an article](/blog/middle). " * 40,
    *(r"\frac{a}{b}", "NZ", "v3", "v4", "v5", "3.0.0"),
    *("another", "once-first", "once-middle", "oldest", "zero"),
    *("2018", "2024", "2026-01", "2021-06-14"),
    *("us@studio.example", "mailto:safe@studio.example", "https://two.example/b?c=d&e"),
    *("/privacy", "/apps/first", "/blog/newest"),
    *(corpus.ICON, corpus.ICON.replace("h1v1z", "h1v2z")),
]
VALUES: dict[type[Field], list[Any]] = {
    models.BooleanField: [True, False],
    models.PositiveIntegerField: [0, 1, 2, 9],
    models.BigIntegerField: [1, 1000],
    models.DecimalField: [Decimal(0), Decimal("0.125"), Decimal(48000)],
    models.DateField: [date(2024, 5, 5), date(2026, 2, 3)],
    models.DateTimeField: [
        *(factories.PAST, factories.PAST - timedelta(days=400)),
        *(corpus.DUE, datetime(2031, 6, 1, tzinfo=UTC)),
    ],
    Lines: [["en"], ["vi", "en"], []],
}
"""Values of fields that are no texts. A field has those that its rules allow."""


def list_models() -> list[Model]:
    """Return the tables whose columns change by themselves: a file changes with others."""
    return [
        model
        for model in apps.get_app_config("catalogue").get_models()
        if not any(isinstance(field, models.BinaryField) for field in model._meta.fields)
    ]


def list_changeable_fields(model: Model) -> list[Field]:
    return [
        field
        for field in model._meta.concrete_fields
        if not field.primary_key and not isinstance(field, models.GeneratedField)
    ]


def list_values(field: Field) -> list[Any]:
    """Return values that a field may have."""
    if isinstance(field, models.ForeignKey):
        known = [row.pk for row in field.related_model._base_manager.order_by("pk")]
    elif field.choices:
        known = [value for value, label in field.flatchoices]
    else:
        values = next((VALUES[kind] for kind in type(field).mro() if kind in VALUES), TEXTS)
        known = [each for each in values if is_valid(field, each)]
    empty = [""] if field.blank and field.empty_strings_allowed else []
    return [*known, *empty, *([None] if field.null else [])]


def is_valid(field: Field, value: Any) -> bool:
    """Tell whether the validators and the constraints of a field alone allow a value."""
    others = {each.name for each in field.model._meta.fields if each is not field}
    try:
        field.run_validators(value)
        field.model(**{field.attname: value}).validate_constraints(exclude=others)
    except ValidationError:
        return False
    return True


def try_edit(edit: Edit) -> bool:
    """Do an edit and return whether the constraints allow it."""
    try:
        with transaction.atomic():
            edit()
            connection.check_constraints()
    except DatabaseError:
        return False
    return True


def find_rows(model: Model, *places: int) -> Iterator[models.Model]:
    """Yield the rows at some places modulo the number of rows; none of an empty table."""
    rows = list(model._base_manager.order_by("pk"))
    return (rows[place % len(rows)] for place in places if rows)


def change(model: Model, place: int, **values: Any) -> None:
    for row in find_rows(model, place):
        model._base_manager.filter(pk=row.pk).update(**values)


def delete(model: Model, place: int) -> None:
    for row in find_rows(model, place):
        row.delete()


def delete_all(model: Model) -> None:
    model._base_manager.all().delete()


def swap(model: Model, name: str, place: int, other: int) -> None:
    """Exchange a value of two rows."""
    for row, donor in zip(
        find_rows(model, place, other), find_rows(model, other, place), strict=True
    ):
        model._base_manager.filter(pk=row.pk).update(**{name: getattr(donor, name)})


def relate(model: Model, name: str, place: int, related: Iterable[int]) -> None:
    """Replace the related rows of a row by the rows at some places."""
    for row in find_rows(model, place):
        relation = getattr(row, name)
        relation.set(find_rows(relation.model, *sorted(related)))


def copy(model: Model, place: int, **values: Any) -> None:
    """Create a row like another one, with the same related rows and unique values of its own."""
    for row in find_rows(model, place):
        related = {each: list(getattr(row, each).all()) for each in list_relations(model)}
        row.pk = model._meta.pk.get_default()
        for name, value in {**make_unique_values(model), **values}.items():
            setattr(row, name, value)
        row.save_base(raw=True, force_insert=True)
        for name, rows in related.items():
            getattr(row, name).set(rows)


def list_relations(model: Model) -> list[str]:
    """Return the names of relations with many rows on both sides."""
    return [
        each.get_accessor_name() if isinstance(each, models.ManyToManyRel) else each.name
        for each in model._meta.get_fields()
        if each.many_to_many
    ]


def make_unique_values(model: Model) -> dict[str, Any]:
    """Return values that no row has, where rows must differ."""
    together = {each.fields[-1] for each in model._meta.constraints if is_of_all_rows(each)}
    return {
        field.name: find_free_value(model, field)
        for field in list_changeable_fields(model)
        if field.unique or field.name in together
    }


def is_of_all_rows(rule: models.BaseConstraint) -> bool:
    return isinstance(rule, models.UniqueConstraint) and rule.condition is None


def find_free_value(model: Model, field: Field) -> Any:
    taken = set(model._base_manager.values_list(field.name, flat=True))
    for value in list_values(field):
        if value not in taken:
            return value
    raise IntegrityError(f"Every known value of {field} is taken.")
