"""All faults of a form, each with the input and the line that it is about."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS
from django.utils.text import capfirst

from site_mirror.desk.forms import BoundForms
from site_mirror.desk.links import DeadLink

LINE = re.compile(r"(?:^|\. )Line ([0-9]+): ")


def list_faults(forms: BoundForms, dead: Sequence[DeadLink] = ()) -> list[dict[str, Any]]:
    """Return the faults of forms, those of dead links last."""
    faults = [fault for form in (forms.form, *inline_forms(forms)) for fault in faults_of(form)]
    for formset in forms.formsets:
        faults += [make_fault("", "", text) for text in formset.non_form_errors()]
    for link in dead:
        faults.append(fault_of_link(forms, link))
    return faults


def inline_forms(forms: BoundForms) -> Iterator[Any]:
    for formset in forms.formsets:
        yield from formset.forms


def faults_of(form: Any) -> Iterator[dict[str, Any]]:
    for name, texts in form.errors.items():
        bound = form[name] if name != NON_FIELD_ERRORS and name in form.fields else None
        html_name, label = (bound.html_name, str(bound.label)) if bound else ("", "")
        for text in texts:
            yield make_fault(html_name, label, text)


def make_fault(name: str, label: str, text: str) -> dict[str, Any]:
    line = LINE.search(text)
    return {
        "name": name,
        "label": capfirst(label),
        "line": int(line[1]) if line else 0,
        "text": str(text),
    }


def fault_of_link(forms: BoundForms, dead: DeadLink) -> dict[str, Any]:
    """Return the fault of a dead link at the input in which it was typed."""
    name, label = dead.link.field.name, str(dead.link.field.verbose_name)
    for form in (forms.form, *inline_forms(forms)):
        is_typed = dead.link.field.model is form._meta.model and dead.link.target in str(
            getattr(form, "cleaned_data", {}).get(name)
        )
        if is_typed and name in form.fields:
            return make_fault(form[name].html_name, label, str(dead))
    return make_fault(name if name in forms.form.fields else "", label, str(dead))
