"""Write content as files: fixtures in YAML, which are the same bytes for the same rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from operator import attrgetter
from typing import Any

import yaml
from django.db.models import BinaryField, Field

from catalogue.content.kinds import EVERYTHING, Kind
from catalogue.models import Image
from catalogue.models.base import Content

MAX_LINE_CHARACTERS = 95
LONG_LINE_CHARACTERS = 80
"""A longer text on one line is folded."""
LAST = ("state", "publish_at", "edited_at", "body_en", "body_vi")
"""Fields that stand last in their row, the longest at the end."""

MEASURED = ("width", "height", "small")
"""Columns of an image, which are made of its file."""

Entry = Mapping[str, Any]
"""A row of a file: its `model`, and its `fields` without those that have their default."""


class Key(list[Any]):
    """The key of a row to which another one refers, or a list of such keys."""


def dump(kinds: Sequence[Kind] = EVERYTHING, key: str = "") -> dict[str, bytes]:
    """Return the files of all rows of some kinds by path, or that of the row with a key."""
    found = dict[str, list[Content]]()
    for kind in kinds:
        for rows in kind.rows(key):
            found.setdefault(kind.file_of(rows[0]), []).extend(rows)
    return {name: text for path, rows in found.items() for name, text in files_of(path, rows)}


def files_of(path: str, rows: Sequence[Content]) -> Iterator[tuple[str, bytes]]:
    """Yield the file of rows, and beside it those of images."""
    yield path, write_entries(map(entry_of, rows))
    for row in rows:
        if isinstance(row, Image):
            yield path_of_image(path, row.slug, row.format), bytes(row.file)


def path_of_image(path: str, slug: Any, suffix: Any) -> str:
    """Return the path of the file of an image, which stands beside that of its row."""
    return f"{path[: path.rfind('/') + 1]}{slug}.{suffix}"


def entry_of(row: Content) -> Entry:
    meta = row._meta
    owned = [field for field in meta.concrete_fields if not is_left_out(field)]
    values = {field.name: value_of(field, row) for field in owned if not is_default(field, row)}
    for relation in meta.many_to_many:
        if keys := Key(list(other.natural_key()) for other in getattr(row, relation.name).all()):
            values[relation.name] = keys
    names = sorted(values, key=lambda name: LAST.index(name) if name in LAST else -1)
    return {"model": meta.label_lower, "fields": {name: values[name] for name in names}}


def is_left_out(field: Field[Any, Any]) -> bool:
    is_measured = field.model is Image and field.name in MEASURED
    return field.primary_key or field.generated or is_measured


def is_default(field: Field[Any, Any], row: Content) -> bool:
    value = getattr(row, field.attname)
    return value in (None, "", []) or (field.has_default() and value == field.default)


def value_of(field: Field[Any, Any], row: Content) -> Any:
    if field.is_relation:
        return Key(attrgetter(field.name)(row).natural_key())
    value = getattr(row, field.attname)
    if isinstance(field, BinaryField):
        return bytes(value)
    # A text of several lines ends with one, as text files do.
    return f"{value}\n" if isinstance(value, str) and "\n" in value else value


class Dumper(yaml.SafeDumper):
    """Writes texts as people do."""


def represent_text(dumper: Dumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else ">" if len(text) > LONG_LINE_CHARACTERS else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def represent_key(dumper: Dumper, key: Key) -> yaml.SequenceNode:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", key, flow_style=True)


def represent_number(dumper: Dumper, number: Decimal) -> yaml.Node:
    whole = int(number)
    return dumper.represent_data(whole if whole == number else str(number.normalize()))


Dumper.add_representer(str, represent_text)
Dumper.add_representer(Key, represent_key)
Dumper.add_representer(Decimal, represent_number)


def write_entries(entries: Iterable[Entry]) -> bytes:
    """Return entries as YAML, without the files of images."""
    return yaml.dump(
        [
            {**entry, "fields": {k: v for k, v in entry["fields"].items() if k != "file"}}
            for entry in entries
        ],
        Dumper=Dumper,
        allow_unicode=True,
        sort_keys=False,
        width=MAX_LINE_CHARACTERS,
        encoding="utf-8",
    )
