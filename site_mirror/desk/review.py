"""Review: a writer asks with a note; somebody who may publish publishes, or sends it back."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from site_mirror.desk import drafts
from site_mirror.desk.differences import Difference, list_differences
from site_mirror.desk.drafted import DraftedAdmin
from site_mirror.desk.held_forms import Hold

MAX_NOTE_CHARACTERS = 2_000


class ReviewedAdmin(DraftedAdmin):
    """A form whose draft can be reviewed."""

    @property
    def acts(self) -> dict[str, Callable[..., HttpResponse]]:
        return {**super().acts, "_review": self.ask_for_review, "_send_back": self.send_back}

    def ask_for_review(self, request: HttpRequest, row: Any) -> HttpResponse:
        return self.note(request, row, "It waits for a review now.", is_asked=True)

    def send_back(self, request: HttpRequest, row: Any) -> HttpResponse:
        if not self.may_publish(request, row):
            raise PermissionDenied
        return self.note(request, row, "It is sent back.", is_asked=False)

    def note(self, request: HttpRequest, row: Any, done: str, *, is_asked: bool) -> HttpResponse:
        """Keep what was typed, and a note with the draft."""
        kept = self.keep(request, row, drafts.TYPING)
        if not kept.is_saved:
            return self.ask(request, row, kept)
        draft = drafts.open_draft(self.place(request, row))
        if draft is None:
            self.tell(request, "There is no change that could be reviewed.")
            return self.back(row)
        draft.note = request.POST.get("_note", "").strip()[:MAX_NOTE_CHARACTERS]
        draft.noted_by, draft.in_review = request.user, is_asked  # type: ignore[assignment]
        draft.save(update_fields=["note", "noted_by", "in_review"])
        self.tell(request, done)
        return self.back(row, draft)

    def panel(
        self, request: HttpRequest, row: Any, *, hold: Hold | None = None, **more: Any
    ) -> dict[str, Any]:
        context = super().panel(request, row, hold=hold, **more)
        draft = drafts.open_draft(self.place(request, row))

        def differences() -> list[Difference]:
            # Only the template asks: saves while somebody types need no comparison.
            return list_differences(self, self.public_data(request, row), draft.data)  # type: ignore[union-attr]

        return context | {"draft": draft, "differences": differences}
