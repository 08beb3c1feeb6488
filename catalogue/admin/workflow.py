"""The state of rows in lists."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, cast

from django.contrib import admin
from django.db.models import BooleanField, Count, ExpressionWrapper, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html

from catalogue.admin.base import CatalogueAdmin
from catalogue.admin.lists import TabFilter, format_moment
from catalogue.models import State, is_visible

SCHEDULED = "scheduled"
CHANGED = "changed"
STATES = {
    str(State.DRAFT): "Draft",
    str(State.IN_REVIEW): "In review",
    SCHEDULED: "Scheduled",
    CHANGED: "Changed",
    str(State.PUBLISHED): "Published",
}
"""The states of rows that editors see, with their labels."""
PUBLICATION = ("Publication", {"fields": [("state", "publish_at")]})


def conditions_of_states(at: datetime) -> dict[str, Q]:
    return {
        State.DRAFT: Q(state=State.DRAFT),
        State.IN_REVIEW: Q(state=State.IN_REVIEW),
        SCHEDULED: Q(state=State.PUBLISHED) & ~is_visible(at),
        State.PUBLISHED: is_visible(at),
    }


def count_rows(rows: QuerySet[Any], conditions: Mapping[str, Q]) -> dict[str, int]:
    """Return the number of rows that fulfil each condition. One query."""
    counts = {name: Count("pk", filter=condition) for name, condition in conditions.items()}
    return dict(rows.order_by().aggregate(**counts))


def state_cell(state: str) -> str:
    return format_html('<span class="desk-state {}">{}</span>', state, STATES[state])


class StateFilter(TabFilter):
    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        self.conditions = model_admin.conditions_of_states()
        return [(state, STATES[state]) for state in self.conditions]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        condition = self.conditions.get(str(self.value()))
        return queryset.filter(condition) if condition else queryset

    def count_rows(self, rows: QuerySet[Any]) -> dict[str, int]:
        return count_rows(rows, self.conditions)


class PublishableAdmin(CatalogueAdmin):
    """The form of a model whose rows have a state."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        shown = ExpressionWrapper(is_visible(timezone.now()), output_field=BooleanField())
        return cast("QuerySet[Any]", super().get_queryset(request).annotate(is_shown=shown))

    def conditions_of_states(self) -> dict[str, Q]:
        return conditions_of_states(timezone.now())

    def state_of(self, obj: Any) -> str:
        is_scheduled = obj.state == State.PUBLISHED and not obj.is_shown
        return SCHEDULED if is_scheduled else str(obj.state)

    @admin.display(description="State", ordering="state")
    def stage(self, obj: Any) -> str:
        return state_cell(self.state_of(obj))

    @admin.display(description="Public from", ordering="publish_at")
    def appears(self, obj: Any) -> str:
        return format_moment(obj.publish_at)


class AddressedAdmin(PublishableAdmin):
    """The form of a model whose published rows have a page, and may have former addresses."""

    page: Callable[..., str]
    """A function that returns the address of the page of a slug."""

    def view_on_site(self, obj: Any) -> str | None:
        return type(self).page(obj.slug) if obj.is_shown else None
