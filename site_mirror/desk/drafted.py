"""Forms with a draft: what is typed is kept beside the row until it is published."""

import json
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from typing import Any, cast
from uuid import UUID, uuid4

import msgspec
from django.contrib.admin.utils import unquote
from django.core.exceptions import BadRequest, FieldDoesNotExist
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.decorators import method_decorator
from django.utils.text import capfirst
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_POST, require_safe

from site_mirror.desk import drafts, history, preview
from site_mirror.desk.checked import CheckedAdmin, View
from site_mirror.desk.faults import Fault
from site_mirror.desk.forms import BoundForms, Data, bind_forms, data_of, with_data
from site_mirror.desk.held_forms import hold_forms
from site_mirror.desk.models import Draft
from site_mirror.desk.panel import list_changes, make_panel, state_line
from site_mirror.desk.parts import (
    Merge,
    digests_of,
)

DECISION = "_decide-"
"""Beginning of the names of inputs that decide between two texts: `here` or `there`."""


class DraftedAdmin(CheckedAdmin):
    """A form of the catalogue at the desk."""

    change_form_template = "desk/change_form.html"
    warn_unsaved_form = False

    def routes(self) -> Iterator[tuple[str, View]]:
        yield from super().routes()
        yield "draft", self.draft_view
        yield "shared", self.shared_view

    def draft(self, request: HttpRequest, row: Any) -> Draft:
        kind = str(self.opts.model_name)
        if row:
            return drafts.draft_of_row(kind, row.pk)
        key = request.POST.get("_key") or request.GET.get("draft")
        try:
            return drafts.draft_of_new_row(kind, UUID(key) if key else uuid4())
        except ValueError as fault:
            raise BadRequest("The key of a draft is a UUID.") from fault

    def unposted_forms(self, request: HttpRequest, row: Any) -> BoundForms:
        unposted = with_data(request, {})
        unposted.method = "GET"
        return bind_forms(self, unposted, row)

    def public_data(self, request: HttpRequest, row: Any) -> dict[str, list[str]]:
        """Return what the form of a saved row posts if nobody types, or that of a new row."""
        return self.unposted_forms(request, row).data()

    def recorded_data(self, request: HttpRequest, row: Any) -> dict[str, list[str]]:
        """Return what the history keeps of a row: what its form posts, without redirects.

        The key of the parent of an inline is that of the row.
        """
        forms = self.unposted_forms(request, row)
        inlines = [each for each in forms.formsets if each.prefix != history.FORMER_SLUGS]
        parents = {f"{form.prefix}-{each.fk.name}" for each in inlines for form in each.forms}
        forms.formsets = inlines
        return {name: value for name, value in forms.data().items() if name not in parents}

    def label_of(self, part: str) -> str:
        try:
            field = self.opts.get_field(part)
        except FieldDoesNotExist:
            return capfirst(part.replace("_", " "))
        inline = field.related_model._meta.verbose_name_plural if field.auto_created else ""
        return capfirst(str(inline or field.verbose_name))

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        row = self.get_object(request, unquote(object_id)) if object_id else None
        if (object_id and row is None) or not self.may_write(request, row):
            shown = super().changeform_view(request, object_id, form_url, extra_context)
            return cast("HttpResponse", shown)
        if request.method == "POST":
            return self.act(request, row)
        draft = self.draft(request, row)
        return self.show(request, row, draft.data if draft.is_open else None)

    def act(self, request: HttpRequest, row: Any) -> HttpResponse:
        """Do what the pressed button of a form says."""
        raise NotImplementedError

    def show(
        self,
        request: HttpRequest,
        row: Any,
        data: Data | None,
        faults: Sequence[Fault] = (),
        **more: Any,
    ) -> HttpResponse:
        """Let the admin show a form: that of the row, or one with other data and their faults."""
        draft, public = self.draft(request, row), self.public_data(request, row)
        more["may_publish"] = self.may_publish(request, row)
        context = make_panel(self, row, draft, public, **more) | {"faults": list(faults)}
        posted = request if data is None else hold_forms(with_data(request, data), faults)
        shown = super().changeform_view(posted, str(row.pk) if row else None, "", context)
        return cast("HttpResponse", shown)

    def keep(self, request: HttpRequest, draft: Draft, public: Data, act: str) -> Merge:
        """Keep what was posted; parts that the editor has decided are taken as decided."""
        base = read_digests(request.POST.get("_base", ""))
        posted, decisions = data_of(request.POST), read_decisions(request)
        return drafts.keep_draft(
            draft, posted, public, base, request.user, act=act, decisions=decisions
        )

    @method_decorator(require_POST)
    def draft_view(self, request: HttpRequest, object_id: str | None = None) -> HttpResponse:
        """Save the draft while somebody types."""
        row = self.find_row(request, object_id)
        draft, public = self.draft(request, row), self.public_data(request, row)
        merged = self.keep(request, draft, public, drafts.TYPING)
        if merged.asked:
            asked = [self.label_of(part) for part in merged.asked]
            return JsonResponse({"asked": asked}, status=HTTPStatus.CONFLICT)
        return JsonResponse(
            {
                "version": draft.version,
                "base": json.dumps(digests_of(data_of(request.POST))),
                "line": state_line(draft, row),
                "changed": list_changes(self, draft, public),
                "taken": [self.label_of(part) for part in merged.taken],
            }
        )

    @method_decorator([require_safe, xframe_options_sameorigin])
    def shared_view(self, request: HttpRequest, object_id: str | None = None) -> HttpResponse:
        """Show the saved draft of a row to a colleague who is logged in."""
        row = self.find_row(request, object_id)
        draft = self.draft(request, row)
        data = draft.data if draft.is_open else self.public_data(request, row)
        response = preview.show_preview(self, request, row, data, request.GET)
        if response.status_code == HTTPStatus.NO_CONTENT:
            return preview.show_nothing(request, preview.FAULTY)
        return response


def read_decisions(request: HttpRequest) -> dict[str, str]:
    """Return the parts between whose two texts the editor has decided."""
    return {
        name.removeprefix(DECISION): str(value)
        for name, value in request.POST.items()
        if name.startswith(DECISION)
    }


def read_digests(text: str) -> dict[str, str]:
    """Return the digests that a form was opened with; none if the text is not of a form."""
    try:
        return msgspec.json.decode(text, type=dict[str, str])
    except msgspec.MsgspecError:
        return {}
