"""The counters of the home page."""

from decimal import Decimal

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalogue import rules
from catalogue.models.base import Table
from catalogue.texts.fields import Line
from catalogue.texts.localized import Localized


class StatisticId(models.TextChoices):
    """The counters of the contract."""

    INSTRUMENTS = "instruments", _("Instruments")
    AUDIO_SAMPLE_RATE = "audio-sample-rate", _("Audio sample rate")
    TRACKING_SDKS = "tracking-sdks", _("Tracking SDKs")
    SHIPPED_APPS = "shipped-apps", _("Shipped apps")


IS_COUNTED = Q(slug=StatisticId.SHIPPED_APPS)


class Statistic(Table):
    """A counter of the home page, whose number is either typed or counted."""

    slug = models.CharField("short name", max_length=40, unique=True, choices=StatisticId.choices)
    position = models.PositiveIntegerField(default=0, db_index=True)
    label_en = Line("label, English", max_length=80)
    label_vi = Line("label, Vietnamese", max_length=80, blank=True)
    value = models.DecimalField(
        max_digits=15,
        decimal_places=3,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text="The number itself, for example 48000. Shipped apps have none: those that are "
        "published and live are counted when it is read.",
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
            *rules.filled_rules("statistic", "label_en"),
            rules.Rule(
                name="statistic_value_is_typed_or_counted",
                condition=(IS_COUNTED & Q(value__isnull=True))
                | (~IS_COUNTED & Q(value__gte=0, value__isnull=False)),
                field="value",
                message="Type a value of at least 0, or leave it empty for shipped apps.",
            ),
            rules.Rule(
                name="statistic_display_goes_with_its_value",
                condition=(IS_COUNTED & Q(display="")) | (~IS_COUNTED & ~Q(display="")),
                field="display",
                message="Type how the value is shown, or leave it empty for shipped apps.",
            ),
        ]

    def __str__(self) -> str:
        return self.slug

    @property
    def number(self) -> Decimal | int:
        """The typed value, or the count that `questions.statistics` reads."""
        return self.live_apps if self.value is None else self.value  # type: ignore[attr-defined]

    @property
    def shown(self) -> str:
        return self.display or str(self.number)
