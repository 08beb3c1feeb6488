"""The screen of translations: what has no Vietnamese yet, and what changed in the English since."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from msgspec import Struct

from catalogue.texts.localized import ENGLISH
from site_mirror.desk.differences import Difference, compare_words, shorten
from site_mirror.desk.faults import form_address
from site_mirror.desk.history import title_of
from site_mirror.desk.models import OlderText
from site_mirror.desk.translations import (
    lacks_vietnamese,
    list_pairs,
    older_texts_of,
    pairs_of,
)

SHOWN = 20
"""The outdated rows on the page."""


class Progress(Struct):
    """How many rows of a kind are in Vietnamese, and the list of the others, or of all."""

    name: str
    rows: int
    translated: int
    list: str


class Outdated(Struct, dict=True):
    """A row, and those of its texts whose English has changed since their Vietnamese was right."""

    form: Any
    row: Any
    older: list[OlderText]

    @property
    def title(self) -> str:
        return title_of(self.form, self.row)

    @property
    def address(self) -> str:
        return f"{form_address(self.row)}?write=both"

    @cached_property
    def texts(self) -> dict[str, tuple[str, str]]:
        """The English of then and of now of each text, in the order of the form."""
        now = pairs_of(self.form.recorded_data(self.row))
        then = {each.text: each.english for each in self.older}
        return {text: (then[text], now[text][0]) for text in now if text in then}

    @property
    def seen(self) -> str:
        """The address, and a digest of the English, which may change after it was shown."""
        return f"{self.address} {sha256(repr(self.texts).encode()).hexdigest()}"

    def differences(self) -> Iterator[Difference]:
        """Yield what the English says since."""
        for text, versions in self.texts.items():
            runs = compare_words(*versions)
            part = text.partition("-")[0]
            yield Difference(part, self.form.label_of(part), ENGLISH, [*shorten([*runs])])


def translation_page(request: HttpRequest) -> HttpResponse:
    """Show which texts have no Vietnamese, or an older one; mark an older one as right."""
    site: Any = admin.site
    kinds = site.kinds(request)
    outdated = list_outdated(kinds)
    if request.method == "POST":
        return keep_as_right(outdated, request)
    context = {
        **site.each_context(request),
        "title": _("Translations"),
        "kinds": [*filter(None, map(measure_progress, kinds))],
        "outdated": outdated[:SHOWN],
        "others": len(outdated[SHOWN:]),
    }
    return render(request, "desk/translations.html", context)


def keep_as_right(outdated: Sequence[Outdated], request: HttpRequest) -> HttpResponse:
    """Remember that the Vietnamese texts of a row say what its English ones say now."""
    posted = request.POST.get("still_right", "")
    for each in outdated:
        if each.address != posted.partition(" ")[0]:
            continue
        each.form.find_row(request, str(each.row.pk))
        if each.seen == posted:
            older_texts_of(each.row).delete()
            done = _("The Vietnamese of “%(title)s” counts as right.") % {"title": each.title}
            messages.success(request, done)
        else:
            again = _("The English of “%(title)s” has changed again. Read it first.")
            messages.warning(request, again % {"title": each.title})
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


def list_outdated(kinds: Sequence[Any]) -> list[Outdated]:
    """Return the rows whose English has changed since, those first that were changed last."""
    found = defaultdict[tuple[str, int], list[OlderText]](list)
    for each in OlderText.objects.order_by("-pk"):
        found[each.kind, each.row].append(each)
    forms = {form.opts.model_name: form for form in kinds}
    rows = {
        kind: form.model._default_manager.in_bulk([pk for other, pk in found if other == kind])
        for kind, form in forms.items()
    }
    return [
        Outdated(forms[kind], rows[kind][pk], older)
        for (kind, pk), older in found.items()
        if kind in rows and pk in rows[kind]
    ]
