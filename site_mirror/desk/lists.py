"""Lists with drafts: rows with unpublished changes, and texts that have no row yet."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.contrib.admin import SimpleListFilter
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from catalogue.admin.base import CatalogueAdmin
from catalogue.admin.lists import RowList, change_cell
from catalogue.admin.workflow import (
    CHANGED,
    IN_REVIEW,
    StateFilter,
    count_by_condition,
    state_cell,
)
from catalogue.models import State
from catalogue.texts.localized import ENGLISH
from site_mirror.desk.drafts import attach_drafts
from site_mirror.desk.history import last_entries
from site_mirror.desk.models import Draft
from site_mirror.desk.translations import lacks_vietnamese, list_pairs


def open_drafts(kind: str, **conditions: Any) -> QuerySet[Draft]:
    return Draft.objects.filter(kind=kind, is_open=True, **conditions)


def has_draft(kind: str, **conditions: Any) -> Q:
    drafts = open_drafts(kind, row__isnull=False, **conditions)
    return Q(pk__in=drafts.values("row"))


def state_of_draft(draft: Draft) -> str:
    """Return the state of a text that has no row yet."""
    return IN_REVIEW if draft.in_review else str(State.DRAFT)


class DraftRowList(RowList):
    """A page of a list, with the texts that have no row yet on the first page."""

    unfinished: Sequence[Draft] = ()

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        kind, keys = str(self.opts.model_name), [row.pk for row in self.result_list]
        self.drafts = attach_drafts(kind, self.result_list)
        entries = {entry.row: entry for entry in last_entries(kind, row__in=keys)}
        for row in self.result_list:
            row.last_entry = entries.get(row.pk)
        if not request.GET.keys() - {"state"}:
            shown = request.GET.get("state", "")
            self.unfinished = [each for each in self.drafts if shown in ("", state_of_draft(each))]
        for draft in self.unfinished:
            draft.stage = state_cell(state_of_draft(draft))  # type: ignore[attr-defined]

    def count_states(self) -> dict[str, int]:
        """Return the number of rows in each state, with the drafts that have no row yet."""
        desk: Any = self.model_admin
        counts = count_by_condition(self.root_queryset, desk.conditions_of_states())
        for draft in self.drafts:
            counts[state_of_draft(draft)] += 1
        return counts


class AlwaysPublic:
    """A list of rows without a state of their own: readers see each of them."""

    def conditions_of_states(self) -> dict[str, Q]:
        return {State.DRAFT: Q(pk__isnull=True), State.PUBLISHED: Q(pk__isnull=False)}

    def state_of(self, obj: Any) -> str:
        return str(State.PUBLISHED)


class TranslationFilter(SimpleListFilter):
    title = _("languages")
    parameter_name = "languages"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        self.admin = model_admin
        choices = [("both", _("English and Vietnamese")), (ENGLISH, _("Vietnamese is missing"))]
        return choices if list_pairs(model_admin.model) else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() not in ("both", ENGLISH):
            return queryset
        lacking = lacks_vietnamese(self.admin)
        return queryset.filter(lacking if self.value() == ENGLISH else ~lacking)


class DraftListAdmin(CatalogueAdmin):
    """A list of the desk, whose rows are changed if they have a draft."""

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[DraftRowList]:
        return DraftRowList

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        title, *others = super().get_list_display(request)
        return (title, *others) if "stage" in others else (title, "stage", *others)

    def get_list_filter(self, request: HttpRequest) -> Sequence[Any]:
        return [StateFilter, *self.list_filter, TranslationFilter]

    def conditions_of_states(self) -> dict[str, Q]:
        kind = str(self.opts.model_name)
        drafted, reviewed = has_draft(kind), has_draft(kind, in_review=True)
        plain = super().conditions_of_states()
        public = plain.pop(State.PUBLISHED)
        return {
            State.DRAFT: plain.pop(State.DRAFT) & ~reviewed,
            IN_REVIEW: reviewed,
            **{state: condition & ~reviewed for state, condition in plain.items()},
            CHANGED: public & drafted & ~reviewed,
            State.PUBLISHED: public & ~drafted,
        }

    def state_of(self, obj: Any) -> str:
        state: str = super().state_of(obj)
        if obj.draft and obj.draft.in_review:
            return IN_REVIEW
        return CHANGED if obj.draft and state == State.PUBLISHED else state

    @admin.display(description=_("State"))
    def stage(self, obj: Any) -> str:
        return state_cell(self.state_of(obj))

    @admin.display(description=_("Changed"))
    def changed(self, obj: Any) -> str:
        """Return who changed a row or its draft last, and when; if nobody did here, only when."""
        draft, entry = obj.draft, obj.last_entry
        if draft and not (entry and entry.made_at > draft.saved_at):
            return change_cell(draft.author, draft.saved_at)
        if entry:
            return change_cell(entry.author, entry.made_at)
        return change_cell(None, getattr(obj, "edited_at", None))
