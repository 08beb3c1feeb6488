"""Milestones of the studio and of its founder."""

from datetime import date

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Value
from django.db.models.functions import Concat, Substr
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from catalogue import rules
from catalogue.models.base import Table
from catalogue.models.collation import Bytewise
from catalogue.models.workflow import Publishable, PublishableQuerySet, workflow_rules
from catalogue.texts.fields import Line, Prose
from catalogue.texts.limits import PLAIN_LENGTH
from catalogue.texts.localized import Localized

SHOWN_LINKS = "shown_links"


class Subject(models.TextChoices):
    STUDIO = "studio", _("Studio")
    FOUNDER = "founder", _("Founder")


def start_of(partial_date: str) -> str:
    """Return the first day of a period: `2019` → `2019-01-01`, `2021-06` → `2021-06-01`."""
    return f"{partial_date}-01-01"[:10]


def validate_calendar_date(value: str) -> None:
    """Refuse a text that is not a date of the calendar, such as 2026-02-30."""
    try:
        date.fromisoformat(start_of(value))
    except ValueError:
        allowed = gettext(rules.PATTERN_MESSAGES[rules.PARTIAL_DATE])
        found = gettext("“%(value)s” is not on the calendar.") % {"value": value}
        raise ValidationError(f"{found} {allowed}", code="calendar") from None


class TimelineEntryQuerySet(PublishableQuerySet["TimelineEntry"]):
    def newest_first(self) -> "TimelineEntryQuerySet":
        """Sort milestones as /timeline does: by the start of the period, then by id."""
        return self.order_by("-starts_on", Bytewise("slug"))


class TimelineEntry(Publishable):
    """A dated milestone."""

    slug = Line("short name", max_length=60, unique=True)
    date = Line(
        max_length=10,
        validators=[validate_calendar_date],
        help_text="As precise as it is known: 2019, 2021-06 or 2021-06-14.",
    )
    starts_on = models.GeneratedField(
        expression=Substr(Concat("date", Value("-01-01")), 1, 10),
        output_field=models.CharField(max_length=10),
        db_persist=True,
    )
    subject = models.CharField(max_length=10, choices=Subject.choices)
    title_en = Line("title, English", max_length=160)
    title_vi = Line("title, Vietnamese", max_length=160, blank=True)
    description_en = Prose("description, English", blank=True)
    description_vi = Prose("description, Vietnamese", blank=True)

    title = Localized()
    description = Localized()
    shown_links: list["TimelineLink"]
    """The links that readers may follow (`catalogue.milestones`)."""

    objects = TimelineEntryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "timeline"
        ordering = ["-starts_on", "slug"]
        constraints = [
            *workflow_rules("timelineentry"),
            rules.length_rule("timelineentry", PLAIN_LENGTH, "description_en", "description_vi"),
            rules.pattern_rule("timelineentry", "slug", rules.SLUG),
            rules.pattern_rule("timelineentry", "date", rules.PARTIAL_DATE),
            rules.choice_rule("timelineentry", "subject", Subject),
            *rules.filled_rules("timelineentry", "title_en"),
            rules.translation_rule("timelineentry", "description"),
        ]

    def __str__(self) -> str:
        return self.title_en


class TimelineLink(Table):
    """A link of a milestone."""

    NATURAL_KEY = ("entry__slug", "href")

    entry = models.ForeignKey(TimelineEntry, on_delete=models.CASCADE, related_name="links")
    position = models.PositiveIntegerField(default=0, db_index=True)
    label_en = Line("label, English", max_length=80)
    label_vi = Line("label, Vietnamese", max_length=80, blank=True)
    href = Line(
        "address",
        max_length=300,
        help_text="A path on this site such as /apps/wheria, or a full https:// address.",
    )

    label = Localized()
    is_translated: bool

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            rules.UniqueRule(
                name="timelinelink_is_given_once",
                fields=["entry", "href"],
                field="href",
                message="This milestone has the link already.",
            ),
            *rules.filled_rules("timelinelink", "label_en"),
            rules.pattern_rule("timelinelink", "href", rules.PATH_OR_WEB_ADDRESS),
        ]

    def __str__(self) -> str:
        return self.href
