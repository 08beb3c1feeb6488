"""Forms with a draft, which keeps the typed values beside the row until a button publishes them."""

import json
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any, cast
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.contrib.auth.models import User
from django.core.exceptions import BadRequest, FieldDoesNotExist, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404
from django.utils.decorators import method_decorator
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_POST

from catalogue.admin.base import capitalize
from catalogue.models import Publishable, State
from site_mirror.desk import drafts, history, preview, publishing
from site_mirror.desk.checked import CheckedAdmin, bind_to
from site_mirror.desk.differences import compare_part
from site_mirror.desk.faults import Fault, form_address
from site_mirror.desk.forms import Data, bind_forms, data_of, with_data
from site_mirror.desk.models import Draft
from site_mirror.desk.panel import list_changes, make_panel, state_line
from site_mirror.desk.parts import (
    SIDES,
    Merge,
    changed_parts,
    digests_of,
    read_decisions,
    replace_sides,
    split_parts,
)
from site_mirror.desk.readers import live_sentence

Done = HttpResponse | str
"""The result of an act: a sentence for the editor, or a page that asks or refuses."""
Act = Callable[[HttpRequest, Any, Draft, Data], Done]
"""The act of a button: its arguments are a row, its draft, and the data that readers see."""


class DraftedAdmin(CheckedAdmin):
    """A form of the catalogue at the desk."""

    routes = (*CheckedAdmin.routes, "draft", "preview")

    def draft(self, request: HttpRequest, row: Any) -> Draft:
        kind = str(self.opts.model_name)
        if row:
            return drafts.draft_of_row(kind, row.pk)
        key = request.POST.get("_key") or request.GET.get("draft")
        try:
            return drafts.draft_of_new_row(kind, UUID(key) if key else uuid4())
        except ValueError as fault:
            raise BadRequest("The key of a draft is a UUID.") from fault

    def pk_of_new_row(self, request: HttpRequest) -> str | None:
        """Return the key of the row that a new one has become, which an older tab cannot know."""
        row = self.draft(request, None).row
        return str(row) if row else None

    def find_row(self, request: HttpRequest, object_id: str | None) -> Any:
        return super().find_row(request, object_id or self.pk_of_new_row(request))

    def recorded_data(self, row: Any) -> dict[str, list[str]]:
        """Return what the history keeps of a row: what its form posts, without redirects.

        The key of the parent of an inline is that of the row. Nobody's rights leave a part out. The
        place of a row in its order is counted from one.
        """
        request = HttpRequest()
        request.user = User(is_superuser=True)
        forms = self.unposted_forms(request, row)
        inlines = [each for each in forms.formsets if each.prefix != history.FORMER_SLUGS]
        parents = {f"{form.prefix}-{each.fk.name}" for each in inlines for form in each.forms}
        forms.formsets = inlines
        data = {name: value for name, value in forms.data().items() if name not in parents}
        return data | {history.PLACE: [str(row.position + 1)]} if self.ordered else data

    def label_of(self, part: str) -> str:
        try:
            field = self.opts.get_field(part)
        except FieldDoesNotExist:
            return capfirst(_(part.replace("_", " ")))
        inline = field.related_model._meta.verbose_name_plural if field.auto_created else ""
        return capitalize(str(inline or field.verbose_name))

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, *more: Any
    ) -> HttpResponse:
        object_id = object_id or self.pk_of_new_row(request)
        row = self.get_object(request, unquote(object_id)) if object_id else None
        if object_id and row is None:
            raise Http404  # The page of this error shows what was typed; Django redirects instead.
        if not self.may_write(request, row):
            return cast("HttpResponse", super().changeform_view(request, object_id, *more))
        if request.method == "POST":
            return self.act(request, row)
        draft = self.draft(request, row)
        return self.show(request, row, draft.data if draft.is_open else None)

    @property
    def acts(self) -> dict[str, tuple[Act, str]]:
        """The acts of a form by the names of their buttons.

        What was typed is kept before each that has a reason for which the state before it stays.
        """
        return {
            "_draft": (self.save_draft, drafts.SAVE),
            "_publish": (self.publish, drafts.PUBLICATION),
            "_withdraw": (self.withdraw, drafts.SAVE),
            "_review": (self.note, drafts.TYPING),
            "_send_back": (self.note, drafts.TYPING),
            "_discard": (self.discard, ""),
            "_restore": (self.restore, ""),
        }

    def act(self, request: HttpRequest, row: Any) -> HttpResponse:
        """Do what the pressed button of a form says; save the row if there is none."""
        pressed = next((name for name in self.acts if name in request.POST), None)
        if pressed is None:
            return self.save(request, row)
        act, reason = self.acts[pressed]
        draft, public = self.draft(request, row), self.public_data(request, row)
        if reason:
            merged = self.keep(request, draft, public, reason)
            if merged.asked:
                return self.ask(request, row, draft, merged)
            changed = changed_parts(digests_of(public), digests_of(draft.data_over(public)))
            unseen = [self.label_of(part) for part in merged.taken if part in changed]
            if unseen and pressed == "_publish":
                words = _("Not published yet: somebody else has changed %(parts)s. Read it first.")
                messages.warning(request, words % {"parts": "; ".join(unseen)})
                return HttpResponseRedirect(draft.form)
        done = act(request, row, draft, public)
        if not reason:
            drafts.remember_typed(draft, data_of(request.POST), public, request.user)
        return self.answer(request, done, draft.form) if isinstance(done, str) else done

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
        more["shared"] = request.build_absolute_uri(f"../preview/?draft={draft.key}")
        context = make_panel(self, row, draft, public, **more) | {"faults": list(faults)}
        if data is not None:
            request = bind_to(data, faults, request)
        shown: Any = super().changeform_view(request, str(row.pk) if row else None, "", context)
        shown.template_name = "desk/change_form.html"
        return cast("HttpResponse", shown)

    def keep(self, request: HttpRequest, draft: Draft, public: Data, act: str) -> Merge:
        """Keep what was posted; parts that the editor has decided are taken as decided."""
        base = json.loads(request.POST.get("_base", "{}"))
        posted, decisions = data_of(request.POST), read_decisions(request.POST)
        return drafts.keep_draft(
            draft, posted, public, base, request.user, act=act, decisions=decisions
        )

    @method_decorator(require_POST)
    def draft_view(self, request: HttpRequest, object_id: str | None = None) -> HttpResponse:
        """Save the draft while somebody types, or saves without leaving the form."""
        row = self.find_row(request, object_id)
        draft, public = self.draft(request, row), self.public_data(request, row)
        act = drafts.SAVE if "_draft" in request.POST else drafts.TYPING
        merged = self.keep(request, draft, public, act)
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

    @method_decorator(xframe_options_sameorigin)
    def preview_view(self, request: HttpRequest, object_id: str | None = None) -> HttpResponse:
        """Show what a form posts, or the saved draft to a colleague who opens the address."""
        row = self.find_row(request, object_id)
        if request.method == "POST":
            return preview.show_preview(self, request, row, data_of(request.POST), request.POST)
        data = self.draft(request, row).data_over(self.public_data(request, row))
        response = preview.show_preview(self, request, row, data, request.GET)
        if response.status_code == HTTPStatus.NO_CONTENT:
            return preview.show_nothing(request, preview.FAULTY)
        return response

    def save(self, request: HttpRequest, row: Any) -> HttpResponse:
        """Save the row as the form was posted, without a draft."""
        data = data_of(request.POST)
        saved, faults = self.apply(request, row, data)
        if faults:
            return self.show(request, row, data, faults)
        return self.answer(request, live_sentence(saved), form_address(saved))

    def save_draft(self, *request: Any) -> str:
        return _("Draft saved. Readers do not see it.")

    def publish(self, request: HttpRequest, row: Any, draft: Draft, public: Data) -> Done:
        """Publish the chosen sides of a draft; the rest stays a draft."""
        data = draft.data_over(public)
        is_asked = row and "_sides_asked" in request.POST
        left = {*SIDES} - {*request.POST.getlist("_sides")} if is_asked else set()
        chosen = replace_sides(data, public, left)
        saved, faults = self.apply(request, row, preview.published_data(self.model, chosen))
        if faults:
            return self.show(request, row, data, faults)
        now = self.public_data(request, saved)
        draft.row = saved.pk
        drafts.change_draft(draft, replace_sides(now, data, left), now, drafts.PUBLICATION)
        return live_sentence(saved)

    def withdraw(self, request: HttpRequest, row: Any, draft: Draft, public: Data) -> Done:
        if not (row and issubclass(self.model, Publishable)):
            raise PermissionDenied
        _row, faults = self.apply(request, row, {**public, "state": [str(State.DRAFT)]})
        if faults:
            return self.show(request, row, draft.data_over(public), faults)
        return _("Withdrawn. Readers do not see it any more; Publish brings it back.")

    def discard(self, request: HttpRequest, row: Any, draft: Draft, public: Data) -> str:
        if draft.is_open:
            drafts.change_draft(draft, public, public, drafts.DISCARD)
        return _("The draft is discarded. It is the first of the earlier states.")

    def restore(self, request: HttpRequest, row: Any, draft: Draft, public: Data) -> str:
        state = get_object_or_404(draft.earlier, pk=request.POST["_restore"])
        history.restore(draft, state.data, public, request.user)
        return _("The earlier state is the draft now. Readers do not see it.")

    def note(self, request: HttpRequest, row: Any, draft: Draft, public: Data) -> str:
        """Ask for a review of a draft, or send it back, with a note."""
        is_asked = "_review" in request.POST
        if not (is_asked or self.may_publish(request, row)):
            raise PermissionDenied
        if not draft.is_open:
            return _("There is no change that could be reviewed.")
        draft.note = request.POST.get("_note", "").strip()
        draft.noted_by, draft.in_review = request.user, is_asked  # type: ignore[assignment]
        draft.save(update_fields=["note", "noted_by", "in_review"])
        return _("It waits for a review now.") if is_asked else _("It is sent back.")

    def ask(self, request: HttpRequest, row: Any, draft: Draft, merged: Merge) -> HttpResponse:
        """Show both texts of each part that two people have changed."""
        here, there = split_parts(merged.data), split_parts(merged.there)
        seen = digests_of(merged.there)
        differences = (
            compare_part(self, part, there.get(part, {}), here.get(part, {}))
            for part in merged.asked
        )
        questions = [(each, seen.get(each.part, "")) for each in differences]
        authors = (drafts.author_of(draft, part, seen.get(part, "")) for part in merged.asked)
        who = next((each for each in authors if each not in (None, request.user)), None)
        base = request.POST.get("_base", "")
        return self.show(request, row, merged.data, questions=questions, who=who, base=base)

    def answer(self, request: HttpRequest, sentence: str, address: str) -> HttpResponse:
        messages.success(request, sentence)
        return HttpResponseRedirect(address)

    def apply(self, request: HttpRequest, row: Any, data: Data) -> tuple[Any, list[Fault]]:
        """Save a row as its form would with these data; return it, and what has refused this."""
        own = {name: request.POST.getlist(name) for name in request.POST if name.startswith("_")}
        posted = with_data(request, {**data, **own})
        if not self.may_publish(request, row):
            raise PermissionDenied
        if faults := self.find_faults(posted, row):
            return row, faults
        before = self.recorded_data(row) if row else None
        forms = bind_forms(self, posted, row)
        forms.are_valid()
        pk = forms.save().pk
        saved = self.get_queryset(request).get(pk=pk)  # Its inlines are saved by now.
        after, is_small = self.recorded_data(saved), "_small" in request.POST
        history.record(self, saved, before, after, request.user, is_small=is_small)
        self.warn_of_formulas(request, saved)
        publishing.ask_for_rows(request.user)
        return saved, []
