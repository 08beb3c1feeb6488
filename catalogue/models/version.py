"""The versions of the API, and how one is retired."""

from datetime import datetime, timedelta
from typing import ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from catalogue import rules
from catalogue.fields import Line
from catalogue.models.base import Content, ContentManager

NOTICE = timedelta(days=180)


def not_in_the_future(moment: datetime) -> None:
    """An announcement is made by saving it: clients see it at once."""
    if moment > timezone.now():
        raise ValidationError(
            "The announcement cannot be in the future: clients see it as soon as it is saved.",
            code="future",
        )


class VersionStatus(models.TextChoices):
    CURRENT = "current", "Current"
    DEPRECATED = "deprecated", "Deprecated"
    SUNSET = "sunset", "Sunset"


class ApiVersion(Content):
    """A version of the API.

    The announcement of a retirement is three moments, all given or none: when it is announced,
    from when the version is deprecated, and when it stops answering.
    """

    NATURAL_KEY = ("version",)

    version = Line(
        max_length=10,
        unique=True,
        validators=[rules.matches(rules.VERSION_NAME)],
        help_text="As in the path, for example v1.",
    )
    api_version = Line(
        "contract version",
        max_length=20,
        validators=[rules.matches(rules.SEMANTIC_VERSION)],
        help_text="The semantic version of the contract, for example 1.0.0.",
    )
    status = models.CharField(max_length=12, choices=VersionStatus.choices)
    released = models.DateField()
    announced = models.DateTimeField(
        null=True,
        blank=True,
        validators=[not_in_the_future],
        help_text="When the retirement was announced to clients: now, or before.",
    )
    deprecation = models.DateTimeField(
        null=True, blank=True, help_text="From when clients should no longer build on it."
    )
    sunset = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When it stops answering: at least 180 days after the announcement.",
    )

    objects: ClassVar[ContentManager["ApiVersion"]] = ContentManager()

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
                message="A deprecated or sunset version has all three moments of its "
                "announcement, a current one has none.",
            ),
            rules.Rule(
                name="apiversion_sunset_is_180_days_after_its_announcement",
                condition=Q(sunset__isnull=True) | Q(sunset__gte=F("announced") + NOTICE),
                field="sunset",
                message="The sunset must be at least 180 days after the announcement.",
            ),
            rules.Rule(
                name="apiversion_sunset_is_not_before_its_deprecation",
                condition=Q(sunset__isnull=True) | Q(sunset__gte=F("deprecation")),
                field="deprecation",
                message="The deprecation must not be later than the sunset.",
            ),
        ]

    def __str__(self) -> str:
        return self.version
