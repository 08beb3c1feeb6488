"""Keep drafts: each save merges with what others have saved, and earlier states stay."""

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from msgspec import Struct

from site_mirror.desk.forms import Data
from site_mirror.desk.models import Draft, EarlierState
from site_mirror.desk.parts import Digests, Merge, changed_parts, digests_of, merge, replace_parts

MAX_EARLIER_STATES = 50
STATE_INTERVAL = timedelta(minutes=5)
"""The least time between two states that are kept because time has passed."""

SAVE = "save"
TYPING = "typing"
OTHER_AUTHOR = "another author"
MERGE = "merge"
PUBLICATION = "publication"
DISCARD = "discard"
RESTORE = "restore"


class Place(Struct, frozen=True):
    """The row that a draft is about, or will be: a kind and a key of a row, if there is one."""

    kind: str
    row: str | None
    key: UUID


def place_of_row(kind: str, row: str) -> Place:
    """Return the place of a row's draft, whose key is the same in every window."""
    return Place(kind, row, uuid5(NAMESPACE_URL, f"{kind}/{row}"))


def find_draft(place: Place) -> Draft | None:
    """Return the draft at a place, open or not."""
    drafts = Draft.objects.filter(kind=place.kind)
    if place.row is None:
        return drafts.filter(key=place.key).first()
    return drafts.filter(row=place.row).first()


def open_draft(place: Place) -> Draft | None:
    draft = find_draft(place)
    return draft if draft and draft.is_open else None


class Kept(Struct):
    """The result of a save: nothing is saved while something is `asked`."""

    draft: Draft | None
    merge: Merge

    @property
    def is_saved(self) -> bool:
        return not self.merge.asked


def keep_draft(
    place: Place,
    data: Data,
    public: Data,
    base: Digests,
    author: Any,
    *,
    act: str = TYPING,
    decided: Collection[str] = (),
) -> Kept:
    """Save what a form has posted, merged with what others have saved since.

    `public` are the data of the row as readers see it, `base` the digests of the version in which
    the editor began to type. Parts that are `decided` are saved as they were posted.
    """
    with transaction.atomic():
        draft = lock_draft(place)
        there = draft.data if draft and draft.is_open else public
        known = {part: digest for part, digest in digests_of(there).items() if part in decided}
        undecided = {part: digest for part, digest in base.items() if part not in decided}
        merged = merge({**undecided, **known}, data, there)
        if merged.asked:
            return Kept(draft, merged)
        if not changed_parts(digests_of(merged.data), digests_of(there)) and (
            draft is None or act == TYPING
        ):
            return Kept(draft, merged)  # Nothing was typed.
        if draft is None:
            draft = Draft(key=place.key, kind=place.kind, row=place.row, saved_at=timezone.now())
        elif draft.is_open:
            remember(draft, reason_of(draft, author, merged, act))
        if not draft.is_open or not draft.version:
            draft.began_from = digests_of(public)
        draft.data, draft.author, draft.is_open = merged.data, author, True
        draft.version += 1
        draft.saved_at, draft.in_review = timezone.now(), False
        draft.save()
        return Kept(draft, merged)


def lock_draft(place: Place) -> Draft | None:
    draft = find_draft(place)
    return Draft.objects.select_for_update().get(pk=draft.pk) if draft else None


def reason_of(draft: Draft, author: Any, merged: Merge, act: str) -> str:
    """Return why the present state of a draft is kept, or nothing if it need not be."""
    if act != TYPING:
        return act
    if draft.author_id != author.pk:
        return OTHER_AUTHOR
    if merged.taken:
        return MERGE
    last = draft.earlier.first()
    is_due = last is None or timezone.now() - last.saved_at >= STATE_INTERVAL
    return TYPING if is_due else ""


def remember(draft: Draft, before: str) -> None:
    """Keep the present state of a draft, unless it is the last one that was kept."""
    last = draft.earlier.first()
    if not before or (last and last.data == draft.data):
        return
    EarlierState.objects.create(
        draft=draft, data=draft.data, author=draft.author, saved_at=draft.saved_at, before=before
    )
    old = draft.earlier.values_list("pk", flat=True)[MAX_EARLIER_STATES:]
    EarlierState.objects.filter(pk__in=[*old]).delete()


def discard_draft(draft: Draft) -> None:
    remember(draft, DISCARD)
    draft.is_open = draft.in_review = False
    draft.note = ""
    draft.version += 1
    draft.save()


def restore_state(draft: Draft, state: EarlierState, author: Any) -> None:
    """Put an earlier state into the draft; the present one is kept, too."""
    remember(draft, RESTORE)
    draft.data, draft.author, draft.saved_at = state.data, author, timezone.now()
    draft.is_open, draft.in_review = True, False
    draft.version += 1
    draft.save()


def settle_published(draft: Draft, row: str, public: Data, published: list[str]) -> None:
    """Leave in a draft what was not published; it is closed if nothing is left."""
    remember(draft, PUBLICATION)
    draft.row, draft.began_from = row, digests_of(public)
    draft.data = replace_parts(draft.data, public, published)
    draft.is_open = bool(changed_parts(digests_of(draft.data), draft.began_from))
    draft.in_review, draft.note = False, ""
    draft.version += 1
    draft.save()


def attach_drafts(kind: str, rows: Sequence[Any]) -> list[Draft]:
    """Give rows of one kind their open drafts; return those of texts without a row. One query."""
    keys = [str(row.pk) for row in rows]
    found = Draft.objects.filter(Q(row__in=keys) | Q(row=None), kind=kind, is_open=True)
    drafts = list(found.select_related("author").order_by("-saved_at"))
    by_row = {draft.row: draft for draft in drafts if draft.row}
    for row in rows:
        row.draft = by_row.get(str(row.pk))
    return [draft for draft in drafts if not draft.row]
