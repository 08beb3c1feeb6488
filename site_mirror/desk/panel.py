"""What stands around a form: its state, its acts, and the panel of the preview."""

import json
from typing import Any, Self

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from msgspec import Struct

from catalogue.models import Publishable
from catalogue.texts.localized import VIETNAMESE
from site_mirror.desk.drafts import Place, find_draft
from site_mirror.desk.forms import Data
from site_mirror.desk.models import Draft
from site_mirror.desk.parts import SHARED, SIDES, changed_parts, digests_of, side_of
from site_mirror.desk.readers import is_public, is_scheduled, seen_by_readers
from site_mirror.desk.translations import is_outdated, texts_in

SHOWN = (("page", "Page"), ("list", "In lists"), ("markdown", "Markdown"), ("json", "JSON"))
"""What the preview can show of a row, with labels."""
SIDE_LABELS = {**dict(settings.LANGUAGES), SHARED: "Both languages"}


class Panel(Struct):
    """The values of the templates of the desk."""

    form: str
    preview: str
    check: str
    draft: str
    shared: str
    key: str
    version: int
    base: str
    line: str
    changed: dict[str, list[str]]
    is_open: bool
    is_public: bool
    is_scheduled: bool
    has_state: bool
    may_publish: bool
    earlier: list[Any]
    unfinished: list[Draft]
    unknown: dict[str, str]
    is_translated: bool
    is_outdated: bool
    questions: list[dict[str, str]] = []
    who: Any = None
    shown: Any = SHOWN
    languages: Any = tuple(settings.LANGUAGES)

    @staticmethod
    def address(name: str, *arguments: Any) -> str:
        return reverse(name, args=arguments)

    @property
    def sides(self) -> list[tuple[str, str, list[str]]]:
        """The sides with changes: a name, a label and the labels of what has changed."""
        return [(side, str(SIDE_LABELS[side]), self.changed.get(side, [])) for side in SIDES]

    @classmethod
    def of(cls, admin: Any, row: Any, place: Place, public: Data, **more: Any) -> Self:
        draft = find_draft(place)
        is_open = draft is not None and draft.is_open
        data = draft.data if draft and is_open else public
        changed: dict[str, list[str]] = {}
        for part in changed_parts(digests_of(public), digests_of(data)):
            changed.setdefault(side_of(part), []).append(admin.label_of(part))
        return cls(
            form=f"{admin.opts.model_name}_form",
            preview=admin.route("preview", row),
            check=admin.route("check", row),
            draft=admin.route("draft", row),
            shared=f"{admin.route('shared', row)}?draft={place.key}",
            key=str(place.key),
            version=draft.version if draft else 0,
            base=json.dumps(digests_of(data)),
            line=state_line(draft if is_open else None, row),
            changed=changed,
            is_open=is_open,
            is_public=row is not None and is_public(row),
            is_scheduled=row is not None and is_scheduled(row),
            has_state=issubclass(admin.model, Publishable),
            earlier=list(draft.earlier.select_related("author")) if draft else [],
            unfinished=list_unfinished(place) if row is None else [],
            unknown=find_unknown(data, public),
            is_translated=bool(texts_in(public, VIETNAMESE)),
            is_outdated=row is not None and is_outdated(place.kind, str(row.pk), public),
            **more,
        )


def state_line(draft: Draft | None, row: Any) -> str:
    """Return the state in one line: `Draft saved 13:21 by lan · not public yet`."""
    readers = seen_by_readers(row)
    if draft is None:
        return capfirst(readers)
    saved = timezone.localtime(draft.saved_at)
    when = date_format(saved, "H:i" if saved.date() == timezone.localdate() else "j F, H:i")
    by = (
        f" by {draft.author.get_short_name() or draft.author.get_username()}"
        if draft.author
        else ""
    )
    return f"Draft saved {when}{by} · {readers}"


def list_unfinished(place: Place) -> list[Draft]:
    """Return the open drafts of rows that do not exist yet, except that of this form."""
    drafts = Draft.objects.filter(kind=place.kind, row=None, is_open=True).exclude(key=place.key)
    return list(drafts.select_related("author").order_by("-saved_at"))


def find_unknown(data: Data, public: Data) -> dict[str, str]:
    """Return texts of a draft for which the form has no input any more."""
    return {
        name: "\n".join(values)
        for name, values in data.items()
        if any(values) and name not in public and "-" not in name
    }
