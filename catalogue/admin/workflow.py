"""The state of rows in lists."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from django.contrib import admin
from django.contrib.admin import SimpleListFilter
from django.db.models import BooleanField, Count, ExpressionWrapper, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from catalogue.admin.base import CatalogueAdmin
from catalogue.admin.lists import format_moment
from catalogue.models import State, is_visible

IN_REVIEW = "in_review"
SCHEDULED = "scheduled"
CHANGED = "changed"
STATES = {
    str(State.DRAFT): _("Draft"),
    IN_REVIEW: _("In review"),
    SCHEDULED: _("Scheduled"),
    CHANGED: _("Changed"),
    str(State.PUBLISHED): _("Published"),
}
"""The states of rows that editors see, with their labels."""
MAX_WAITING_ROWS_PER_KIND = 5
"""Limit of the rows on the front page."""
PUBLICATION = (_("Publication"), {"fields": [("state", "publish_at")]})


def count_by_condition(rows: QuerySet[Any], conditions: Mapping[str, Q]) -> dict[str, int]:
    """Return the number of rows that fulfil each condition. One query."""
    counts = {name: Count("pk", filter=condition) for name, condition in conditions.items()}
    return dict(rows.order_by().aggregate(**counts))


def state_cell(state: str) -> str:
    return format_html('<span class="desk-state {}">{}</span>', state, STATES[state])


class StateFilter(SimpleListFilter):
    """A filter that is shown as tabs, each with the number of its rows in the whole list."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        self.conditions = model_admin.conditions_of_states()
        return [(state, STATES[state]) for state in self.conditions]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        condition = self.conditions.get(str(self.value()))
        return queryset.filter(condition) if condition else queryset

    def choices(self, changelist: Any) -> Iterator[Any]:
        counts = changelist.count_states()
        numbers = [sum(counts.values()), *(counts[state] for state in self.conditions)]
        for number, choice in zip(numbers, super().choices(changelist), strict=True):
            yield {**choice, "count": number}


class PublishableAdmin(CatalogueAdmin):
    """The form of a model whose rows have a state."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        shown = ExpressionWrapper(is_visible(timezone.now()), output_field=BooleanField())
        return cast("QuerySet[Any]", super().get_queryset(request).annotate(is_shown=shown))

    def conditions_of_states(self) -> dict[str, Q]:
        visible = is_visible(timezone.now())
        return {
            State.DRAFT: Q(state=State.DRAFT),
            SCHEDULED: Q(state=State.PUBLISHED) & ~visible,
            State.PUBLISHED: visible,
        }

    def list_scheduled(self) -> Iterator[dict[str, Any]]:
        """Yield the next rows that appear."""
        rows = self.model._default_manager.filter(self.conditions_of_states()[SCHEDULED])
        for row in rows.order_by("publish_at", "pk")[:MAX_WAITING_ROWS_PER_KIND]:
            yield {
                "title": str(row),
                "kind": str(self.opts.verbose_name),
                "form": reverse(f"admin:catalogue_{self.opts.model_name}_change", args=[row.pk]),
                "state": state_cell(SCHEDULED),
                "appears": format_moment(row.publish_at),
            }

    def state_of(self, obj: Any) -> str:
        is_scheduled = obj.state == State.PUBLISHED and not obj.is_shown
        return SCHEDULED if is_scheduled else str(obj.state)

    @admin.display(description=_("Public from"), ordering="publish_at")
    def appears(self, obj: Any) -> str:
        return format_moment(obj.publish_at)


class AddressedAdmin(PublishableAdmin):
    """The form of a model whose published rows have a page, and may have former addresses."""

    page: Callable[..., str]
    """A function that returns the address of the page of a slug."""

    def view_on_site(self, obj: Any) -> str | None:
        return type(self).page(obj.slug) if obj.is_shown else None
