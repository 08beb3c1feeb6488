"""The screen of translations: what has no Vietnamese yet, and what changed in the English since."""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import islice
from operator import or_
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from msgspec import Struct

from catalogue.texts.localized import ENGLISH
from site_mirror.desk.differences import Difference, list_differences
from site_mirror.desk.forms import Data
from site_mirror.desk.models import Draft, HistoryEntry
from site_mirror.desk.translations import (
    is_outdated,
    lacks_vietnamese,
    list_pairs,
    parts_with_other_english,
    texts_in,
)

SHOWN = 20
"""The outdated rows on the page."""


class Progress(Struct):
    """How many rows of a kind are in Vietnamese, and the address of the list of the others."""

    name: str
    rows: int
    translated: int
    missing: str


class Outdated(Struct):
    """A row whose English has changed since its Vietnamese was right."""

    title: str
    draft: Draft
    differences: Sequence[Difference]


def translation_page(
    admins: Sequence[Any], request: HttpRequest, context: dict[str, Any]
) -> HttpResponse:
    """Show what lacks a translation among the rows of these forms; mark a translation as right."""
    known = {each.opts.model_name: each for each in admins}
    if request.method == "POST":
        return keep_as_right(known, request)
    context |= {
        "title": _("Translations"),
        "kinds": [*filter(None, map(measure_progress, admins))],
        "outdated": [*islice(list_outdated(known), SHOWN)],
    }
    return render(request, "desk/translations.html", context)


def keep_as_right(known: Mapping[str, Any], request: HttpRequest) -> HttpResponse:
    """Remember that the Vietnamese texts of a row say what its English ones say now."""
    chosen = request.POST.get("still_right")
    for each in list_outdated(known):
        if str(each.draft.pk) == chosen:
            kind, draft = known[each.draft.kind], each.draft
            row = kind.model._default_manager.get(pk=draft.row)
            if not kind.may_write(request, row):
                raise PermissionDenied
            draft.translated_from = texts_in(kind.public_data(request, row), ENGLISH)
            draft.save(update_fields=["translated_from"])
            done = _("The Vietnamese of “%(title)s” counts as right.") % {"title": each.title}
            messages.success(request, done)
    return HttpResponseRedirect(reverse("admin:translations"))


def measure_progress(admin: Any) -> Progress | None:
    """Return what is known of the rows of a kind; none if it has no rows, or no texts."""
    rows = admin.model._default_manager.all()
    total = rows.count() if list_pairs(admin.model) else 0
    missing = rows.filter(lacks_vietnamese(admin)).count()
    listed = reverse(f"admin:catalogue_{admin.opts.model_name}_changelist")
    name = capfirst(str(admin.opts.verbose_name_plural))
    found = Progress(name, total, total - missing, f"{listed}?languages={ENGLISH}")
    return found if total else None


def list_outdated(known: Mapping[str, Any]) -> Iterator[Outdated]:
    """Yield the rows whose English has changed since, those first that were changed last."""
    rows = (
        Q(kind=name, row__in=kind.model._default_manager.values("pk"))
        for name, kind in known.items()
    )
    drafts = Draft.objects.filter(reduce(or_, rows, Q(pk__in=[]))).exclude(translated_from="")
    for draft in drafts.order_by("-saved_at"):
        entries = HistoryEntry.objects.filter(kind=draft.kind, row=draft.row or 0)
        newest = entries.first()
        if newest and is_outdated(draft, newest.data):
            before = (each.data for each in entries if was_right(draft, each.data))
            differences = english_differences(known[draft.kind], next(before, None), newest.data)
            yield Outdated(newest.title, draft, differences)


def was_right(draft: Draft, data: Data) -> bool:
    return texts_in(data, ENGLISH) == draft.translated_from


def english_differences(admin: Any, before: Data | None, after: Data) -> list[Difference]:
    if before is None:
        return []
    parts = parts_with_other_english(before, after)
    return [each for each in list_differences(admin, before, after) if each.part in parts]
