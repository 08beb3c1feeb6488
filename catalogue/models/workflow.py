"""The states of rows, and the rule which rows readers may see."""

from datetime import datetime
from typing import Any, Self, TypeVar

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from catalogue.models.base import Content, ContentQuerySet
from catalogue.models.collation import Bytewise
from catalogue.rules import Rule, choice_rule

Row_co = TypeVar("Row_co", bound="Publishable", covariant=True)


class State(models.TextChoices):
    DRAFT = "draft", _("Draft")
    PUBLISHED = "published", _("Published")


def is_visible(at: datetime, through: str = "") -> Q:
    """Return the condition that readers may see a row, or one `through` a relation (`app__`)."""
    return Q(**{f"{through}state": State.PUBLISHED, f"{through}publish_at__lte": at})


class PublishableQuerySet(ContentQuerySet[Row_co]):
    def published(self, *, at: datetime) -> Self:
        """Return the rows that readers may see at a moment. Public code must use only these."""
        return self.filter(is_visible(at))

    def in_order(self) -> Self:
        """Sort as editors dragged the rows. The slug breaks ties, so that two freezes agree."""
        return self.order_by("position", Bytewise("slug"))


class Publishable(Content):
    """A row with a state, which readers see from its moment of publication."""

    state = models.CharField(
        max_length=20,
        choices=State.choices,
        default=State.DRAFT,
        help_text="Readers see published rows only. Setting a row back to draft withdraws it.",
    )
    publish_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When it appears. Left empty, it appears when it is published.",
    )

    class Meta:
        abstract = True

    def clean(self) -> None:
        super().clean()
        if self.state == State.PUBLISHED and self.publish_at is None:
            self.publish_at = timezone.now()


class PastMoment(models.DateTimeField[Any, datetime | None]):
    """A moment that is read as NULL while it is in the future, because a clock was ahead."""

    def from_db_value(self, value: datetime | None, *context: object) -> datetime | None:
        return value if value and value <= timezone.now() else None


class Dated(Publishable):
    """A publishable row with its own page, which shows when its content last changed."""

    edited_at = PastMoment(null=True, editable=False)
    """The moment of the last edit of the content, in any state. A trigger writes it."""

    class Meta:
        abstract = True

    @property
    def changed_at(self) -> datetime | None:
        """The moment of the last change that readers saw: the publication or a later edit."""
        return content_changed_at(self.publish_at, self.edited_at)


def content_changed_at(publish_at: datetime | None, edited_at: datetime | None) -> datetime | None:
    return max(filter(None, (publish_at, edited_at)), default=None)


def workflow_rules(model: str) -> list[Rule]:
    return [
        choice_rule(model, "state", State),
        Rule(
            name=f"{model}_published_has_a_moment",
            condition=~Q(state=State.PUBLISHED) | Q(publish_at__isnull=False),
            field="publish_at",
            message="A published row needs the moment when it appears.",
        ),
    ]
