"""The versions of the API and their retirement."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from catalogue import rules
from catalogue.models.base import Table
from catalogue.texts.fields import Line

NOTICE_PERIOD = timedelta(days=180)
"""The minimum between an announcement and its sunset."""
RETIREMENT_NOT_WHOLE = (
    "A deprecated or sunset version has both moments of its retirement, a current one has none."
)


class VersionStatus(models.TextChoices):
    CURRENT = "current", gettext_lazy("Current")
    DEPRECATED = "deprecated", gettext_lazy("Deprecated")
    SUNSET = "sunset", gettext_lazy("Sunset")


class ApiVersion(Table):
    """A version of the API.

    A retirement has two moments, of which either both are set or none: the deprecation, and the
    sunset, at which the version stops answering. `announced` is the moment when they were first
    saved. Saving keeps it, because clients rely on it.
    """

    NATURAL_KEY = ("version",)

    version = Line(
        max_length=10,
        unique=True,
        help_text="As in the path, for example v1.",
    )
    api_version = Line(
        "contract version",
        max_length=20,
        help_text="The semantic version of the contract, for example 1.0.0.",
    )
    status = models.CharField(max_length=12, choices=VersionStatus.choices)
    released = models.DateField()
    announced = models.DateTimeField(null=True, editable=False)
    deprecation = models.DateTimeField(
        null=True, blank=True, help_text="From when clients should no longer build on it."
    )
    sunset = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When it stops answering: at least 180 days after the announcement. Saving "
        "these dates announces it. A later edit may move it nearer, but not below 180 days from "
        "that edit.",
    )

    class Meta:
        verbose_name = "API version"
        ordering = ["-released", "-version"]
        constraints = [
            rules.pattern_rule("apiversion", "version", rules.VERSION_NAME),
            rules.pattern_rule("apiversion", "api_version", rules.SEMANTIC_VERSION),
            rules.choice_rule("apiversion", "status", VersionStatus),
            rules.UniqueRule(
                name="apiversion_current_is_one",
                fields=["status"],
                condition=Q(status=VersionStatus.CURRENT),
                field="status",
                message="Another version is current; deprecate that one first.",
            ),
            rules.Rule(
                name="apiversion_current_has_no_announcement",
                condition=Q(
                    status=VersionStatus.CURRENT,
                    announced__isnull=True,
                    deprecation__isnull=True,
                    sunset__isnull=True,
                )
                | (
                    ~Q(status=VersionStatus.CURRENT)
                    & Q(
                        announced__isnull=False,
                        deprecation__isnull=False,
                        sunset__isnull=False,
                    )
                ),
                field="status",
                message=RETIREMENT_NOT_WHOLE,
            ),
            rules.Rule(
                name="apiversion_sunset_is_180_days_after_its_announcement",
                condition=Q(sunset__isnull=True) | Q(sunset__gte=F("announced") + NOTICE_PERIOD),
                field="sunset",
                message="The sunset must be at least 180 days after the announcement.",
            ),
            rules.Rule(
                name="apiversion_sunset_is_not_before_its_deprecation",
                condition=Q(sunset__isnull=True) | Q(sunset__gte=F("deprecation")),
                field="deprecation",
                message="The deprecation must not be later than the sunset.",
            ),
            rules.Rule(
                name="apiversion_deprecation_is_not_before_its_release",
                condition=Q(deprecation__isnull=True) | Q(deprecation__gte=F("released")),
                field="deprecation",
                message="The deprecation must not be earlier than the release.",
            ),
        ]

    def __str__(self) -> str:
        return self.version

    def clean(self) -> None:
        super().clean()
        self.announce()
        if faults := dict(self.faults(timezone.now())):
            raise ValidationError(faults)

    def save(self, *args: Any, **options: Any) -> None:
        self.announce()
        if options.get("update_fields") is not None:
            options["update_fields"] = {*options["update_fields"], "announced"}
        super().save(*args, **options)

    def announce(self) -> None:
        """Set the moment of the announcement, or keep it while the row has dates."""
        if self.deprecation is None and self.sunset is None:
            self.announced = None
        else:
            self.announced = self.known_retirement()[0] or timezone.now()

    def known_retirement(self) -> tuple[datetime | None, datetime | None]:
        """Return the announcement and the sunset of the stored row, which clients know."""
        rows = type(self).objects.filter(pk=self.pk).values_list("announced", "sunset")
        return rows.first() or (None, None)

    def faults(self, now: datetime) -> Iterator[tuple[str, str]]:
        """Yield errors of a retirement that is saved now: each field with its message."""
        current = self.status == VersionStatus.CURRENT
        if self.sunset is None or self.deprecation is None or current:
            if not (current and self.sunset is None and self.deprecation is None):
                yield "status", _(RETIREMENT_NOT_WHOLE)
            return
        if self.status == VersionStatus.SUNSET and self.sunset > now:
            yield "status", _("The sunset has not passed yet: choose Deprecated until it has.")
        if self.status == VersionStatus.DEPRECATED and self.sunset <= now:
            yield "status", _("The sunset has passed: choose Sunset.")
        announced, known = self.known_retirement()
        if self.sunset < (announced or now) + NOTICE_PERIOD:
            yield "sunset", _("The sunset must be at least 180 days after the announcement.")
        elif known and self.sunset < min(known, now + NOTICE_PERIOD):
            earliest = f"{min(known, now + NOTICE_PERIOD).astimezone(UTC):%Y-%m-%d %H:%M} UTC"
            told = _("Clients know of a later sunset: it may not be before %(earliest)s.")
            yield "sunset", told % {"earliest": earliest}
