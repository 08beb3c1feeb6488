"""Keep drafts: each save merges with what others have saved, and earlier states stay."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from django.db.models import Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop

from site_mirror.desk.forms import Data
from site_mirror.desk.models import Draft, EarlierState
from site_mirror.desk.parts import Digests, Merge, changed_parts, digests_of, is_cut, merge

MAX_EARLIER_STATES = 50
STATE_INTERVAL = timedelta(minutes=5)
"""The least time between two states that are kept because time has passed."""

SAVE = gettext_noop("save")
TYPING = gettext_noop("typing")
OTHER_AUTHOR = gettext_noop("another author")
MERGE = gettext_noop("merge")
PUBLICATION = gettext_noop("publication")
DISCARD = gettext_noop("discard")
RESTORE = gettext_noop("restore")


def draft_of_row(kind: str, row: int) -> Draft:
    """Return the draft of a row; if there is none, one that is closed and not saved."""
    # The key of a new draft is the same in every window.
    new = Draft(key=uuid5(NAMESPACE_URL, f"{kind}/{row}"), kind=kind, row=row, is_open=False)
    return Draft.objects.filter(kind=kind, row=row).first() or new


def draft_of_new_row(kind: str, key: UUID) -> Draft:
    """Return the draft of a row that does not exist yet."""
    new = Draft(key=key, kind=kind, is_open=False)
    return Draft.objects.filter(kind=kind, key=key).first() or new


def keep_draft(
    draft: Draft,
    data: Data,
    public: Data,
    base: Digests,
    author: Any,
    *,
    act: str = TYPING,
    decisions: Mapping[str, str] | None = None,
) -> Merge:
    """Save what a form has posted, merged with what others have saved since.

    `public` are the data of the row as readers see it, `base` the digests of the version in which
    the editor began to type. Nothing is saved while something is `asked` that no decision answers.
    """
    stored = draft.data if draft.is_open else public
    merged = merge(base, data, stored, decisions or {})
    if draft.is_open and draft.row and not merged.asked:
        # A command may have changed the row since the draft began.
        taken = merged.taken
        merged = merge(draft.began_from, merged.data, public, decisions or {})
        merged.taken += taken
    is_typed = bool(changed_parts(digests_of(merged.data), digests_of(stored)))
    if merged.asked or not (is_typed or (draft.is_open and act != TYPING)):
        return merged
    reason = reason_of(draft, author, merged, act)
    draft.is_saved = act == SAVE
    change_draft(draft, merged.data, public, reason, author)
    return merged


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
    return TYPING if is_due or draft.is_saved or is_cut(draft.data, merged.data) else ""


def change_draft(draft: Draft, data: Data, public: Data, before: str, author: Any = None) -> None:
    """Give a draft other data, and end its review; it is closed if readers see the same.

    Its present state is kept if there is an act `before` which it shall be found.
    """
    if draft.is_open and before:
        remember(draft, before)
    draft.data, draft.began_from = data, digests_of(public)
    draft.is_open = bool(changed_parts(digests_of(data), draft.began_from))
    draft.in_review = False
    if not draft.is_open:
        draft.note = ""
    if author or not draft.version:
        draft.author, draft.saved_at = author, timezone.now()
    draft.version += 1
    draft.save()


def remember(draft: Draft, before: str) -> None:
    """Keep the present state of a draft, unless it is the last one that was kept."""
    last = draft.earlier.first()
    if last and last.data == draft.data:
        return
    EarlierState.objects.create(
        draft=draft, data=draft.data, author=draft.author, saved_at=draft.saved_at, before=before
    )
    old = draft.earlier.values_list("pk", flat=True)[MAX_EARLIER_STATES:]
    EarlierState.objects.filter(pk__in=[*old]).delete()


def remember_typed(draft: Draft, data: Data, public: Data, author: Any) -> None:
    """Keep what was typed before an act that led back to another text, unless it is kept."""
    states = [public, draft.data, *(state.data for state in draft.earlier.all()[:1])]
    if data and all(changed_parts(digests_of(data), digests_of(each)) for each in states):
        remember(Draft(pk=draft.pk, data=data, author=author, saved_at=timezone.now()), TYPING)


def list_discarded(kind: str) -> QuerySet[EarlierState]:
    """Return the last state of each draft that was discarded before it became a row."""
    states = EarlierState.objects.filter(
        draft__kind=kind, draft__row=None, draft__returning=None, draft__is_open=False
    )
    newest = states.order_by().values("draft").annotate(newest=Max("pk")).values("newest")
    return states.filter(pk__in=newest).select_related("author", "draft")


def author_of(draft: Draft, part: str, digest: str) -> Any:
    """Return the author of the text of a part, if it is known.

    An earlier state is kept before another author changes a draft, so the oldest state with the
    text has its author.
    """
    earlier: Any = draft.earlier.select_related("author")
    author = None
    for state in (draft, *earlier) if draft.is_open else ():
        if digests_of(state.data).get(part, "") != digest:
            break
        author = state.author
    return author


def attach_drafts(kind: str, rows: Sequence[Any]) -> list[Draft]:
    """Give rows of one kind their open drafts; return those of texts without a row. One query."""
    keys = [row.pk for row in rows]
    found = Draft.objects.filter(Q(row__in=keys) | Q(row=None), kind=kind, is_open=True)
    drafts = list(found.select_related("author").order_by("-saved_at"))
    by_row = {draft.row: draft for draft in drafts if draft.row}
    for row in rows:
        row.draft = by_row.get(row.pk)
    return [draft for draft in drafts if not draft.row]
