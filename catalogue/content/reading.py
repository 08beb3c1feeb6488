"""Load content from files: all of it or nothing, and only what every rule of the catalogue allows.

A row of a file replaces the row with its key, together with its symbols or links. A row that no
file names stays as it is, and so does a former slug, because it keeps an address alive.
"""

import re
import reprlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from hashlib import sha256
from inspect import isfunction
from pathlib import Path
from typing import Any, TypedDict

import msgspec
import yaml
from django.apps import apps
from django.core.exceptions import NON_FIELD_ERRORS, FieldDoesNotExist, ValidationError
from django.core.serializers.base import DeserializationError
from django.core.serializers.python import Deserializer
from django.db import DatabaseError, models, transaction
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from catalogue.content.writing import FILES, FORMER, dump, parts_of, relations_of_parts, write
from catalogue.models.base import Content
from catalogue.models.workflow import Dated
from catalogue.texts.fields import Lines
from catalogue.transactions import lock_content

Files = Mapping[str, bytes]
"""Contents of files by path."""

TABLES = [
    table._meta.label_lower
    for model in FILES
    for table in (model, *(each.related_model for each in relations_of_parts(model)))
]
"""The names of tables, in an order in which a row precedes those that refer to it."""

ENCODED = re.compile(r"((?:file|small): \|\n)(?: +[\w+/=]+\n)+")
"""The lines of a file of an image in Base64."""
MAX_DEPTH = 5
"""The depth of a key in the list of keys of a column of a row in the list of rows."""
MAX_FAULT_CHARACTERS = 500
"""An error of Django may have the whole value of a column."""


class ContentEntry(TypedDict):
    """A row of a file, without the columns that have their default."""

    model: str
    fields: dict[str, Any]


