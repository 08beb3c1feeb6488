"""Write content as files: fixtures in YAML, which are the same bytes for the same rows."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

import yaml
from django.apps import apps
from django.core import serializers

from catalogue import models
from catalogue.models.base import Content

FILES: Mapping[type[Content], str] = {
    models.Studio: "studio.yaml",
    models.TeamMember: "team.yaml",
    models.Tag: "tags.yaml",
    models.App: "apps/{}.yaml",
    models.Post: "posts/{}.yaml",
    models.ScienceTopic: "science.yaml",
    models.Principle: "principles.yaml",
    models.TimelineEntry: "timeline.yaml",
    models.Statistic: "statistics.yaml",
    models.ApiVersion: "versions.yaml",
    models.Image: "images/{}.yaml",
    models.Page: "pages/{}.yaml",
}
"""The file of each table, or of each of its rows, which its key names.

A table without a file has parts of rows, which follow their row. A row comes before the rows that
refer to it.
"""

FORMER = (models.FormerAppSlug, models.FormerPostSlug, models.FormerTagSlug)
RETIRED = "retired.yaml"
"""The file of former slugs without an owner: their addresses lead nowhere any more."""

MAX_LINE_CHARACTERS = 95
LONG_LINE_CHARACTERS = 80
"""A longer text on one line is folded."""
LAST = ("state", "publish_at", "edited_at", "body_en", "body_vi", "file", "small")
"""Columns that stand last in their row, the longest at the end."""


def find_table(name: str) -> type[Content] | None:
    return next((model for model in FILES if model._meta.model_name == name), None)


def dump(table: type[Content] | None = None, key: str = "") -> dict[str, bytes]:
    """Return the files of all rows by path, of those of a table, or that of the row with a key."""
    found = defaultdict[str, list[Content]](list)
    for model in [table] if table else FILES:
        chosen = dict.fromkeys(model.NATURAL_KEY, key) if key else {}
        for row in in_order(model._default_manager.filter(**chosen)):
            found[FILES[model].format(*row.natural_key())] += [row, *parts_of(row)]
    for former in FORMER if not table else ():
        found[RETIRED] += in_order(former.objects.filter(owner=None))
    return {path: write(rows) for path, rows in found.items() if rows}


def in_order(rows: Iterable[Any]) -> list[Any]:
    """Sort rows as their table does, but texts by their characters and not by a collation."""
    ordered = list(rows)
    for name in reversed(ordered[0]._meta.ordering) if ordered else ():
        ordered.sort(key=by_column(name.removeprefix("-")), reverse=name.startswith("-"))
    return ordered


def by_column(name: str) -> Callable[[Any], tuple[bool, Any]]:
    """Return the key by which rows are sorted, some of which may have no value in the column."""
    return lambda row: ((value := getattr(row, name)) is not None, value)


def rows_in(paths: Collection[str]) -> Iterator[Content]:
    """Yield the rows whose files have these paths."""
    for model, path in FILES.items():
        for row in model._default_manager.all():
            if path.format(*row.natural_key()) in paths:
                yield row


def parts_of(row: Content) -> Iterator[Content]:
    """Yield the rows without a file of their own that refer to a row."""
    for relation in relations_of_parts(type(row)):
        rows = relation.related_model._default_manager.filter(**{relation.field.name: row})
        yield from in_order(rows)


def relations_of_parts(model: type[Content]) -> Iterator[Any]:
    for relation in model._meta.related_objects:
        table = relation.related_model
        if isinstance(table, type) and issubclass(table, Content) and table not in FILES:
            yield relation


class Dumper(yaml.CSafeDumper):
    """Writes long texts in blocks, a key on one line, and equal values without references."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def represent_text(dumper: Dumper, text: str) -> yaml.ScalarNode:
    # A folded text that begins with a space is read with another line.
    folds = len(text) > LONG_LINE_CHARACTERS and not text[0].isspace()
    style = "|" if "\n" in text else ">" if folds else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def represent_key(dumper: Dumper, key: tuple[str, ...]) -> yaml.SequenceNode:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", key, flow_style=True)


def represent_number(dumper: Dumper, number: Decimal) -> yaml.Node:
    whole = int(number)
    return dumper.represent_data(whole if whole == number else str(number.normalize()))


Dumper.add_representer(str, represent_text)
Dumper.add_representer(tuple, represent_key)
Dumper.add_representer(Decimal, represent_number)


def write(rows: Iterable[Content]) -> bytes:
    """Return rows as YAML, without the columns that have their defaults."""
    entries = serializers.serialize(
        "python", rows, use_natural_foreign_keys=True, use_natural_primary_keys=True
    )
    return yaml.dump(
        [{**entry, "fields": shown_fields(entry)} for entry in entries],
        Dumper=Dumper,
        allow_unicode=True,
        sort_keys=False,
        width=MAX_LINE_CHARACTERS,
        encoding="utf-8",
    )


def shown_fields(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a row in their order, without those that are the column's default."""
    meta, shown = apps.get_model(entry["model"])._meta, dict[str, Any]()
    for name in sorted(entry["fields"], key=lambda name: LAST.index(name) if name in LAST else -1):
        value = entry["fields"][name]
        if isinstance(value, list):
            value = sorted(value)  # Keys of other rows, which have no order.
        if isinstance(value, str) and "\n" in value:
            value = value.rstrip("\n") + "\n"  # As text files do.
        if value not in (None, "", [], meta.get_field(name).get_default()):
            shown[name] = value
    return shown
