"""Load content from files: all of it or nothing, and only what every rule of the catalogue allows.

A row of a file replaces the row with its key, together with its symbols or links. A row that no
file names stays as it is, and so does a former slug, because it keeps an address alive.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from django.apps import apps
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.core.serializers.base import DeserializationError
from django.core.serializers.python import Deserializer
from django.db import DatabaseError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from catalogue.content.kinds import EVERYTHING, FORMER, KINDS, Row, name_of, tables
from catalogue.content.writing import Entry, entry_of, path_of_image
from catalogue.models import Image
from catalogue.models.base import Content
from catalogue.pictures import read_picture
from catalogue.transactions import lock_content

NOT_A_ROW = (DeserializationError, FieldDoesNotExist, DatabaseError, TypeError, ValueError)
"""Errors that Django raises for a field of no table, of another type, or that refers to no row."""
Files = Mapping[str, bytes]
"""Contents of files by path."""
IMAGE_SUFFIXES = (".svg", ".webp")


ACTS = {
    "add": gettext_noop("add %(name)s %(key)s"),
    "change": gettext_noop("change %(name)s %(key)s"),
    "delete": gettext_noop("delete %(name)s %(key)s"),
}


class Change(NamedTuple):
    """A change of a row by loading: `add`, `change` or `delete`, and the fields that change."""

    act: str
    row: Row
    fields: tuple[str, ...] = ()

    def __str__(self) -> str:
        table, *key = self.row
        meta = apps.get_model(table)._meta
        labels = [str(meta.get_field(name).verbose_name) for name in self.fields]
        fields = f": {', '.join(labels)}" if labels else ""
        values = {"name": meta.verbose_name, "key": " ".join(key)}
        return (_(ACTS[self.act]) % values).rstrip() + fields


class ContentRefused(Exception):
    """Files that cannot be loaded; `faults` are sentences that name the file and the row."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = list(faults)
        super().__init__("\n".join(self.faults))


def find_files(path: Path) -> list[Path]:
    """Return the files of content in a folder, or a file with those of an image beside it."""
    found = path.rglob("*") if path.is_dir() else path.parent.glob(f"{path.stem}.*")
    suffixes = (".yaml", *IMAGE_SUFFIXES)
    return sorted(each for each in found if each == path or each.suffix in suffixes)


def find_changes(files: Files) -> list[Change]:
    """Return what `load` would change. Raises `ContentRefused` as it does."""
    with transaction.atomic():
        changes = load(files)
        transaction.set_rollback(True)
    return changes


@transaction.atomic
def load(files: Files) -> list[Change]:
    """Load files and return the changes. Raises `ContentRefused` with all faults at once."""
    lock_content()
    before = read_rows()
    if faults := list(save_entries(read_files(files))):
        raise ContentRefused(faults)
    return list(compare_rows(before, read_rows()))


def read_files(files: Files) -> list[tuple[str, Entry]]:
    """Return the entries of files with their paths, so that a row precedes those that refer to it.

    Raises `ContentRefused`.
    """
    order = [model._meta.label_lower for model in tables()]
    found, faults = list[tuple[str, Entry]](), list[str]()
    for path, text in files.items():
        if path.endswith(IMAGE_SUFFIXES):
            continue
        try:
            entries = yaml.load(text, Loader=yaml.CSafeLoader)
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            fault = _("%(path)s is not YAML: %(error)s")
            faults.append(fault % {"path": path, "error": error})
            continue
        for entry in entries if isinstance(entries, list) else [entries]:
            if is_entry(entry) and entry["model"] in order:
                found.append((path, with_file(entry, path, files)))
            else:
                fault = _("%(path)s has something that is not a row of content: %(entry)s.")
                faults.append(fault % {"path": path, "entry": f"{entry!r:.80}"})
    if faults:
        raise ContentRefused(faults)
    return sorted(found, key=lambda each: order.index(each[1]["model"]))


