"""The screen of translations: what has no Vietnamese yet, and what changed in the English since."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from msgspec import Struct

from catalogue.texts.localized import ENGLISH
from site_mirror.desk.differences import Difference, list_differences
from site_mirror.desk.history import entries_of, title_of
from site_mirror.desk.models import Draft
from site_mirror.desk.translations import (
    is_outdated,
    lacks_vietnamese,
    list_pairs,
    parts_with_other_english,
    texts_in,
    texts_of,
)

SHOWN = 20
"""The outdated rows on the page."""


class Progress(Struct):
    """How many rows of a kind are in Vietnamese, and the list of the others, or of all."""

    name: str
    rows: int
    translated: int
    list: str


class Outdated(Struct):
    """A row whose English has changed since its Vietnamese was right."""

    title: str
    draft: Draft
    differences: Sequence[Difference]


def translation_page(request: HttpRequest) -> HttpResponse:
    """Show which texts have no Vietnamese, or an older one; mark an older one as right."""
    site: Any = admin.site
    kinds = site.kinds(request)
    known = {each.opts.model_name: each for each in kinds}
    if request.method == "POST":
        return keep_as_right(known, request)
    context = {
        **site.each_context(request),
        "title": _("Translations"),
        "kinds": [*filter(None, map(measure_progress, kinds))],
        "outdated": [*islice(list_outdated(known), SHOWN)],
    }
    return render(request, "desk/translations.html", context)


def keep_as_right(known: Mapping[str, Any], request: HttpRequest) -> HttpResponse:
    """Remember that the Vietnamese texts of a row say what its English ones say now."""
    chosen = request.POST.get("still_right")
    for each in list_outdated(known):
        if str(each.draft.pk) == chosen:
            kind, draft = known[each.draft.kind], each.draft
            row = kind.find_row(request, str(draft.row))
            draft.translated_from = texts_in(kind.public_data(request, row), ENGLISH)
            draft.save(update_fields=["translated_from"])
            done = _("The Vietnamese of “%(title)s” counts as right.") % {"title": each.title}
            messages.success(request, done)
    return HttpResponseRedirect(reverse("admin:translations"))


def measure_progress(form: Any) -> Progress | None:
    """Return what is known of the rows of a kind; none if it has no rows, or no texts."""
    rows = form.model._default_manager.all()
    total = rows.count() if list_pairs(form.model) else 0
    missing = rows.filter(lacks_vietnamese(form)).count()
    listed = reverse(f"admin:catalogue_{form.opts.model_name}_changelist")
    name = capfirst(str(form.opts.verbose_name_plural))
    place = f"{listed}?languages={ENGLISH}" if missing else listed
    return Progress(name, total, total - missing, place) if total else None


def list_outdated(known: Mapping[str, Any]) -> Iterator[Outdated]:
    """Yield the rows whose English has changed since, those first that were changed last."""
    drafts = Draft.objects.filter(kind__in=known, row__isnull=False).exclude(translated_from="")
    for draft in drafts.order_by("-saved_at"):
        kind = known[draft.kind]
        row = kind.model._default_manager.filter(pk=draft.row).first()
        if row and is_outdated(draft, texts_of(kind, row)):
            yield Outdated(title_of(kind, row), draft, english_differences(kind, draft, row))


def english_differences(kind: Any, draft: Draft, row: Any) -> list[Difference]:
    """Return what the English says since the Vietnamese was right, as far as this is known."""
    known = [each.data for each in entries_of(row)]
    before = (data for data in known if texts_in(data, ENGLISH) == draft.translated_from)
    old, now = next(before, None), texts_of(kind, row)
    if old is None:
        return []
    # The last entry says more of the rows of inlines; a command may have changed the row since.
    new = known[0] if texts_in(known[0], ENGLISH) == texts_in(now, ENGLISH) else now
    parts = parts_with_other_english(old, new)
    return [each for each in list_differences(kind, old, new) if each.part in parts]
