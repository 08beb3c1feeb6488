"""The acts of a form: what its buttons do with the row and its draft."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404

from catalogue.models import Publishable, State
from site_mirror.desk import drafts, history
from site_mirror.desk.differences import in_words
from site_mirror.desk.drafted import DECISION, DraftedAdmin
from site_mirror.desk.faults import Fault, form_address
from site_mirror.desk.forms import Data, bind_forms, data_of, with_data
from site_mirror.desk.models import Draft
from site_mirror.desk.parts import (
    SIDES,
    Merge,
    changed_parts,
    digests_of,
    replace_parts,
    side_of,
    split_parts,
)
from site_mirror.desk.preview import published_data
from site_mirror.desk.readers import live_sentence
from site_mirror.desk.translations import note_publication

MAX_NOTE_CHARACTERS = 2_000


class ActingAdmin(DraftedAdmin):
    """A form whose buttons keep, publish, withdraw, discard, restore and review a draft."""

    @property
    def acts(self) -> dict[str, Callable[[HttpRequest, Any], HttpResponse]]:
        """The acts of a form by the names of their buttons; a form without an act is saved."""
        return {
            "_draft": self.save_draft,
            "_publish": self.publish,
            "_withdraw": self.withdraw,
            "_discard": self.discard,
            "_restore": self.restore,
            "_review": self.ask_for_review,
            "_send_back": self.send_back,
        }

    def act(self, request: HttpRequest, row: Any) -> HttpResponse:
        act = next((act for name, act in self.acts.items() if name in request.POST), self.save)
        return act(request, row)

    def save(self, request: HttpRequest, row: Any) -> HttpResponse:
        """Save the row as the form was posted, without a draft."""
        data = data_of(request.POST)
        saved, faults = self.apply(request, row, data)
        if faults:
            return self.show(request, row, data, faults)
        return self.answer(request, live_sentence(saved), form_address(saved))

    def save_draft(self, request: HttpRequest, row: Any) -> HttpResponse:
        draft = self.draft(request, row)
        merged = self.keep(request, draft, self.public_data(request, row), drafts.SAVE)
        if merged.asked:
            return self.ask(request, row, draft, merged)
        return self.answer(request, "Draft saved. Readers do not see it.", draft.form)

    def publish(self, request: HttpRequest, row: Any) -> HttpResponse:
        """Publish the chosen sides of what was posted; the rest stays a draft."""
        if not self.may_publish(request, row):
            raise PermissionDenied
        draft, public = self.draft(request, row), self.public_data(request, row)
        merged = self.keep(request, draft, public, drafts.PUBLICATION)
        if merged.asked:
            return self.ask(request, row, draft, merged)
        left = self.find_left(request, public, merged.data) if row else []
        data = replace_parts(merged.data, public, left)
        saved, faults = self.apply(request, row, published_data(self.model, data))
        if faults:
            return self.show(request, row, merged.data, faults)
        now = self.public_data(request, saved)
        note_publication(draft, public, now, is_small="_small" in request.POST)
        draft.row = saved.pk
        rest = replace_parts(now, merged.data, left)
        drafts.change_draft(draft, rest, now, drafts.PUBLICATION)
        return self.answer(request, live_sentence(saved), form_address(saved))

    def find_left(self, request: HttpRequest, public: Data, data: Data) -> list[str]:
        """Return the changed parts of the sides that are not ticked, if sides are asked for."""
        sides = request.POST.getlist("_sides") if "_sides_asked" in request.POST else SIDES
        changed = changed_parts(digests_of(public), digests_of(data))
        return [part for part in changed if side_of(part) not in sides]

    def withdraw(self, request: HttpRequest, row: Any) -> HttpResponse:
        if not (row and issubclass(self.model, Publishable) and self.may_publish(request, row)):
            raise PermissionDenied
        draft, public = self.draft(request, row), self.public_data(request, row)
        merged = self.keep(request, draft, public, drafts.SAVE)
        if merged.asked:
            return self.ask(request, row, draft, merged)
        _, faults = self.apply(request, row, {**public, "state": [str(State.DRAFT)]})
        if faults:
            return self.show(request, row, merged.data, faults)
        done = "Withdrawn. Readers do not see it any more; Publish brings it back."
        return self.answer(request, done, draft.form)

    def discard(self, request: HttpRequest, row: Any) -> HttpResponse:
        draft, public = self.draft(request, row), self.public_data(request, row)
        if draft.is_open:
            drafts.change_draft(draft, public, public, drafts.DISCARD)
        done = "The draft is discarded. It is the first of the earlier states."
        return self.answer(request, done, draft.form)

    def restore(self, request: HttpRequest, row: Any) -> HttpResponse:
        draft = self.draft(request, row)
        state = get_object_or_404(draft.earlier, pk=request.POST["_restore"])
        history.restore(draft, state.data, self.public_data(request, row), request.user)
        done = "The earlier state is the draft now. Readers do not see it."
        return self.answer(request, done, draft.form)

    def ask_for_review(self, request: HttpRequest, row: Any) -> HttpResponse:
        return self.note(request, row, "It waits for a review now.", is_asked=True)

    def send_back(self, request: HttpRequest, row: Any) -> HttpResponse:
        if not self.may_publish(request, row):
            raise PermissionDenied
        return self.note(request, row, "It is sent back.", is_asked=False)

    def note(self, request: HttpRequest, row: Any, done: str, *, is_asked: bool) -> HttpResponse:
        """Keep what was typed, and a note with the draft."""
        draft = self.draft(request, row)
        merged = self.keep(request, draft, self.public_data(request, row), drafts.TYPING)
        if merged.asked:
            return self.ask(request, row, draft, merged)
        if not draft.is_open:
            done = "There is no change that could be reviewed."
            return self.answer(request, done, draft.form)
        draft.note = request.POST.get("_note", "").strip()[:MAX_NOTE_CHARACTERS]
        draft.noted_by, draft.in_review = request.user, is_asked  # type: ignore[assignment]
        draft.save(update_fields=["note", "noted_by", "in_review"])
        return self.answer(request, done, draft.form)

    def ask(self, request: HttpRequest, row: Any, draft: Draft, merged: Merge) -> HttpResponse:
        """Show both texts of each part that two people have changed."""
        here, there = split_parts(merged.data), split_parts(merged.there)
        questions = [
            {
                "name": f"{DECISION}{part}",
                "label": self.label_of(part),
                "here": in_words(self, part, here.get(part, {})),
                "there": in_words(self, part, there.get(part, {})),
            }
            for part in merged.asked
        ]
        who = draft.author if draft.is_open and draft.author_id != request.user.pk else None
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
        before = self.recorded_data(request, row) if row else None
        forms = bind_forms(self, posted, row)
        forms.are_valid()
        pk = forms.save().pk
        saved = self.get_queryset(request).get(pk=pk)  # Its inlines are saved by now.
        message = self.construct_change_message(request, forms.form, forms.formsets, not row)
        (self.log_change if row else self.log_addition)(request, saved, message)
        history.record(self, saved, before, self.recorded_data(request, saved), request.user)
        self.warn_of_formulas(request, saved)
        return saved, []

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """Give a row that comes back the key that it had."""
        returning = None if change else self.draft(request, None).returning
        if returning:
            obj.pk = returning.row
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: Any) -> None:
        super().save_related(request, form, formsets, change)
        returning = None if change else self.draft(request, None).returning
        if returning:
            history.return_relations(form.instance, returning)
