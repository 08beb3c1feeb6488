"""The history of rows: what each was after each change, and how it comes back.

An entry holds what a draft holds, so restoring one is copying its data. Entries are written by the
admin's forms and actions; what commands and SQL have changed in between is found, and kept, before
the next change.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import BigIntegerField, Exists, Max, Model, OuterRef, QuerySet
from django.db.models.functions import Cast
from django.utils import timezone

from catalogue.models import State
from site_mirror.desk.drafts import RESTORE, Place, find_draft, place_of_row, remember
from site_mirror.desk.forms import Data
from site_mirror.desk.models import Draft, HistoryEntry
from site_mirror.desk.parts import (
    ROWS_OF_INLINE,
    changed_parts,
    digests_of,
    rows_of,
    split_parts,
)

Act = HistoryEntry.Act
FORMER_SLUGS = "former_slugs"
"""The former slugs of a row in its entries. A form only shows them, and posts none."""


def entries_of(row: Model) -> QuerySet[HistoryEntry]:
    """Return the entries about a row, the newest first."""
    kind = str(row._meta.model_name)
    return HistoryEntry.objects.filter(kind=kind, row=str(row.pk)).select_related("author")


def title_of(admin: Any, row: Any) -> str:
    """Return the title of a row in lists."""
    return getattr(row, f"{admin.title_of_row}_en", "") or str(row)


def record(admin: Any, row: Any, before: Data | None, after: Data, author: Any, act: str) -> None:
    """Write an entry about a row, unless nothing has changed.

    If the row was not what its last entry says before the change, that is an entry of its own.
    """
    last = entries_of(row).first()
    if act == Act.CHANGED:
        if before is None or not differing_parts(before, after):
            return
        if last is None or differing_parts(last.data, before):
            last = write_entry(admin, row, last, before, None, Act.FOUND)
        act = act_of_state(before.get("state"), after.get("state"))
    elif act == Act.ADDED and last:
        act = Act.BROUGHT_BACK
    write_entry(admin, row, last, after, author, act)


def write_entry(
    admin: Any, row: Any, last: HistoryEntry | None, data: Data, author: Any, act: str
) -> HistoryEntry:
    return HistoryEntry.objects.create(
        kind=str(row._meta.model_name),
        row=str(row.pk),
        title=title_of(admin, row),
        act=act,
        data=data,
        changed=differing_parts(last.data, data) if last else [],
        author=author,
        made_at=timezone.now(),
    )


def differing_parts(before: Data, after: Data) -> list[str]:
    parts = changed_parts(digests_of(before), digests_of(after))
    return parts if before.get("state") == after.get("state") else [*parts, "state"]


def act_of_state(before: Any, after: Any) -> str:
    published = [str(State.PUBLISHED)]
    if before == after or published not in (before, after):
        return Act.CHANGED
    return Act.PUBLISHED if after == published else Act.WITHDRAWN


def restore_data(place: Place, data: Data, present: Data, author: Any) -> Draft:
    """Make recorded data the draft of a place; the draft of before stays one of its states.

    The draft is not open if these data are what the row has.
    """
    draft = find_draft(place) or Draft(key=place.key, kind=place.kind)
    if draft.is_open and draft.version:
        remember(draft, RESTORE)
    draft.row, draft.began_from = place.row, digests_of(present)
    draft.data, draft.author, draft.saved_at = fit_to_form(data, present), author, timezone.now()
    draft.is_open = bool(changed_parts(digests_of(draft.data), draft.began_from))
    draft.in_review, draft.note = False, ""
    draft.version += 1
    draft.save()
    return draft


def bring_back(entry: HistoryEntry, present: Data, author: Any) -> Draft:
    """Make a deleted row the draft of a new one, which becomes that row when it is saved."""
    key = place_of_row(entry.kind, entry.row).key
    old = Draft.objects.filter(kind=entry.kind, row=entry.row).exclude(key=key).first()
    draft = restore_data(Place(entry.kind, None, key), entry.data, present, author)
    if old:
        old.earlier.update(draft=draft)
        old.delete()
    return draft


def fit_to_form(data: Data, present: Data) -> dict[str, list[str]]:
    """Return recorded data as the present form of the row posts them.

    Fields that are newer than the entry keep their values, and so do former slugs and the state.
    """
    old = split_parts(data)
    fitted = {}
    for part, inputs in split_parts(present).items():
        if part in (FORMER_SLUGS, "state") or part not in old:
            fitted.update(inputs)
        elif f"{part}{ROWS_OF_INLINE}" in inputs:
            fitted.update(fit_rows(part, old[part], inputs))
        else:
            fitted.update(old[part])
    return fitted


def fit_rows(
    part: str, old: Mapping[str, Sequence[str]], now: Mapping[str, Sequence[str]]
) -> dict[str, list[str]]:
    """Return what restores the rows of an inline, some of which may be gone or new.

    New rows come last. So if one is gone, all are written anew, in the order that they had.
    """
    here, rows = [row for row in rows_of(now) if any(row.get("id", []))], rows_of(old)
    known = {row["id"][0]: row for row in rows if row.get("id")}
    is_here = known.keys() <= {row["id"][0] for row in here}
    kept = [
        {**row, **known[row["id"][0]]}
        if is_here and row["id"][0] in known
        else {**row, "DELETE": ["on"]}
        for row in here
    ]
    new = [] if is_here else [{**row, "id": [""]} for row in rows]
    counts = {"TOTAL_FORMS": len(kept) + len(new), "INITIAL_FORMS": len(kept)}
    return {
        **{name: [*values] for name, values in now.items() if name.endswith("_FORMS")},
        **{f"{part}-{name}": [str(count)] for name, count in counts.items()},
        **{
            f"{part}-{number}-{name}": values
            for number, row in enumerate([*kept, *new])
            for name, values in row.items()
        },
    }


def list_deleted(model: type[Model]) -> QuerySet[HistoryEntry]:
    """Return the last entry about each row of a kind that is not there any more."""
    about = HistoryEntry.objects.filter(kind=str(model._meta.model_name))
    newest = about.values("row").annotate(newest=Max("pk")).values("newest")
    row = Cast(OuterRef("row"), BigIntegerField())
    there = Exists(model._default_manager.filter(pk=row))
    return HistoryEntry.objects.filter(~there, pk__in=newest).select_related("author")


def find_deleted(model: type[Model], place: Place) -> HistoryEntry | None:
    """Return the last entry about the deleted row whose draft is at a place."""
    # A key is made of that of the row, and cannot be read backwards.
    for entry in list_deleted(model).defer("data"):
        if place_of_row(entry.kind, entry.row).key == place.key:
            return entry
    return None


def return_slugs(row: Any, entry: HistoryEntry) -> None:
    """Give a row that came back its former addresses, unless another row has them by now."""
    slugs = [*entry.data.get(FORMER_SLUGS, []), *entry.data.get("slug", [])]
    former: Any = getattr(row, FORMER_SLUGS, None)
    if former is not None:
        former.model.objects.filter(slug__in=slugs, owner=None).update(owner=row)
