"""The differences of two versions of a form's data, word by word, with the labels of editors."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from django.contrib.admin.utils import flatten_fieldsets
from django.core.exceptions import FieldDoesNotExist
from django.db.models import BooleanField
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from msgspec import Struct

from site_mirror.desk.forms import Data
from site_mirror.desk.history import title_of
from site_mirror.desk.models import HistoryEntry
from site_mirror.desk.parts import SHARED, rows_of, side_of, split_parts

SAME, GONE, NEW = "", "del", "ins"
"""The elements of words that are in one text; those that are in both have none."""
KEY = re.compile("[0-9]+")
HIDDEN_COLUMNS = frozenset({"id", "position"})
SHOWN_AROUND = 200
"""The length of the unchanged text that is shown before and after a change."""


class Run(NamedTuple):
    """Words that follow each other, with the element that marks them."""

    kind: str
    text: str


class Difference(Struct, frozen=True):
    """A part of a form whose words differ. The language is empty if the part has none."""

    part: str
    label: str
    language: str
    runs: list[Run]

    @property
    def marked(self) -> SafeString:
        marked = (
            format_html("<{0}>{1}</{0}>", *run) if run.kind else escape(run.text)
            for run in self.runs
        )
        return mark_safe("".join(marked))  # noqa: S308  (each part is escaped)


def list_differences(admin: Any, before: Data, after: Data) -> list[Difference]:
    """Return the parts that differ, in the order of the form, with their words."""
    old, new = split_parts(before), split_parts(after)
    found = []
    # PostgreSQL does not keep the order of the data.
    order = {part: number for number, part in enumerate(flatten_fieldsets(admin.fieldsets))}
    for part in sorted({**new, **old}, key=lambda part: (order.get(part, len(order)), part)):
        difference = compare_part(admin, part, old.get(part, {}), new.get(part, {}))
        if any(run.kind != SAME for run in difference.runs):
            found.append(difference)
    return found


def compare_part(admin: Any, part: str, before: Data, after: Data) -> Difference:
    words = compare_words(in_words(admin, part, before), in_words(admin, part, after))
    language = "" if side_of(part) == SHARED else side_of(part)
    return Difference(part, admin.label_of(part), language, [*shorten([*words])])


def in_words(admin: Any, part: str, inputs: Mapping[str, Sequence[str]]) -> str:
    """Return what a part holds: names of choices and of other rows, and a line for each row."""
    values = [
        value.replace("\r\n", "\n") for _, each in sorted(inputs.items()) for value in each if value
    ]
    try:
        field = admin.opts.get_field(part)
    except FieldDoesNotExist:
        return "\n".join(values)
    rows = rows_of(inputs)
    if rows:
        columns = [each.name for each in field.related_model._meta.fields if each != field.field]
        return "\n".join(filter(None, (row_in_words(row, columns) for row in rows)))
    if field.auto_created:
        return "\n".join(values)
    if field.related_model:
        admin_of = admin.admin_site.get_model_admin(field.related_model)
        return "\n".join(names_of(admin_of, values))
    if isinstance(field, BooleanField):  # A release has its value, a form posts it with a tick.
        return _("No") if values in ([], ["False"]) else _("Yes")
    labels = {str(value): str(label) for value, label in field.flatchoices}
    return " ".join(labels.get(value, value) for value in values)


def row_in_words(row: Mapping[str, Sequence[str]], columns: Sequence[str]) -> str:
    if row.get("DELETE"):
        return ""
    shown = (", ".join(row.get(name, [])) for name in columns if name not in HIDDEN_COLUMNS)
    return " · ".join(text for text in shown if text)


def names_of(admin: Any, keys: Sequence[str]) -> list[str]:
    """Return the titles of rows; those of deleted rows are known from their history."""
    found = {key: key for key in keys if not KEY.fullmatch(key)}  # A draft may be made by hand.
    rows = admin.model._default_manager.filter(pk__in={*keys} - {*found})
    found |= {str(row.pk): title_of(admin, row) for row in rows}
    for key in {*keys} - {*found}:
        last = HistoryEntry.objects.filter(kind=admin.opts.model_name, row=key).first()
        found[key] = _("%(row)s (deleted)") % {"row": last.title if last else key}
    return sorted(found.values())


def split_lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def split_words(text: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]|\s+", text)


def compare_words(
    before: str, after: str, split: Callable[[str], list[str]] = split_lines
) -> Iterator[Run]:
    """Yield the words of two texts: lines are compared first, and words in lines that differ.

    `difflib` leaves out what is frequent when it looks for matches; otherwise a long text would
    take seconds. Two texts do not match by space alone.
    """
    old, new = split(before), split(after)
    steps = SequenceMatcher(str.isspace, old, new).get_opcodes()
    for step, first, last, first_after, last_after in steps:
        gone, added = "".join(old[first:last]), "".join(new[first_after:last_after])
        if step == "equal":
            yield Run(SAME, gone)
        elif split is split_lines:
            yield from compare_words(gone, added, split_words)
        else:
            yield from (Run(kind, text) for kind, text in ((GONE, gone), (NEW, added)) if text)


def shorten(runs: list[Run], around: int = SHOWN_AROUND) -> Iterator[Run]:
    """Leave out most of a long text that has not changed."""
    for number, run in enumerate(runs):
        if run.kind != SAME or len(run.text) <= 3 * around:
            yield run
            continue
        if number:
            yield Run(SAME, run.text[:around].rpartition(" ")[0])
        yield Run(SAME, "…")
        if number < len(runs) - 1:
            yield Run(SAME, run.text[-around:].partition(" ")[2])
