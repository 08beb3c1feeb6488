"""From draft to reader: the state of a row in lists, and the actions that move it."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.admin.utils import model_ngettext
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import transaction
from django.db.models import BooleanField, ExpressionWrapper, Field, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.text import capfirst

from catalogue.admin.base import CatalogueAdmin, FormerSlugInline, column
from catalogue.admin.linking import is_confirmed, selection_fields
from catalogue.breaking import (
    LinkState,
    Place,
    broken_places,
    column_label,
    read_link_state,
    row_key,
)
from catalogue.linking import Checker, DeadLink
from catalogue.models import Publishable, State, visible

Step = Callable[[Publishable, datetime], None]
Refusal = tuple[Publishable, ValidationError]

SCHEDULED = "scheduled"
COLOURS = {
    State.DRAFT: "default",
    State.IN_REVIEW: "warning",
    SCHEDULED: "info",
    State.PUBLISHED: "success",
}
PUBLICATION = ("Publication", {"fields": [("state", "publish_at")]})


def publish(row: Publishable, at: datetime) -> None:
    """Show a row to readers; one that they see already keeps its moment."""
    if row.state != State.PUBLISHED or row.publish_at is None or row.publish_at > at:
        row.state, row.publish_at = State.PUBLISHED, at


def send_to_review(row: Publishable, at: datetime) -> None:
    row.state = State.IN_REVIEW


def withdraw(row: Publishable, at: datetime) -> None:
    row.state = State.DRAFT


def refusals(rows: Iterable[Publishable], step: Step, at: datetime) -> list[Refusal]:
    """Take rows through a step and save them, but for those whose faults come back."""
    refused = []
    for row in rows:
        step(row, at)
        try:
            row.full_clean()
        except ValidationError as fault:
            refused.append((row, fault))
        else:
            row.save(update_fields=["state", "publish_at"])
    return refused


def dead_links(rows: Iterable[Publishable]) -> list[Refusal]:
    """Rows that readers see, or will see, with links that lead nowhere."""
    checker = Checker()
    found = ((row, checker.dead_of(row)) for row in rows)
    return [(row, ValidationError(list(map(sentence_of, dead)))) for row, dead in found if dead]


def sentence_of(dead: DeadLink) -> str:
    link = dead.link
    return f"{column_label(link.row, link.column, link.line)}: {link.quoted} {dead.reason}."


def link_state_before(rows: Iterable[Publishable]) -> LinkState | None:
    """The state of links before rows are moved; `None` if readers see none of the rows."""
    checker = Checker()
    return read_link_state() if any(map(checker.seen_at, rows)) else None


def in_words(row: Publishable, fault: ValidationError) -> str:
    """A row's faults, each after the label of its field."""
    named = {} if hasattr(fault, "error_dict") else {NON_FIELD_ERRORS: fault.messages}
    found = (named or fault.message_dict).items()
    faults = " ".join(f"{label(row, name)}{text}" for name, texts in found for text in texts)
    return f"“{row}” is refused. {faults}"


def label(row: Publishable, name: str) -> str:
    if name == NON_FIELD_ERRORS:
        return ""
    field = cast("Field[Any, Any]", row._meta.get_field(name))
    return f"{capfirst(str(field.verbose_name))}: "


class PublishableAdmin(CatalogueAdmin):
    """A model whose rows are written in private and appear at their moment."""

    actions = [*CatalogueAdmin.actions, "publish_now", "send_to_review", "withdraw_to_draft"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        shown = ExpressionWrapper(visible(timezone.now()), output_field=BooleanField())
        return cast("QuerySet[Any]", super().get_queryset(request).annotate(is_shown=shown))

    @column("State", ordering="state", label=COLOURS)
    def stage(self, obj: Any) -> tuple[str, str]:
        if obj.state == State.PUBLISHED and not obj.is_shown:
            return SCHEDULED, "Scheduled"
        return obj.state, obj.get_state_display()

    @admin.action(description="Publish now", permissions=["change"])
    def publish_now(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        return self.move(request, queryset, publish, "Published")

    @admin.action(description="Send to review", permissions=["change"])
    def send_to_review(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        return self.move(request, queryset, send_to_review, "Sent to review")

    @admin.action(description="Withdraw to draft", permissions=["change"])
    def withdraw_to_draft(
        self, request: HttpRequest, queryset: QuerySet[Any]
    ) -> HttpResponse | None:
        return self.move(request, queryset, withdraw, "Withdrawn to draft")

    def move(
        self, request: HttpRequest, queryset: QuerySet[Any], step: Step, done: str
    ) -> HttpResponse | None:
        """Take all the chosen rows through a step, or none of them.

        If that breaks links of other texts, the response is a page that asks first.
        """
        rows = list(queryset)
        chosen = f"{len(rows)} {model_ngettext(self.opts, len(rows))}"
        before, places = link_state_before(rows), list[Place]()
        with transaction.atomic():
            refused = refusals(rows, step, timezone.now()) or dead_links(rows)
            if before and not refused:
                places = broken_places(before, read_link_state(), {row_key(row) for row in rows})
            asking = bool(places) and not is_confirmed(request, places)
            for row in rows:
                self.log_change(request, row, f"{done}.")
            transaction.set_rollback(bool(refused) or asking)
        if refused:
            self.refuse(request, refused, len(rows))
        elif asking:
            hidden = {**selection_fields(request, queryset), "action": [request.POST["action"]]}
            back = request.get_full_path()
            return self.confirmation_page(
                request, places, f"Withdraw {chosen}?", "Go on", back, hidden
            )
        else:
            self.message_user(request, f"{done}: {chosen}.", messages.SUCCESS)
        return None

    def refuse(self, request: HttpRequest, refused: list[Refusal], asked: int) -> None:
        summary = f"Nothing was changed: {len(refused)} of {asked} cannot be saved as it is."
        for told in (summary, *(in_words(row, fault) for row, fault in refused)):
            self.message_user(request, told, messages.ERROR)


class AddressedAdmin(PublishableAdmin):
    """A model whose published rows have a page, and may have had others before."""

    page: Callable[..., str]
    """From a slug to the address of its page."""

    def view_on_site(self, obj: Any) -> str | None:
        return type(self).page(obj.slug) if obj.is_shown else None

    def get_inlines(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        inlines = list(super().get_inlines(request, obj))
        if obj and obj.former_slugs.exists():
            return inlines
        return [inline for inline in inlines if not issubclass(inline, FormerSlugInline)]
