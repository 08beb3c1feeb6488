"""Lists with drafts: rows with unpublished changes, and texts that have no row yet."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.db.models import BigIntegerField, Q
from django.db.models.functions import Cast
from django.http import HttpRequest

from catalogue.admin.lists import RowList, change_cell
from catalogue.admin.workflow import CHANGED, StateFilter, state_cell
from catalogue.models import Publishable, State
from site_mirror.desk.drafts import attach_drafts
from site_mirror.desk.models import Draft


def has_draft(kind: str, **conditions: Any) -> Q:
    drafts = Draft.objects.filter(kind=kind, is_open=True, row__isnull=False, **conditions)
    return Q(pk__in=drafts.values(row_key=Cast("row", BigIntegerField())))


class DraftRowList(RowList):
    """A page of a list, with the texts that have no row yet on the first page of the whole list."""

    unfinished: Sequence[Draft] = ()

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        unfinished = attach_drafts(str(self.opts.model_name), self.result_list)
        if not request.GET or request.GET.dict() == {"state": State.DRAFT}:
            self.unfinished = unfinished


class DraftListAdmin:
    """A list of the desk, whose rows are changed if they have a draft."""

    model: Any
    opts: Any
    list_filter: Sequence[Any]

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[DraftRowList]:
        return DraftRowList

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        title, *others = super().get_list_display(request)  # type: ignore[misc]
        return (title, *others) if "stage" in others else (title, "stage", *others)

    def get_list_filter(self, request: HttpRequest) -> Sequence[Any]:
        others = [each for each in self.list_filter if each is not StateFilter]
        return [StateFilter, *others]

    def conditions_of_states(self) -> dict[str, Q]:
        kind = str(self.opts.model_name)
        drafted, reviewed = has_draft(kind), has_draft(kind, in_review=True)
        if not issubclass(self.model, Publishable):
            public = Q(pk__isnull=False)
            plain = {str(State.IN_REVIEW): ~public, str(State.PUBLISHED): public}
        else:
            plain = super().conditions_of_states()  # type: ignore[misc]
        public = plain.pop(State.PUBLISHED)
        return {
            **{state: condition & ~reviewed for state, condition in plain.items()},
            State.IN_REVIEW: plain[State.IN_REVIEW] | reviewed,
            CHANGED: public & drafted & ~reviewed,
            State.PUBLISHED: public & ~drafted,
        }

    def state_of(self, obj: Any) -> str:
        is_plain = not issubclass(self.model, Publishable)
        state = State.PUBLISHED if is_plain else super().state_of(obj)  # type: ignore[misc]
        if obj.draft and obj.draft.in_review:
            return str(State.IN_REVIEW)
        return CHANGED if obj.draft and state == State.PUBLISHED else str(state)

    @admin.display(description="State")
    def stage(self, obj: Any) -> str:
        return state_cell(self.state_of(obj))

    def changed(self, obj: Any) -> str:
        draft, change = obj.draft, obj.last_change
        if draft and not (change and change.action_time > draft.saved_at):
            return change_cell(draft.author, draft.saved_at)
        return super().changed(obj)  # type: ignore[misc,no-any-return]

    changed.short_description = "Changed"  # type: ignore[attr-defined]
