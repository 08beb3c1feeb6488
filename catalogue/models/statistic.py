"""The counters of the home page."""

from decimal import Decimal

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q

from catalogue import rules
from catalogue.models.base import Table
from catalogue.texts.fields import Line
from catalogue.texts.localized import Localized


class Counted(models.TextChoices):
    """The numbers that the program counts for a statistic."""

    LIVE_APPS = "live_apps", "Published apps with status live"


class StatisticId(models.TextChoices):
    """The counters of the contract."""

    INSTRUMENTS = "instruments", "Instruments"
    AUDIO_SAMPLE_RATE = "audio-sample-rate", "Audio sample rate"
    TRACKING_SDKS = "tracking-sdks", "Tracking SDKs"
    SHIPPED_APPS = "shipped-apps", "Shipped apps"


class Statistic(Table):
    """A counter of the home page, whose number is either typed or counted."""

    NATURAL_KEY = ("slug",)

    slug = models.CharField("id", max_length=40, unique=True, choices=StatisticId.choices)
    position = models.PositiveIntegerField(default=0, db_index=True)
    label_en = Line("label, English", max_length=80)
    label_vi = Line("label, Vietnamese", max_length=80, blank=True)
    counts = models.CharField(
        max_length=20,
        choices=Counted.choices,
        blank=True,
        help_text="A counted statistic has no typed value: the number is counted when it is read.",
    )
    value = models.DecimalField(
        max_digits=15,
        decimal_places=3,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text="The number itself, for example 48000.",
    )
    unit = Line(max_length=20, blank=True, help_text="Unit of the value, for example Hz.")
    display = Line(
        max_length=20, blank=True, help_text="As shown on the home page, for example 48 kHz."
    )

    label = Localized()

    class Meta:
        ordering = ["position", "slug"]
        constraints = [
            rules.choice_rule("statistic", "slug", StatisticId),
            rules.filled_rule("statistic", "label_en"),
            rules.Rule(
                name="statistic_counts_is_one_of_its_values",
                condition=Q(counts="") | Q(counts__in=Counted.values),
                field="counts",
                message="Choose what is counted, or nothing.",
            ),
            rules.Rule(
                name="statistic_shipped_apps_are_counted",
                condition=Q(slug=StatisticId.SHIPPED_APPS, counts=Counted.LIVE_APPS)
                | (~Q(slug=StatisticId.SHIPPED_APPS) & Q(counts="")),
                field="counts",
                message="Shipped apps are counted, never typed; the other counters are typed.",
            ),
            rules.Rule(
                name="statistic_value_is_typed_or_counted",
                condition=(Q(counts="") & Q(value__gte=0) & Q(value__isnull=False))
                | (~Q(counts="") & Q(value__isnull=True)),
                field="value",
                message="Type a value of at least 0, or leave it empty where it is counted.",
            ),
            rules.Rule(
                name="statistic_display_goes_with_its_value",
                condition=(Q(counts="") & ~Q(display="")) | (~Q(counts="") & Q(display="")),
                field="display",
                message="Type how the value is shown, or leave it empty where it is counted.",
            ),
        ]

    def __str__(self) -> str:
        return self.slug

    @property
    def number(self) -> Decimal | int | None:
        """The typed value or the counted one, as `questions.statistics` reads it."""
        return self.value if self.counts == "" else getattr(self, self.counts)

    @property
    def shown(self) -> str:
        return self.display or str(self.number)
