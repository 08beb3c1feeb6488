"""Several drafts that are published at once, so that they may link to each other."""

from collections.abc import Collection
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _
from msgspec import Struct

from site_mirror.desk import drafts
from site_mirror.desk.changes import Cause, cause_of_fault
from site_mirror.desk.faults import Fault, make_fault
from site_mirror.desk.forms import Data, bind_forms, with_data
from site_mirror.desk.models import Draft
from site_mirror.desk.parts import digests_of
from site_mirror.desk.preview import published_data
from site_mirror.desk.what_if import rolled_back


class Chosen(Struct):
    """A draft to publish: the admin and the row of its form, what readers see, and what it posts.

    `asked` names the parts that somebody else has changed meanwhile.
    """

    draft: Draft
    admin: Any
    row: Any
    public: Data
    posted: HttpRequest
    asked: list[str]


def publish_drafts(request: HttpRequest, keys: Collection[str]) -> list[Cause]:
    """Publish drafts, all or none of them; return what refuses it."""
    with transaction.atomic():
        chosen = [
            choose(request, draft) for draft in Draft.objects.filter(pk__in=keys, is_open=True)
        ]
        faults = [(each.draft, fault) for each in chosen for fault in find_faults(each, chosen)]
        for each in () if faults else chosen:
            saved = each.admin.write(request, each.row, each.posted)
            each.admin.close_draft(request, saved, each.draft, each.public, each.public, [])
        transaction.set_rollback(bool(faults))
    return [cause_of_fault(str(draft), draft.form, fault) for draft, fault in faults]


def choose(request: HttpRequest, draft: Draft) -> Chosen:
    form: Any = admin.site.get_model_admin(apps.get_model("catalogue", draft.kind))
    row = form.find_row(request, str(draft.row) if draft.row else None)
    public = form.public_data(request, row)
    # As if its form was posted: what a command has changed meanwhile is merged.
    merged = drafts.keep_draft(
        draft, draft.data, public, digests_of(draft.data), request.user, act=drafts.PUBLICATION
    )
    data = {**published_data(form.model, merged.data), "_key": [str(draft.key)]}
    asked = [form.label_of(part) for part in merged.asked]
    return Chosen(draft, form, row, public, with_data(request, data), asked)


def find_faults(one: Chosen, chosen: Collection[Chosen]) -> list[Fault]:
    """Return why a draft must not be published together with the others."""
    if one.asked:
        labels = ", ".join(one.asked)
        text = _("Readers see another text since the draft began: %(labels)s.")
        return [make_fault(None, text % {"labels": labels})]
    with rolled_back():
        for other in chosen:
            forms = bind_forms(other.admin, other.posted, other.row)
            if other is not one and forms.are_valid():
                forms.save()
        found: list[Fault] = one.admin.find_faults(one.posted, one.row)
    return found
