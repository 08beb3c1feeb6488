"""All faults of a form, each with the input and the line that it is about, and those of gates."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from api.contract import API_VERSION, VERSION
from catalogue import addresses
from catalogue.accounts.languages import translate_around
from catalogue.models import ApiVersion, App, Image, Page, Post, Studio, Tag
from site_mirror.desk.forms import BoundForms, with_data
from site_mirror.desk.history import title_of
from site_mirror.desk.links import Checker, DeadLink, rows_naming
from site_mirror.desk.places import SHARED_PLACES, place_of
from site_mirror.desk.readers import is_public, is_scheduled
from site_mirror.desk.what_if import Trial

QUOTED = re.compile("“(.+?)”", re.DOTALL)
ADDRESS = re.compile(r"(?<![^\s(“])(?:https?:/)?/[^\s,:”]*")
VARYING = re.compile(
    r"“[^”]*”|(?<=: ).+|(?=[^\s(]*(?:[/#@\d]|[a-z][A-Z]|\w\.\w))[^\s(]+(?<![.,;:)])"
)
"""The variable parts of a failure: a quotation, the rest after a colon, and names, which have a
digit, a capital or a mark inside, such as addresses and files."""

Fault = dict[str, Any]


def list_refusals(trial: Trial, row: Any) -> list[Fault]:
    """Return the faults for which valid forms must not be published."""
    faults = []
    if row and trial.row and is_public(row) and is_scheduled(trial.row):
        text = _(
            "Readers see this now; a later moment would take it off the site until then. "
            "Withdraw it first."
        )
        faults.append(make_fault(trial.forms.form["publish_at"], text))
    is_served = isinstance(row, ApiVersion) and row.version == VERSION
    if is_served and trial.row and trial.row.api_version not in (row.api_version, API_VERSION):
        text = _("This program serves %(version)s, and nobody could publish another version.")
        text %= {"version": API_VERSION}
        faults.append(make_fault(trial.forms.form["api_version"], text))
    dead = Checker().dead_in_forms(trial)
    return faults + [
        make_fault(form[each.link.field.name], str(each), each.link.line) for form, each in dead
    ]


def list_form_faults(forms: BoundForms) -> list[Fault]:
    faults = [fault for form in forms.row_forms() for fault in faults_of(form)]
    texts = (text for formset in forms.formsets for text in formset.non_form_errors())
    return faults + [make_fault(None, str(text)) for text in texts]


def faults_of(form: Any) -> Iterator[Fault]:
    for name, texts in form.errors.items():
        for text in texts:
            yield make_fault(form[name] if name in form.fields else None, str(text))


def make_fault(bound: Any, text: str, line: int = 0) -> Fault:
    return {
        "name": bound.html_name if bound else "",
        "id": bound.id_for_label if bound else "",
        "label": str(bound.label) if bound else "",
        "line": line or find_line(bound, text),
        "text": text,
    }


def find_line(bound: Any, text: str) -> int:
    """Return the line of a fault, which is the first one with what it quotes."""
    quoted, typed = QUOTED.search(text), str(bound.value() or "") if bound else ""
    place = typed.find(quoted[1]) if quoted and "\n" in typed else -1
    return typed.count("\n", 0, place) + 1 if place >= 0 else 0


def list_breaking(broken: Collection[DeadLink]) -> list[Fault]:
    """Return the links of other rows that a change would break, each with the form of its row.

    No freeze could publish the site, so the change is refused.
    """
    return [
        make_fault(None, _("This would break a link. %(fault)s") % {"fault": dead.sentence})
        | {"label": str(dead.link.row), "form": form_address(dead.link.row)}
        for dead in broken
    ]


def form_address(row: Model) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


def rows_at(address: str) -> list[Model]:
    """Return the rows that a document is made of, in any state; its standing page is the first."""
    if address == addresses.SECURITY_TXT:
        return [*Studio.objects.all()]
    if names := addresses.names_of_images(address):
        return [*Image.objects.filter(slug__in=names)]
    page = addresses.page_of_mirror(address)
    if addresses.is_of_vietnamese_part(page):
        page = page.removeprefix("/vi") or addresses.HOME
    slug = page.rpartition("/")[2]
    named = (model._default_manager.filter(slug=slug) for model in (Post, App, Tag))
    others = (model._default_manager.all() for model in (Page, *SHARED_PLACES))
    found = ((row, place_of(row)) for row in chain(*named, *others))
    # The document of each standing page is that of OpenAPI.
    return [row for row, at in found if page in {at.page, at.data} - {addresses.OPENAPI}]


def find_causes(request: HttpRequest, sentences: Sequence[str]) -> list[Fault]:
    """Return what the forms of the rows that failures name refuse, and the unexplained failures."""
    found: dict[Model, list[Fault]] = {}
    others = []
    for sentence in sentences:
        names = ADDRESS.findall(sentence)
        # Files for programs have the texts of several kinds.
        rows = (rows_at(names[0]) or sorted(rows_naming(names[1:]), key=str)) if names else []
        found |= {row: [*causes_in_form(request, row)] for row in rows if row not in found}
        if not any(found[row] for row in rows):
            words = translate_around(VARYING, sentence)
            others.append(({*names[1:]}, make_cause(rows, words)))
    causes = [*chain.from_iterable(found.values())]
    # A dead link is also in documents that repeat the text.
    dead = {name for cause in causes for name in ADDRESS.findall(cause["text"])}
    return causes + [cause for names, cause in others if not names & dead]


def causes_in_form(request: HttpRequest, row: Model) -> Iterator[Fault]:
    form: Any = admin.site.get_model_admin(type(row))
    posted = with_data(request, form.public_data(request, row))
    for fault in form.find_faults(posted, row):
        place = f"?line={fault['line']}#{fault['id']}" if fault["id"] else ""
        yield make_cause([row], fault["text"], place, fault["label"])


def make_cause(rows: list[Model], text: str, place: str = "", label: str = "") -> Fault:
    """Return a fault that leads to a place in the form of the first of its rows, if it has any."""
    for row in rows:
        title = title_of(admin.site.get_model_admin(type(row)), row)
        words = f"{title}, {label}" if label else title
        return {"text": text, "label": words, "form": f"{form_address(row)}{place}"}
    return {"text": text}
