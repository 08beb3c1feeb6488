"""What readers see, row by row, as a release remembers it."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.utils import timezone

from catalogue import questions
from catalogue.content.writing import FILES, relations_of_parts
from catalogue.models import Image
from catalogue.models.base import Content

Rows = Mapping[str, Mapping[str, list[str]]]
"""The values of rows by primary key, in the order of the rows."""

MAX_ROWS = 2000
"""More rows are not remembered: to read 10,000 posts would take a freeze two seconds longer."""


def published_content(at: datetime) -> dict[str, Rows]:
    """Return the rows that readers see at a moment, by the name of their table."""
    content: dict[str, Rows] = {}
    is_small = sum(model._default_manager.count() for model in FILES) <= MAX_ROWS
    for model in FILES if is_small else ():
        rows: Any = questions.images(at) if model is Image else model._default_manager.all()
        if hasattr(rows, "published"):
            rows = rows.published(at=at)
        related = [each.name for each in (*model._meta.many_to_many, *relations_of_parts(model))]
        rows = {str(row.pk): values_of(row) for row in rows.prefetch_related(*related)}
        content[str(model._meta.model_name)] = rows
    return content


def values_of(row: Content) -> dict[str, list[str]]:
    """Return the values of a row under the names of its form, and a line for each of its parts."""
    values = dict(columns_of(row))
    for field in row._meta.many_to_many:
        values[field.name] = sorted(str(each.pk) for each in getattr(row, field.name).all())
    for relation in relations_of_parts(type(row)):
        values[relation.name] = [
            " · ".join(text for _, [text] in columns_of(part, relation.field.name))
            for part in getattr(row, relation.name).all()
            # The slug of a row may also be a former one.
            if getattr(part, "slug", None) != getattr(row, "slug", "")
        ]
    return values


def columns_of(row: Content, parent: str = "") -> Iterator[tuple[str, list[str]]]:
    for field in row._meta.concrete_fields:
        value, is_shown = field.value_from_object(row), field.editable
        if isinstance(value, datetime):
            value = f"{timezone.localtime(value):%Y-%m-%d %H:%M}"
        elif isinstance(value, bytes | memoryview):
            value, is_shown = sha256(value).hexdigest()[:12], True
        # The order is that of the rows.
        if is_shown and value not in (None, "") and field.name not in ("id", "position", parent):
            yield field.name, [str(value)]
