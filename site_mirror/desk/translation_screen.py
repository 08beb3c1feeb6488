"""The screen of translations: what has no Vietnamese yet, and what changed in the English since."""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import islice
from operator import or_
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model, Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from msgspec import Struct

from catalogue.texts.localized import ENGLISH, VIETNAMESE
from site_mirror.desk.differences import Difference, list_differences
from site_mirror.desk.faults import form_address
from site_mirror.desk.forms import Data
from site_mirror.desk.history import title_of
from site_mirror.desk.models import Draft, HistoryEntry
from site_mirror.desk.translations import is_outdated, parts_with_other_english, texts_in

SHOWN = 20
"""The rows of a kind on the page that lack a text, and the outdated ones of all kinds."""

Pair = tuple[str, str]
"""The columns of a text in English and in Vietnamese."""


class Progress(Struct):
    """How many rows of a kind, and of its inlines, are in Vietnamese, and the first that are not.

    These are the titles, the forms and the labels of the texts that are missing; `list` is the
    address of the list of all, and empty if all are here.
    """

    name: str
    texts: int
    translated: int
    rows: list[tuple[str, str, list[str]]]
    list: str


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
    kinds = [*filter(None, map(measure_progress, admins))]
    context |= {
        "title": _("Translations"),
        "kinds": kinds,
        "is_complete": all(kind.texts == kind.translated for kind in kinds),
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
    """Return what is known of the texts of a kind and of its inlines; none if it has no texts."""
    total, translated, found = 0, 0, dict[Any, list[str]]()
    for model, parent in tables_of(admin):
        if pairs := list_pairs(model):
            rows = model._default_manager.all()
            missing = rows.filter(reduce(or_, map(lacks, pairs)))
            total += rows.count()
            translated += rows.count() - missing.count()
            for row in missing[: SHOWN + 1]:
                owner = getattr(row, parent) if parent else row
                found.setdefault(owner, []).extend(labels_of_missing(row, pairs, parent))
    shown = [
        (title_of(admin, row), form_address(row), parts) for row, parts in [*found.items()][:SHOWN]
    ]
    listed = reverse(f"admin:catalogue_{admin.opts.model_name}_changelist")
    more = f"{listed}?languages={ENGLISH}" if len(found) > SHOWN else ""
    name = capfirst(str(admin.opts.verbose_name_plural))
    return Progress(name, total, translated, shown, more) if total else None


def tables_of(admin: Any) -> Iterator[tuple[Any, str]]:
    """Yield the models with texts that a form shows, each with the name of the key of its row."""
    yield admin.model, ""
    for inline in admin.inlines:
        fields = inline.model._meta.fields
        yield inline.model, next(each.name for each in fields if each.related_model is admin.model)


def list_pairs(model: type[Model]) -> list[Pair]:
    names = [field.name for field in model._meta.fields if field.editable]
    stems = (name.removesuffix(f"_{ENGLISH}") for name in names if name.endswith(f"_{ENGLISH}"))
    pairs = ((f"{stem}_{ENGLISH}", f"{stem}_{VIETNAMESE}") for stem in stems)
    return [pair for pair in pairs if pair[1] in names]


def lacks(pair: Pair) -> Q:
    english, vietnamese = pair
    return ~Q(**{english: ""}) & Q(**{vietnamese: ""})


def labels_of_missing(row: Any, pairs: Sequence[Pair], parent: str) -> Iterator[str]:
    for english, vietnamese in pairs:
        if getattr(row, english) and not getattr(row, vietnamese):
            label = capfirst(str(row._meta.get_field(english).verbose_name).partition(",")[0])
            yield f"{label}: {row}" if parent else label


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
