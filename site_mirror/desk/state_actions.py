"""Actions that change the state of rows in a list."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.admin.utils import model_ngettext
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import transaction
from django.db.models import Field, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import capfirst

from catalogue.models import Publishable, State
from site_mirror.desk.breaking import breaking_summary
from site_mirror.desk.links import Checker, DeadLink, links_broken_by

Step = Callable[[Publishable, datetime], None]
Refusal = tuple[Publishable, ValidationError]


def publish(row: Publishable, at: datetime) -> None:
    """Publish a row now; a row that readers see already keeps its moment."""
    if row.state != State.PUBLISHED or row.publish_at is None or row.publish_at > at:
        row.state, row.publish_at = State.PUBLISHED, at


def send_to_review(row: Publishable, at: datetime) -> None:
    row.state = State.IN_REVIEW


def withdraw(row: Publishable, at: datetime) -> None:
    row.state = State.DRAFT


def save_after_step(rows: Iterable[Publishable], step: Step, at: datetime) -> list[Refusal]:
    """Apply a step to rows and save them; return the rows that are not valid, with their errors."""
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


def find_dead_links(rows: Iterable[Publishable]) -> list[Refusal]:
    checker = Checker()
    rows_and_links = ((row, checker.dead_of(row)) for row in rows)
    return [
        (row, ValidationError([each.sentence for each in dead]))
        for row, dead in rows_and_links
        if dead
    ]


def refusal_sentence(row: Publishable, fault: ValidationError) -> str:
    general = {} if hasattr(fault, "error_dict") else {NON_FIELD_ERRORS: fault.messages}
    errors = (general or fault.message_dict).items()
    faults = " ".join(
        f"{field_prefix(row, name)}{text}" for name, texts in errors for text in texts
    )
    return f"“{row}” is refused. {faults}"


def field_prefix(row: Publishable, name: str) -> str:
    if name == NON_FIELD_ERRORS:
        return ""
    field = cast("Field[Any, Any]", row._meta.get_field(name))
    return f"{capfirst(str(field.verbose_name))}: "


class StateActions:
    """The actions of a list whose rows have a state."""

    opts: Any
    log_change: Callable[..., object]
    message_user: Callable[..., None]
    keep_present: Callable[..., None]

    actions = ("publish_now", "send_to_review", "withdraw_to_draft")

    @admin.action(description="Publish now", permissions=["publish"])
    def publish_now(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        self.move(request, queryset, publish, "Published")

    @admin.action(description="Send to review", permissions=["publish"])
    def send_to_review(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        self.move(request, queryset, send_to_review, "Sent to review")

    @admin.action(description="Withdraw to draft", permissions=["publish"])
    def withdraw_to_draft(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        self.move(request, queryset, withdraw, "Withdrawn to draft")

    def move(self, request: HttpRequest, queryset: QuerySet[Any], step: Step, done: str) -> None:
        """Apply a step to all chosen rows, or to none of them.

        A step that breaks links of other texts is refused.
        """
        at, rows = timezone.now(), list(queryset)
        self.keep_present(request, rows)
        broken = links_broken_by(lambda: save_after_step(list(queryset), step, at), rows)
        if broken:
            self.refuse_to_break(request, broken)
            return
        with transaction.atomic():
            refused = save_after_step(rows, step, at) or find_dead_links(rows)
            for row in rows:
                self.log_change(request, row, f"{done}.")
            transaction.set_rollback(bool(refused))
        if refused:
            self.refuse(request, refused, len(rows))
        else:
            chosen = f"{len(rows)} {model_ngettext(self.opts, len(rows))}"
            self.message_user(request, f"{done}: {chosen}.", messages.SUCCESS)

    def refuse_to_break(self, request: HttpRequest, broken: list[DeadLink]) -> None:
        summary = f"Nothing was changed. {breaking_summary(broken)} Change those texts first."
        for message in (summary, *(f"“{dead.link.row}”. {dead.sentence}" for dead in broken)):
            self.message_user(request, message, messages.ERROR)

    def refuse(self, request: HttpRequest, refused: list[Refusal], asked: int) -> None:
        summary = f"Nothing was changed: {len(refused)} of {asked} cannot be saved as it is."
        for message in (summary, *(refusal_sentence(row, fault) for row, fault in refused)):
            self.message_user(request, message, messages.ERROR)
