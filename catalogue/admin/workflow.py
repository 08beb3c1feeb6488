"""The state of rows in lists."""

from collections.abc import Callable
from typing import Any, cast

from django.db.models import BooleanField, ExpressionWrapper, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from catalogue.admin.base import CatalogueAdmin, FormerSlugInline, list_column
from catalogue.models import State, is_visible

SCHEDULED = "scheduled"
COLOURS = {
    State.DRAFT: "default",
    State.IN_REVIEW: "warning",
    SCHEDULED: "info",
    State.PUBLISHED: "success",
}
PUBLICATION = ("Publication", {"fields": [("state", "publish_at")]})


class PublishableAdmin(CatalogueAdmin):
    """The form of a model whose rows have a state."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        shown = ExpressionWrapper(is_visible(timezone.now()), output_field=BooleanField())
        return cast("QuerySet[Any]", super().get_queryset(request).annotate(is_shown=shown))

    @list_column("State", ordering="state", label=COLOURS)
    def stage(self, obj: Any) -> tuple[str, str]:
        if obj.state == State.PUBLISHED and not obj.is_shown:
            return SCHEDULED, "Scheduled"
        return obj.state, obj.get_state_display()


class AddressedAdmin(PublishableAdmin):
    """The form of a model whose published rows have a page, and may have former addresses."""

    page: Callable[..., str]
    """A function that returns the address of the page of a slug."""

    def view_on_site(self, obj: Any) -> str | None:
        return type(self).page(obj.slug) if obj.is_shown else None

    def get_inlines(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        inlines = list(super().get_inlines(request, obj))
        if obj and obj.former_slugs.exists():
            return inlines
        return [inline for inline in inlines if not issubclass(inline, FormerSlugInline)]
