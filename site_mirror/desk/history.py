"""The history of rows: what each was after each change, and how it comes back.

An entry holds what a draft holds, so restoring one is copying its data. Entries are written by the
admin's forms and actions, and by loads of files; what SQL has changed in between is found, and
kept, before the next change.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.contrib.admin import site
from django.db import transaction
from django.db.models import SET_NULL, Exists, Max, Model, OuterRef, QuerySet
from django.utils import timezone

from catalogue.content.reading import Files, load
from catalogue.content.writing import rows_in, write
from catalogue.models import State
from site_mirror.desk.drafts import RESTORE, change_draft, draft_of_row
from site_mirror.desk.forms import Data
from site_mirror.desk.models import Draft, HistoryEntry, PostText
from site_mirror.desk.parts import (
    ROWS_OF_INLINE,
    changed_parts,
    digests_of,
    join_rows,
    key_of,
    rows_of,
    split_parts,
)
from site_mirror.desk.search import refresh_post_texts
from site_mirror.desk.translations import note_change

Act = HistoryEntry.Act
FORMER_SLUGS = "former_slugs"
"""The name of former slugs, which a form only shows."""
PLACE = "position"
"""The name of the place of a row in its order, which moves with those of others."""


def entries_of(row: Model) -> QuerySet[HistoryEntry]:
    """Return the entries about a row, the newest first."""
    kind = str(row._meta.model_name)
    return HistoryEntry.objects.filter(kind=kind, row=row.pk).select_related("author")


def title_of(admin: Any, row: Any) -> str:
    """Return the title of a row in lists."""
    return getattr(row, f"{admin.title_of_row}_en", "") or str(row)


def record(
    admin: Any, row: Any, before: Data | None, after: Data, author: Any, *, is_small: bool = False
) -> None:
    """Write an entry about a saved row, unless nothing has changed, and note what it outdates.

    If the row was not what its last entry says before the change, that is an entry of its own.
    """
    last = entries_of(row).first()
    known = last.data if last else {}
    if before is None:
        if last:
            note_change(row, known, after)
        write_entry(admin, row, known, after, author, Act.BROUGHT_BACK if last else Act.ADDED)
    elif changed := differing_parts(before, after):
        if last is None or {*differing_parts(known, before)} - {PLACE}:
            note_change(row, known, before)
            write_entry(admin, row, known, before, None, Act.FOUND)
        note_change(row, before, after, is_small=is_small)
        act = act_of_state(before.get("state"), after.get("state"))
        write_entry(admin, row, before, after, author, Act.MOVED if changed == [PLACE] else act)


def load_recorded(files: Files, paths: Collection[str], author: Any) -> None:
    """Load files, and write entries about the rows at some paths, which the files change.

    What a command loads has no author.
    """
    admins: Any = site.get_model_admin
    with transaction.atomic():
        before = {row: admins(type(row)).recorded_data(row) for row in rows_in(paths)}
        load(files)
        for row in rows_in(paths):
            admin = admins(type(row))
            record(admin, row, before.get(row), admin.recorded_data(row), author)
        refresh_post_texts()  # The next search would wait for it.


def record_deletion(admin: Any, row: Any, data: Data, author: Any) -> None:
    """Write an entry about a row that is about to be deleted, with the rows that refer to it."""
    last = entries_of(row).first()
    entry = write_entry(admin, row, last.data if last else {}, data, author, Act.DELETED)
    for relation in row._meta.related_objects:
        if relation.many_to_many or relation.on_delete is SET_NULL:
            related = getattr(row, relation.name)
            entry.relations[relation.name] = [*related.values_list("pk", flat=True)]
    entry.file = write([row]).decode()
    entry.save()


def write_entry(
    admin: Any, row: Any, before: Data, data: Data, author: Any, act: str
) -> HistoryEntry:
    return HistoryEntry.objects.create(
        kind=str(row._meta.model_name),
        row=row.pk,
        title=title_of(admin, row),
        act=act,
        data=data,
        changed=differing_parts(before, data) if before else [],
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


def restore(draft: Draft, data: Data, present: Data, author: Any) -> None:
    """Put data of an entry or of an earlier state into the draft; its present state is kept."""
    change_draft(draft, fit_to_form(data, present), present, RESTORE, author)


def bring_back(entry: HistoryEntry, present: Data, author: Any) -> Draft:
    """Make a deleted row the draft of a new one, which becomes that row when it is saved."""
    draft = draft_of_row(entry.kind, entry.row)
    draft.row, draft.returning = None, entry
    restore(draft, entry.data, present, author)
    return draft


def fit_to_form(data: Data, present: Data) -> dict[str, list[str]]:
    """Return recorded data as the present form of the row posts them.

    Fields that are newer than the entry keep their values, and so does the state.
    """
    old = split_parts(data)
    fitted = {}
    for part, inputs in split_parts(present).items():
        if part == "state" or part not in old:
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
    here, rows = [row for row in rows_of(now) if key_of(row)], rows_of(old)
    known = {key_of(row): row for row in rows if "id" in row}
    is_here = known.keys() <= {*map(key_of, here)}
    kept = [
        {**row, **known[key_of(row)]}
        if is_here and key_of(row) in known
        else {**row, "DELETE": ["on"]}
        for row in here
    ]
    new = [] if is_here else [{**row, "id": [""]} for row in rows]
    return join_rows(part, [*kept, *new], now)


def last_entries(kind: str, **conditions: Any) -> QuerySet[HistoryEntry]:
    """Return the last entry about each row of a kind, without its data."""
    about = HistoryEntry.objects.filter(kind=kind, **conditions)
    newest = about.values("row").annotate(newest=Max("pk")).values("newest")
    return HistoryEntry.objects.filter(pk__in=newest).select_related("author").defer("data")


def list_deleted(model: type[Model]) -> QuerySet[HistoryEntry]:
    """Return the last entry about each row of a kind that is not there any more."""
    there = Exists(model._default_manager.filter(pk=OuterRef("row")))
    return last_entries(str(model._meta.model_name)).filter(~there)


def return_relations(row: Any, entry: HistoryEntry) -> None:
    """Let the rows refer to a row that came back which did before, unless they have another by now.

    Its address of then is one of its former slugs.
    """
    PostText.objects.filter(post_id=row.pk).delete()  # The search has its former words.
    for name, keys in entry.relations.items():
        relation, related = row._meta.get_field(name), getattr(row, name).model._default_manager
        if relation.many_to_many:
            getattr(row, name).add(*related.filter(pk__in=keys))
        else:
            owner = relation.field.name
            related.filter(pk__in=keys, **{owner: None}).update(**{owner: row})
    former: Any = getattr(row, FORMER_SLUGS, None)
    if former is not None:
        former.model.objects.filter(slug__in=entry.data["slug"], owner=None).update(owner=row)
