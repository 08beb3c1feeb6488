"""The apps."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalogue import rules
from catalogue.models.workflow import Dated, PublishableQuerySet, workflow_rules
from catalogue.texts.fields import Line, Lines, Prose
from catalogue.texts.icons import validate_icon
from catalogue.texts.limits import ICON_LENGTH, PLAIN_LENGTH
from catalogue.texts.localized import Localized

ICON_HELP = "The SVG source of a square icon. Scripts, styles and outside references are refused."


class Category(models.TextChoices):
    EDUCATION = "education", _("Education")
    HEALTH = "health", _("Health")
    NAVIGATION = "navigation", _("Navigation")
    PRODUCTIVITY = "productivity", _("Productivity")
    UTILITIES = "utilities", _("Utilities")


class Platform(models.TextChoices):
    IOS = "iOS", "iOS"
    ANDROID = "Android", "Android"
    WATCH = "Watch", _("Watch")


class AppStatus(models.TextChoices):
    LIVE = "live", _("Live")
    SOON = "soon", _("Soon")
    ENGINE = "engine", _("Engine")


class App(Dated):
    """An app of the studio."""

    slug = Line(
        "address",
        max_length=40,
        unique=True,
        help_text="The end of the app's address. Changing it leaves a redirect behind.",
    )
    position = models.PositiveIntegerField(default=0, db_index=True)
    name = Line(max_length=60)
    tagline_en = Line("tagline, English", max_length=160, help_text="One line of positioning.")
    tagline_vi = Line("tagline, Vietnamese", max_length=160, blank=True)
    spec_en = Prose(
        "technical summary, English",
        blank=True,
        help_text="Sensors and maths, in a sentence or two.",
    )
    spec_vi = Prose("technical summary, Vietnamese", blank=True)
    description_en = Prose(
        "description, English", help_text="Plain text; an empty line begins a paragraph."
    )
    description_vi = Prose("description, Vietnamese", blank=True)
    category = models.CharField(max_length=20, choices=Category.choices)
    on_ios = models.BooleanField("iOS", default=False)
    on_android = models.BooleanField("Android", default=False)
    on_watch = models.BooleanField("Watch", default=False)
    status = models.CharField(max_length=10, choices=AppStatus.choices)
    reading_en = Line(
        "reading, English",
        max_length=160,
        blank=True,
        help_text="A measurement with its uncertainty, for example 45.2° ± 0.3° for a tilted "
        "shelf. Pages alone show it.",
    )
    reading_vi = Line("reading, Vietnamese", max_length=160, blank=True)
    since = Line(
        max_length=4,
        blank=True,
        help_text="Year of the first release, for example 2021.",
    )
    updated = Line(
        max_length=7,
        blank=True,
        help_text="Year and month of the last release, for example 2026-09.",
    )
    downloads = Line(
        max_length=20, blank=True, help_text="Rounded, as shown on the site, for example 45,000+."
    )
    stack = Lines(blank=True, help_text="Notable frameworks and techniques, one a line.")
    icon_svg = Prose(
        "icon", blank=True, limit=ICON_LENGTH, validators=[validate_icon], help_text=ICON_HELP
    )
    app_store = Line(
        "App Store", max_length=300, blank=True, validators=[rules.validate_web_address]
    )
    google_play = Line(
        "Google Play", max_length=300, blank=True, validators=[rules.validate_web_address]
    )
    chrome_web_store = Line(
        "Chrome Web Store", max_length=300, blank=True, validators=[rules.validate_web_address]
    )

    tagline = Localized()
    spec = Localized()
    description = Localized()
    reading = Localized()

    objects = PublishableQuerySet["App"].as_manager()

    class Meta:
        ordering = ["position", "slug"]
        constraints = [
            *workflow_rules("app"),
            rules.length_rule(
                "app",
                PLAIN_LENGTH,
                *("spec_en", "spec_vi", "description_en", "description_vi", "stack"),
                icon_svg=ICON_LENGTH,
            ),
            rules.pattern_rule("app", "slug", rules.SLUG),
            *rules.filled_rules("app", "name", "tagline_en", "description_en"),
            rules.translation_rule("app", "spec"),
            rules.translation_rule("app", "reading"),
            rules.choice_rule("app", "category", Category),
            rules.choice_rule("app", "status", AppStatus),
            rules.Rule(
                name="app_runs_on_a_platform",
                condition=Q(on_ios=True) | Q(on_android=True) | Q(on_watch=True),
                field="on_ios",
                message="Choose at least one platform.",
            ),
            rules.pattern_rule("app", "since", rules.YEAR, optional=True),
            rules.pattern_rule("app", "updated", rules.YEAR_MONTH, optional=True),
            rules.pattern_rule("app", "app_store", rules.WEB_ADDRESS, optional=True),
            rules.pattern_rule("app", "google_play", rules.WEB_ADDRESS, optional=True),
            rules.pattern_rule("app", "chrome_web_store", rules.WEB_ADDRESS, optional=True),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def platforms(self) -> list[Platform]:
        """The platforms on which the app runs, in the order of the contract."""
        return [each for each in Platform if getattr(self, f"on_{each.lower()}")]

    @property
    def icon_slug(self) -> str | None:
        return self.slug if self.icon_svg else None
