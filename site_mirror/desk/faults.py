"""All faults of a form, each with the input and the line that it is about."""

import re
from collections.abc import Collection, Iterator
from typing import Any

from django.db.models import Model
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from api.contract import API_VERSION, VERSION
from catalogue.models import ApiVersion
from site_mirror.desk.forms import BoundForms
from site_mirror.desk.links import Checker, DeadLink
from site_mirror.desk.readers import is_public, is_scheduled
from site_mirror.desk.what_if import Trial

QUOTED = re.compile("“(.+?)”", re.DOTALL)

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
        "label": capfirst(str(bound.label)) if bound else "",
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
