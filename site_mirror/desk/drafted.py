"""Forms with a draft: what is typed is kept beside the row until it is published."""

import json
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any, cast
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import BadRequest, FieldDoesNotExist, PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.text import capfirst
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_POST, require_safe

from catalogue.models import Publishable, State
from site_mirror.desk import drafts, preview
from site_mirror.desk.breaking import breaking_context
from site_mirror.desk.checked import CheckedAdmin, View
from site_mirror.desk.differences import in_words
from site_mirror.desk.drafts import Kept, Place
from site_mirror.desk.faults import list_form_faults
from site_mirror.desk.forms import Data, bind_forms, data_of, with_data
from site_mirror.desk.held_forms import Hold, hold_forms
from site_mirror.desk.history import FORMER_SLUGS
from site_mirror.desk.models import Draft, EarlierState
from site_mirror.desk.panel import Panel
from site_mirror.desk.parts import (
    SIDES,
    changed_parts,
    digests_of,
    merge,
    replace_parts,
    side_of,
    split_parts,
)
from site_mirror.desk.readers import is_public, live_sentence
from site_mirror.desk.translations import note_publication

DECISION = "_decide-"
"""Beginning of the names of inputs that decide between two texts: `here` or `there`."""


class DraftedAdmin(CheckedAdmin):
    """A form of the catalogue at the desk."""

    change_form_template = "desk/change_form.html"

    def routes(self) -> Iterator[tuple[str, View]]:
        yield from super().routes()
        yield "draft", self.draft_view
        yield "shared", self.shared_view

    @property
    def acts(self) -> dict[str, Callable[..., HttpResponse]]:
        """The acts of a form by the names of their buttons; a form without an act is saved."""
        return {
            "_draft": self.save_draft,
            "_publish": self.publish,
            "_withdraw": self.withdraw,
            "_discard": self.discard,
            "_restore": self.restore,
        }

    def place(self, request: HttpRequest, row: Any) -> Place:
        kind = self.opts.model_name
        if row:
            return drafts.place_of_row(kind, str(row.pk))
        key = request.POST.get("_key") or request.GET.get("draft")
        try:
            return Place(kind, None, UUID(key) if key else uuid4())
        except ValueError as fault:
            raise BadRequest("The key of a draft is a UUID.") from fault

    def public_data(self, request: HttpRequest, row: Any) -> dict[str, list[str]]:
        """Return what the form of a saved row posts if nobody types, or that of a new row."""
        unposted = with_data(request, {})
        unposted.method = "GET"
        return bind_forms(self, unposted, row).data()  # type: ignore[arg-type]

    def label_of(self, part: str) -> str:
        if part == FORMER_SLUGS:
            return "Former addresses"
        try:
            field = self.opts.get_field(part)
        except FieldDoesNotExist:
            return capfirst(part.replace("_", " "))
        inline = field.related_model._meta.verbose_name_plural if field.auto_created else ""
        return capfirst(str(inline or field.verbose_name))

    # Forms

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        row = self.get_object(request, unquote(object_id)) if object_id else None
        if (object_id and row is None) or not self.may_write(request, row):
            return self.show(request, row, extra_context, object_id=object_id)
        if request.method != "POST":
            draft = drafts.open_draft(self.place(request, row))
            context = {**(extra_context or {}), **self.panel(request, row)}
            data = draft.data if draft else None
            hold = Hold(quiet=True) if draft else None
            return self.show(request, row, context, data=data, hold=hold)
        act = next((name for name in self.acts if name in request.POST), "")
        if act:
            return self.acts[act](request, row)
        return self.save(request, row, extra_context)

    def show(
        self,
        request: HttpRequest,
        row: Any,
        context: dict[str, Any] | None,
        *,
        data: Data | None = None,
        hold: Hold | None = None,
        object_id: str | None = None,
    ) -> HttpResponse:
        """Let the admin show a form, or save it if nothing holds it."""
        posted = request if data is None else with_data(request, data)
        if hold:
            hold_forms(posted, hold)
        key = str(row.pk) if row else object_id
        response = super().changeform_view(posted, key, "", context)  # type: ignore[misc]
        if isinstance(response, TemplateResponse) and response.context_data:
            response.context_data["faults"] = shown_faults(response.context_data)
        return cast("HttpResponse", response)

    def save(
        self, request: HttpRequest, row: Any, context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Save the row as the form was posted, without a draft."""
        with transaction.atomic():  # The check and the save see the same rows.
            hold = self.find_hold(request, row)
            held = {**(context or {}), **self.panel(request, row, hold=hold)} if hold else context
            return self.show(request, row, held, hold=hold)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: Any) -> None:
        super().save_related(request, form, formsets, change)  # type: ignore[misc]
        request.desk_saved = form.instance  # type: ignore[attr-defined]

    # Acts

    def keep(self, request: HttpRequest, row: Any, act: str) -> Kept:
        """Keep what was posted; parts that the editor has decided are taken as decided."""
        place, posted = self.place(request, row), data_of(request.POST)
        public = self.public_data(request, row)
        decided = decisions(request)
        draft = drafts.open_draft(place)
        theirs = [part for part, value in decided.items() if value == "there"]
        data = replace_parts(posted, draft.data if draft else public, theirs)
        base = read_digests(request.POST.get("_base", ""))
        author = request.user
        return drafts.keep_draft(place, data, public, base, author, act=act, decided=decided)

    def save_draft(self, request: HttpRequest, row: Any) -> HttpResponse:
        kept = self.keep(request, row, drafts.SAVE)
        if not kept.is_saved:
            return self.ask(request, row, kept)
        self.tell(request, "Draft saved. Readers do not see it.")
        return self.back(row, kept.draft)

    def publish(self, request: HttpRequest, row: Any) -> HttpResponse:
        """Publish the chosen sides of what was posted; the rest stays a draft."""
        if not self.may_publish(request, row):
            raise PermissionDenied
        with transaction.atomic():
            kept = self.keep(request, row, drafts.PUBLICATION)
            if not kept.is_saved:
                return self.ask(request, row, kept)
            public, draft = self.public_data(request, row), kept.draft
            # Another editor may have saved the row itself after the draft began.
            began = draft.began_from if draft and row else digests_of(public)
            merged, decided = merge(began, kept.merge.data, public), decisions(request)
            if row and not decided.keys() >= {*merged.asked}:
                return self.ask(request, row, Kept(None, merged), there=public)
            theirs = [part for part in merged.asked if row and decided.get(part) == "there"]
            mine = replace_parts(merged.data, public, theirs)
            chosen = self.chosen_parts(request, public, mine) if row else None
            data = mine if chosen is None else replace_parts(public, mine, chosen)
            posted = self.with_act(request, preview.published_data(self.model, data))
            hold = self.find_hold(posted, row) or self.find_wrong_moment(posted, row)
            if hold:
                context = self.panel(request, row, hold=hold)
                return self.show(request, row, context, data=mine, hold=hold)
            self.show(posted, row, None)
            saved = posted.desk_saved  # type: ignore[attr-defined]
            now, key = self.public_data(request, saved), str(saved.pk)
            is_small = "_small" in request.POST
            note_publication(self.opts.model_name, key, public, now, is_small=is_small)
            if draft:
                published = [*split_parts(now)] if chosen is None else chosen
                drafts.settle_published(draft, key, now, published)
        self.tell(request, live_sentence(saved))
        return self.back(saved)

    def chosen_parts(self, request: HttpRequest, public: Data, data: Data) -> list[str]:
        """Return the changed parts of the sides that are ticked; all, if no side is asked for."""
        sides = request.POST.getlist("_sides") if "_sides_asked" in request.POST else SIDES
        changed = changed_parts(digests_of(public), digests_of(data))
        return [part for part in changed if side_of(part) in sides]

    def find_wrong_moment(self, request: HttpRequest, row: Any) -> Hold | None:
        """Refuse a later moment for a row that readers see: it would vanish until then."""
        if row is None or not is_public(row):
            return None
        forms = bind_forms(self, request, row)  # type: ignore[arg-type]
        forms.are_valid()
        moment = forms.form.cleaned_data.get("publish_at")
        if moment and moment > timezone.now():
            text = "Readers see this now; a later moment would take it off the site until then."
            return Hold(texts={"publish_at": f"{text} Withdraw it first."})
        return None

    def withdraw(self, request: HttpRequest, row: Any) -> HttpResponse:
        if not (row and issubclass(self.model, Publishable) and self.may_publish(request, row)):
            raise PermissionDenied
        with transaction.atomic():
            kept = self.keep(request, row, drafts.SAVE)
            if not kept.is_saved:
                return self.ask(request, row, kept)
            data = {**self.public_data(request, row), "state": [str(State.DRAFT)]}
            posted = self.with_act(request, data)
            hold = self.find_hold(posted, row)
            if hold:
                context = self.panel(request, row, hold=hold)
                return self.show(request, row, context, data=kept.merge.data, hold=hold)
            self.show(posted, row, None)
        self.tell(request, "Withdrawn. Readers do not see it any more; Publish brings it back.")
        return self.back(row)

    def discard(self, request: HttpRequest, row: Any) -> HttpResponse:
        draft = drafts.open_draft(self.place(request, row))
        if draft:
            drafts.discard_draft(draft)
        self.tell(request, "The draft is discarded. It is the first of the earlier states.")
        return self.back(row, draft)

    def restore(self, request: HttpRequest, row: Any) -> HttpResponse:
        draft = drafts.find_draft(self.place(request, row))
        state = get_object_or_404(EarlierState, draft=draft, pk=request.POST["_restore"])
        drafts.restore_state(state.draft, state, request.user)
        self.tell(request, "The earlier state is the draft now. Readers do not see it.")
        return self.back(row, state.draft)

    def ask(
        self, request: HttpRequest, row: Any, kept: Kept, there: Data | None = None
    ) -> HttpResponse:
        """Show both texts of each part that two people have changed."""
        draft = drafts.open_draft(self.place(request, row))
        if there is None:
            there = draft.data if draft else self.public_data(request, row)
        here, others = split_parts(kept.merge.data), split_parts(there)
        questions = [
            {
                "name": f"{DECISION}{part}",
                "label": self.label_of(part),
                "here": in_words(self, part, here.get(part, {})),
                "there": in_words(self, part, others.get(part, {})),
            }
            for part in kept.merge.asked
        ]
        who = draft.author if draft and draft.author_id != request.user.pk else None
        context = self.panel(request, row, questions=questions, who=who)
        context["desk"].base = request.POST.get("_base", "")
        return self.show(request, row, context, data=kept.merge.data, hold=Hold(quiet=True))

    def with_act(self, request: HttpRequest, data: Data) -> HttpRequest:
        """Return a request that posts other data, with the confirmations of the editor."""
        own = {name: request.POST.getlist(name) for name in request.POST if name.startswith("_")}
        posted = with_data(request, {**data, **own})
        posted.desk_act = True  # type: ignore[attr-defined]
        return posted

    def response_add(self, request: HttpRequest, obj: Any, *arguments: Any) -> HttpResponse:
        if hasattr(request, "desk_act"):
            return HttpResponse()  # The act answers by itself.
        return super().response_add(request, obj, *arguments)  # type: ignore[misc,no-any-return]

    def response_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        if hasattr(request, "desk_act"):
            return HttpResponse()
        return super().response_change(request, obj)  # type: ignore[misc,no-any-return]

    def tell(self, request: HttpRequest, sentence: str) -> None:
        messages.success(request, sentence)

    def back(self, row: Any, draft: Draft | None = None) -> HttpResponse:
        page = f"admin:{self.opts.app_label}_{self.opts.model_name}"
        if row:
            return HttpResponseRedirect(Panel.address(f"{page}_change", row.pk))
        beginning = Panel.address(f"{page}_add")
        return HttpResponseRedirect(f"{beginning}?draft={draft.key}" if draft else beginning)

    # Routes

    @method_decorator(require_POST)
    def draft_view(self, request: HttpRequest, object_id: str | None = None) -> HttpResponse:
        """Save the draft while somebody types."""
        row = self.find_row(request, object_id)
        kept = self.keep(request, row, drafts.TYPING)
        if not kept.is_saved:
            asked = [self.label_of(part) for part in kept.merge.asked]
            return JsonResponse({"asked": asked}, status=HTTPStatus.CONFLICT)
        panel = self.panel(request, row)["desk"]
        return JsonResponse(
            {
                "version": panel.version,
                "base": json.dumps(digests_of(data_of(request.POST))),
                "line": panel.line,
                "changed": panel.changed,
                "taken": [self.label_of(part) for part in kept.merge.taken],
            }
        )

    @method_decorator([require_safe, xframe_options_sameorigin])
    def shared_view(self, request: HttpRequest, object_id: str | None = None) -> HttpResponse:
        """Show the saved draft of a row to a colleague who is logged in."""
        row = self.find_row(request, object_id)
        draft = drafts.open_draft(self.place(request, row))
        data = draft.data if draft else self.public_data(request, row)
        response = preview.show_preview(self, request, row, data, request.GET)
        if response.status_code == HTTPStatus.NO_CONTENT:
            return preview.show_faulty(request)
        return response

    def panel(
        self, request: HttpRequest, row: Any, *, hold: Hold | None = None, **more: Any
    ) -> dict[str, Any]:
        """Return the context of what stands around a form."""
        place = self.place(request, row)
        public = self.public_data(request, row)
        more["may_publish"] = self.may_publish(request, row)
        panel = Panel.of(self, row, place, public, **more)
        return {"desk": panel, **breaking_context(hold.broken if hold else [])}


def shown_faults(context: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the faults of the forms of a page, for its summary."""
    if not context.get("errors"):
        return []
    formsets = [inline.formset for inline in context["inline_admin_formsets"]]
    return list_form_faults(context["adminform"].form, formsets)


def decisions(request: HttpRequest) -> dict[str, str]:
    """Return the parts between whose two texts the editor has decided."""
    return {
        name.removeprefix(DECISION): str(value)
        for name, value in request.POST.items()
        if name.startswith(DECISION)
    }


def read_digests(text: str) -> dict[str, str]:
    """Return the digests that a form was opened with; none if the text is not of a form."""
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return {}
    return (
        {str(part): str(digest) for part, digest in found.items()}
        if isinstance(found, dict)
        else {}
    )
