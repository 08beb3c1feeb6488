"""What stands around a form: its state, its acts, and the panel of the preview."""

import json
from typing import Any

import segno
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from catalogue.models import Image, State
from site_mirror.desk.differences import list_differences
from site_mirror.desk.forms import Data
from site_mirror.desk.models import Draft
from site_mirror.desk.parts import SHARED, SIDES, changed_parts, digests_of, replace_sides
from site_mirror.desk.readers import is_public, seen_by_readers, seen_in_snapshot
from site_mirror.desk.translations import older_texts_of, pairs_of

LANGUAGES = tuple(settings.LANGUAGES)
SWITCHES = {
    "shown": (
        ("page", _("Page")),
        ("list", _("In lists")),
        ("markdown", "Markdown"),
        ("json", "JSON"),
    ),
    "languages": LANGUAGES,
    "written": (*LANGUAGES, ("both", _("Both"))),
    "widths": (("desktop", _("Desktop")), ("phone", _("Phone"))),
    "colours": (("light", _("Light")), ("dark", _("Dark"))),
    "panes": (("write", _("Write")), ("preview", _("Preview"))),
}
"""The choices of switches, with labels. The first of each is chosen."""
SIDE_LABELS = {**dict(settings.LANGUAGES), SHARED: _("Both languages")}


def make_panel(admin: Any, row: Any, draft: Draft, public: Data, **more: Any) -> dict[str, Any]:
    """Return the context of the templates of the desk."""
    data = draft.data_over(public)
    changed = list_changes(admin, draft, public)
    upload_form = admin.admin_site.get_model_admin(Image).form
    # Every mask can be read; to find the best one of eight takes four milliseconds.
    code = segno.make(more["shared"], micro=False, mask=0)
    desk = {
        "form": f"{admin.opts.model_name}_form",
        "picture": code.svg_data_uri(scale=3, border=0),
        "key": str(draft.key),
        "version": draft.version,
        "base": json.dumps(digests_of(data)),
        "line": state_line(draft, row),
        "snapshot": seen_in_snapshot(row),
        "file": row and reverse("admin:content_file", args=[draft.kind, *row.natural_key()[:1]]),
        "upload_form": upload_form(auto_id="upload-%s", label_suffix=""),
        "has_preview": "preview" in admin.routes,
        "changed": changed,
        "sides": [(side, str(SIDE_LABELS[side]), changed.get(side, [])) for side in SIDES],
        "is_open": draft.is_open,
        "is_public": row is not None and is_public(row),
        "may_withdraw": more["may_publish"] and getattr(row, "state", "") == State.PUBLISHED,
        "earlier": draft.earlier.select_related("author"),
        "has_unknown": any(
            any(data[name]) for name in data.keys() - public.keys() if "-" not in name
        ),
        "is_translated": row and any(vietnamese for _en, vietnamese in pairs_of(public).values()),
        "is_outdated": row and older_texts_of(row).exists(),
        **SWITCHES,
        **more,
    }
    context: dict[str, Any] = {"desk": desk, "draft": None}
    if row is None:
        title = _("Unfinished %(name)s: “%(title)s”") if draft.is_open else _("New %(name)s")
        context["title"] = title % {"name": admin.opts.verbose_name, "title": draft}
    if draft.is_open:
        # Only the template of a form asks for the comparison.
        context |= {"draft": draft, "differences": lambda: list_differences(admin, public, data)}
    return context


def list_changes(admin: Any, draft: Draft, public: Data) -> dict[str, list[str]]:
    """Return the labels of what would change if a side of a draft were published, by that side."""
    data, now = draft.data_over(public), digests_of(public)
    changed = {
        side: changed_parts(now, digests_of(replace_sides(public, data, {side}))) for side in SIDES
    }
    return {side: [*map(admin.label_of, parts)] for side, parts in changed.items() if parts}


def state_line(draft: Draft, row: Any) -> str:
    """Return the state in one line: `Draft saved 13:21 by lan · not public yet`."""
    readers = seen_by_readers(row)
    if not draft.is_open:
        return capfirst(readers)
    saved = timezone.localtime(draft.saved_at)
    is_today = saved.date() == timezone.localdate()
    line = _("Draft saved %(when)s by %(who)s") if draft.author else _("Draft saved %(when)s")
    who = draft.author and (draft.author.get_short_name() or draft.author)
    when = date_format(saved, "H:i" if is_today else gettext("j F, H:i"))
    return f"{line % {'when': when, 'who': who}} · {readers}"