def is_entry(found: Any) -> bool:
    return (
        isinstance(found, dict)
        and {*found} == {"model", "fields"}
        and isinstance(found["fields"], dict)
    )


def with_file(entry: Entry, path: str, files: Files) -> Entry:
    """Return the entry of an image with its file, which is beside that of the entry."""
    if entry["model"] != Image._meta.label_lower:
        return entry
    fields = entry["fields"]
    name = path_of_image(path, fields.get("slug"), fields.get("format"))
    return {**entry, "fields": {**fields, "file": files.get(name, b"")}}


def save_entries(entries: Iterable[tuple[str, Entry]]) -> Iterator[str]:
    """Save the rows of entries, and yield the faults of those that cannot be saved."""
    rename_rows(entry for _, entry in entries)
    kept = set[Row]()
    for path, entry in entries:
        try:
            with transaction.atomic():
                kept.add(save_entry(entry))
        except ValidationError as error:
            yield from (f"{path}: {describe_entry(entry)}: {fault}" for fault in list_faults(error))
        except NOT_A_ROW as error:
            yield f"{path}: {describe_entry(entry)}: {error}"
    delete_parts(kept)


def rename_rows(entries: Iterable[Entry]) -> None:
    """Give its new slug to each row whose present one is a former slug in the files."""
    owners = {model._meta.label_lower: model.owner.field.related_model for model in FORMER}
    for entry in entries:
        owner = entry["fields"].get("owner")
        if owner and (model := owners.get(entry["model"])):
            model.objects.filter(slug=entry["fields"].get("slug")).update(slug=owner[0])


def save_entry(entry: Entry) -> Row:
    """Save a row and return its name. Raises `ValidationError` and what the database raises."""
    [found] = Deserializer([dict(entry)])
    row: Content = found.object
    present = type(row)._default_manager.filter(pk=row.pk).first()
    if present is None or entry_of(present) != entry:
        row._state.adding = present is None
        measure_image(row)
        # The admin never shows a retired slug, so its form rules are not those of the column.
        row.full_clean(exclude={"owner", "file"})
        found.save()
    return name_of(row)


def measure_image(row: Any) -> None:
    """Give the row of an image what its file says. Raises `ValidationError`."""
    if isinstance(row, Image):
        row.set_picture(*read_picture(row.file, row.format))


def delete_parts(kept: set[Row]) -> None:
    """Delete the parts that are not among the rows that were saved, while their row is."""
    for kind in KINDS:
        for model, reference in (part for part in kind.parts if part[0] not in FORMER):
            for part in model._default_manager.select_related(reference):
                owner = getattr(part, reference)
                if name_of(owner) in kept and name_of(part) not in kept:
                    part.delete()


def read_rows() -> dict[Row, Entry]:
    rows = (row for kind in EVERYTHING for rows in kind.rows() for row in rows)
    return {name_of(row): entry_of(row) for row in rows}


def compare_rows(before: Mapping[Row, Entry], after: Mapping[Row, Entry]) -> Iterator[Change]:
    for row, entry in after.items():
        if row not in before:
            yield Change("add", row)
        elif fields := changed_fields(before[row]["fields"], entry["fields"]):
            yield Change("change", row, fields)
    yield from (Change("delete", row) for row in before if row not in after)


def changed_fields(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, ...]:
    names = dict.fromkeys((*before, *after))
    return tuple(name for name in names if before.get(name) != after.get(name))


def describe_entry(entry: Entry) -> str:
    """Return the words for a row of a file, whose key may be wrong or missing."""
    fields = entry["fields"]
    return f"{entry['model'].removeprefix('catalogue.')} {next(iter(fields.values()), '')}".rstrip()


def list_faults(error: ValidationError) -> Iterator[str]:
    for field, messages in getattr(error, "message_dict", {"": error.messages}).items():
        yield from (f"{field}: {message}" if field else message for message in messages)