class ContentRefused(Exception):
    """Files that cannot be loaded; `faults` are sentences that name the file and the row."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = list(faults)
        super().__init__("\n".join(self.faults))


def find_files(path: Path) -> list[Path]:
    """Return the files of content in a folder, or the file itself."""
    return sorted(path.rglob("*.yaml")) if path.is_dir() else [path]


def load(
    files: Files, *, apply: bool = True, judge: Callable[[], Iterable[str]] = tuple
) -> dict[str, tuple[str, str]]:
    """Load files and return what changes: by path, what `dump` writes before and after it.

    Without `apply`, nothing is changed. Raises `ContentRefused` with all faults at once, and then
    with those that `judge` finds in the loaded content.
    """
    with transaction.atomic():
        lock_content()
        before = dump()
        if faults := [*save(read_entries(files))] or [*judge()]:
            raise ContentRefused(faults)
        after = dump()
        transaction.set_rollback(not apply)
    return {
        path: (describe(before.get(path, b"")), describe(after.get(path, b"")))
        for path in sorted({*before, *after})
        if before.get(path) != after.get(path)
    }


def describe(file: bytes) -> str:
    """Return a file with digests in place of encoded images, which people cannot compare."""
    return ENCODED.sub(
        lambda found: f"{found[1]}{sha256(found[0].encode()).hexdigest()}\n", file.decode()
    )


def read_entries(files: Files) -> list[tuple[str, ContentEntry]]:
    """Return the entries of files with their paths, in the order of tables.

    Raises `ContentRefused`.
    """
    found, faults = list[tuple[str, ContentEntry]](), list[str]()
    for path, text in files.items():
        try:
            found += [(path, entry) for entry in read_file(text)]
        except Exception as error:  # noqa: BLE001 (PyYAML raises errors of every kind)
            fault = _("%(path)s is not a file of content: %(error)s")
            faults.append(fault % {"path": path, "error": describe_error(error)})
    if faults:
        raise ContentRefused(faults)
    return sorted(found, key=lambda each: TABLES.index(each[1]["model"]))


def describe_error(error: Exception) -> str:
    """Return a sentence for an error of a library in reading a file, or that of this module."""
    match error:
        case ValidationError():
            return str(error.message)
        case yaml.MarkedYAMLError(problem_mark=mark) if mark:
            return _("line %(line)s is not YAML.") % {"line": mark.line + 1}
        case yaml.YAMLError() | UnicodeDecodeError():
            return _("it is not a text in UTF-8.")
        case msgspec.ValidationError():
            place = "".join(re.findall(r"`(\$[^`]*)`", str(error))) or "$"
            told = _("it is not a list of rows, each with a model and fields; see %(place)s.")
            return told % {"place": place}
    return _("it has a value that does not exist, such as 2026-13-45.")


def read_file(text: bytes) -> list[ContentEntry]:
    """Return the rows of a file.

    References are refused, because a few of them make an endless text. Deep nesting is refused,
    because the library takes quadratic time for it.
    """
    depth, content = 0, text.decode()
    for event in yaml.parse(content, yaml.CSafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH or isinstance(event, yaml.AliasEvent):
            raise ValidationError(_("it has a reference, such as *name, or lists in lists."))
    read = yaml.load(content, Loader)  # noqa: S506  (it is a safe one)
    entries = msgspec.convert(read, list[ContentEntry])
    for entry, whole in zip(entries, read, strict=True):
        # A key of a database means nothing in another one.
        if entry["model"] not in TABLES or "id" in entry["fields"] or entry != whole:
            raise ValidationError(_("%(entry)s is not a row.") % {"entry": reprlib.repr(whole)})
    return entries


class Loader(yaml.CSafeLoader):
    """Refuses a key that is there twice, as after a merge: the library takes the last one."""

    def construct_mapping(self, node: yaml.MappingNode, *deep: bool) -> dict[Any, Any]:
        if len({key.value for key, _value in node.value}) < len(node.value):
            told = _("a key is there twice in what begins in line %(line)s.")
            raise ValidationError(told % {"line": node.start_mark.line + 1})
        return super().construct_mapping(node, *deep)


def save(entries: Iterable[tuple[str, ContentEntry]]) -> Iterator[str]:
    """Save the rows of entries, and yield the faults of those that cannot be saved."""
    rename_rows(entry for _, entry in entries)
    saved = set[Content]()
    for path, entry in entries:
        try:
            with transaction.atomic():
                row = save_entry(entry)
                refuse_second(row, saved)
                saved.add(row)
        except Exception as error:  # noqa: BLE001 (Django raises errors of every kind)
            for fault in list_faults(error):
                told = f"{path}: {describe_entry(entry)}: {fault}"
                yield Truncator(told).chars(MAX_FAULT_CHARACTERS)
    for row in saved:
        for part in parts_of(row):
            if part not in saved and not isinstance(part, FORMER):
                part.delete()


def refuse_second(row: Content, saved: Collection[Content]) -> None:
    if row in saved:
        raise ValidationError(_("It is in the files twice."))


def rename_rows(entries: Iterable[ContentEntry]) -> None:
    """Give its new slug to each row whose present one is a former slug in the files."""
    owners = {model._meta.label_lower: model.owner.field.related_model for model in FORMER}
    for entry in entries:
        owner = owners.get(entry["model"])
        match entry["fields"]:
            case {"slug": str(former), "owner": [str(slug)]} if owner:
                # If the slug is taken or wrong, saving its row tells it.
                with suppress(DatabaseError), transaction.atomic():
                    owner.objects.filter(slug=former).update(slug=slug)


def save_entry(entry: ContentEntry) -> Any:
    """Save a row and return it. Raises `ValidationError` and what the database raises."""
    meta = apps.get_model(entry["model"])._meta
    # The library leaves lists of other rows as they are if a file has none.
    fields: dict[str, Any] = {field.name: [] for field in meta.many_to_many}
    fields |= {name: value for name, value in entry["fields"].items() if value is not None}
    check_kinds(meta, fields)
    [found] = Deserializer([{**entry, "fields": fields}])
    row: Any = found.object
    same = type(row)._default_manager.filter(pk=row.pk)
    present = same.first()
    if present is None or read_file(write([present])) != [entry]:
        for field in meta.concrete_fields if present else ():
            if isfunction(field.default) and field.name not in fields:
                setattr(row, field.name, getattr(present, field.name))  # It is made only once.
        row._state.adding = present is None
        # The admin never shows a retired slug, so its form rules are not those of the column.
        row.full_clean(exclude={"owner"})
        found.save()
        if isinstance(row, Dated) and present and row.edited_at != present.edited_at:
            same.update(edited_at=row.edited_at)  # A trigger has dated an edit of elsewhere.
    return row


def check_kinds(meta: Any, fields: Mapping[str, Any]) -> None:
    """Refuse values of another kind than `dump` writes.

    YAML reads 1.10 as a number. A key of a database means nothing in another one.
    """
    faults = {}
    for field in (*meta.concrete_fields, *meta.many_to_many):
        if field.name in fields and not is_of_kind(field, fields[field.name]):
            faults[field.name] = _("A text such as 1.10 stands in quotes, and a key in brackets.")
        elif field.many_to_one and not field.null and field.name not in fields:
            faults[field.name] = field.error_messages["blank"]
    if faults:
        raise ValidationError(faults)


def is_of_kind(field: Any, value: Any) -> bool:
    if field.remote_field:
        keys = value if field.many_to_many else [value]
        return isinstance(keys, list) and all(isinstance(key, list) for key in keys)
    is_text = isinstance(field, models.CharField | models.TextField)
    others = list if isinstance(field, Lines) else date
    return not is_text or isinstance(value, str) or type(value) is others


def describe_entry(entry: ContentEntry) -> str:
    """Return the words for a row of a file, whose key may be wrong or missing."""
    key = next(iter(entry["fields"].values()), "")
    words = key if isinstance(key, str) else reprlib.repr(key)
    return f"{entry['model'].removeprefix('catalogue.')} {words}".rstrip()


def list_faults(error: Exception) -> Iterator[str]:
    """Yield the sentences of an error in saving a row."""
    quoted = " ".join(re.findall(r"'(\w[^']*)'", str(error)))
    told = ""
    if isinstance(error, FieldDoesNotExist):
        told = _("The table has no column “%(name)s”.")
    elif "matching query does not exist" in str(error):
        told = _("There is no row “%(name)s”.")
    elif isinstance(error, DeserializationError):
        told = _("A column cannot have the value “%(name)s”.")
    if told:
        yield told % {"name": quoted}
        return
    messages = getattr(error, "message_dict", {NON_FIELD_ERRORS: [str(error)]})
    for field, found in messages.items():
        yield from (text if field == NON_FIELD_ERRORS else f"{field}: {text}" for text in found)
