"""All faults of a form, each with the input and the line that it is about."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.text import capfirst

from site_mirror.desk.forms import BoundForms
from site_mirror.desk.links import DeadLink

QUOTED = re.compile("“(.+?)”", re.DOTALL)
LINE = re.compile(r"(?:^|\. )Line ([0-9]+): ")


def list_faults(forms: BoundForms, dead: Sequence[DeadLink] = ()) -> list[dict[str, Any]]:
    """Return the faults of forms, those of dead links last."""
    faults = list_form_faults(forms.form, forms.formsets)
    return faults + [fault_of_link(forms, link) for link in dead]


def list_form_faults(form: Any, formsets: Sequence[Any]) -> list[dict[str, Any]]:
    rows = [row for formset in formsets for row in formset.forms]
    faults = [fault for each in (form, *rows) for fault in faults_of(each)]
    texts = (text for formset in formsets for text in formset.non_form_errors())
    return faults + [make_fault(None, "", str(text)) for text in texts]


def faults_of(form: Any) -> Iterator[dict[str, Any]]:
    for name, texts in form.errors.items():
        bound = form[name] if name in form.fields else None
        for text in texts:
            yield make_fault(bound, str(bound.label) if bound else "", str(text))


def make_fault(bound: Any, label: str, text: str) -> dict[str, Any]:
    return {
        "name": bound.html_name if bound else "",
        "id": bound.id_for_label if bound else "",
        "label": capfirst(label),
        "line": find_line(bound, text),
        "text": text,
    }


def find_line(bound: Any, text: str) -> int:
    """Return the line of a fault: the one that it names, or the first one with what it quotes."""
    if named := LINE.search(text):
        return int(named[1])
    quoted, typed = QUOTED.search(text), str(bound.value() or "") if bound else ""
    place = typed.find(quoted[1]) if quoted and "\n" in typed else -1
    return typed.count("\n", 0, place) + 1 if place >= 0 else 0


def fault_of_link(forms: BoundForms, dead: DeadLink) -> dict[str, Any]:
    """Return the fault of a dead link at the input in which it was typed."""
    name, label = dead.link.field.name, str(dead.link.field.verbose_name)
    rows = [row for formset in forms.formsets for row in formset.forms]
    for form in (forms.form, *rows):
        is_typed = dead.link.field.model is form._meta.model and dead.link.target in str(
            getattr(form, "cleaned_data", {}).get(name)
        )
        if is_typed and name in form.fields:
            return make_fault(form[name], label, str(dead))
    form = forms.form
    return make_fault(form[name] if name in form.fields else None, label, str(dead))
