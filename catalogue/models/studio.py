"""Who speaks: the studio, its people, its counters and its standing pages."""

from decimal import Decimal
from typing import ClassVar

from django.core.validators import EmailValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from catalogue import addresses, rules
from catalogue.fields import Line, Lines, Prose
from catalogue.localized import Localized
from catalogue.markdown_rules import safe_markdown
from catalogue.models.base import Content, ContentManager


class Studio(Content):
    """The studio profile: one row, served at `/studio`."""

    NATURAL_KEY = ()

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    name = Line(max_length=80)
    tagline_en = Line("tagline, English", max_length=160, blank=True)
    tagline_vi = Line("tagline, Vietnamese", max_length=160, blank=True)
    description_en = Prose(
        "description, English",
        blank=True,
        help_text="What the studio builds, in two or three sentences. The API serves the English.",
    )
    description_vi = Prose("description, Vietnamese", blank=True)
    founded = Line(
        max_length=4,
        blank=True,
        validators=[rules.matches(rules.YEAR)],
        help_text="The year, for example 2019.",
    )
    country = Line(
        max_length=2,
        blank=True,
        validators=[rules.matches(rules.COUNTRY)],
        help_text="Two capital letters from ISO 3166-1, for example VN.",
    )
    country_name = Line(max_length=80, blank=True, help_text="In English, for example Vietnam.")
    email = Line(max_length=254, validators=[EmailValidator()])
    github = Line(
        "GitHub",
        max_length=200,
        blank=True,
        validators=[rules.web_address],
        help_text="Address of the organisation.",
    )
    languages = Lines(
        blank=True,
        help_text="Languages of the site and the apps, one two-letter code a line: en, vi.",
    )

    tagline = Localized()

    objects: ClassVar[ContentManager["Studio"]] = ContentManager()

    class Meta:
        verbose_name_plural = "studio"
        constraints = [
            rules.Rule(
                name="studio_is_one_row",
                condition=Q(id=1),
                field="name",
                message="There is one studio; edit the row that exists.",
            ),
            rules.filled_rule("studio", "name"),
            rules.Rule(
                name="studio_email_is_an_address",
                condition=Q(email__regex=r"^\S+@\S+\Z"),
                field="email",
                message="Give an e-mail address, for example hello@studio.example.",
            ),
            rules.pattern_rule("studio", "founded", rules.YEAR, optional=True),
            rules.pattern_rule("studio", "country", rules.COUNTRY, optional=True),
            rules.pattern_rule("studio", "github", rules.WEB_ADDRESS, optional=True),
            rules.Rule(
                name="studio_country_name_needs_its_country",
                condition=Q(country_name="") | ~Q(country=""),
                field="country",
                message="Give the country's code beside its name.",
            ),
            rules.Rule(
                name="studio_languages_are_codes",
                condition=Q(languages="") | Q(languages__regex=rules.anchored(rules.LANGUAGE_LIST)),
                field="languages",
                message="Give two-letter language codes, one a line: en, vi.",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def location(self) -> "Studio | None":
        """Itself where it has a country: the contract requires the code in a location."""
        return self if self.country else None


class TeamMember(Content):
    """A person of the studio."""

    NATURAL_KEY = ("handle",)

    handle = Line(
        max_length=40,
        unique=True,
        validators=[rules.matches(rules.SLUG)],
        help_text="A short name in lower case, for example linh.",
    )
    position = models.PositiveIntegerField(default=0, db_index=True)
    role_en = Line("role, English", max_length=120)
    role_vi = Line("role, Vietnamese", max_length=120, blank=True)
    description_en = Prose("description, English", blank=True)
    description_vi = Prose("description, Vietnamese", blank=True)

    role = Localized()
    description = Localized()

    objects: ClassVar[ContentManager["TeamMember"]] = ContentManager()

    class Meta:
        ordering = ["position", "handle"]
        constraints = [
            rules.pattern_rule("teammember", "handle", rules.SLUG),
            rules.filled_rule("teammember", "role_en"),
            rules.translation_rule("teammember", "description"),
        ]

    def __str__(self) -> str:
        return self.handle


class Counted(models.TextChoices):
    """What a statistic can count by itself."""

    LIVE_APPS = "live_apps", "Published apps with status live"


class Statistic(Content):
    """A counter of the home page: a number that is typed, or one that is counted."""

    NATURAL_KEY = ("slug",)

    slug = Line("id", max_length=40, unique=True, validators=[rules.matches(rules.SLUG)])
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

    objects: ClassVar[ContentManager["Statistic"]] = ContentManager()

    class Meta:
        ordering = ["position", "slug"]
        constraints = [
            rules.pattern_rule("statistic", "slug", rules.SLUG),
            rules.filled_rule("statistic", "label_en"),
            rules.Rule(
                name="statistic_counts_is_one_of_its_values",
                condition=Q(counts="") | Q(counts__in=Counted.values),
                field="counts",
                message="Choose what is counted, or nothing.",
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


class Page(Content):
    """The text of a standing page."""

    NATURAL_KEY = ("slug",)

    slug = models.CharField(
        "page",
        max_length=40,
        unique=True,
        choices=[(slug, address) for slug, address in addresses.STANDING_PAGES.items()],
    )
    title_en = Line("title, English", max_length=120)
    title_vi = Line("title, Vietnamese", max_length=120, blank=True)
    summary_en = Line("summary, English", max_length=300, blank=True)
    summary_vi = Line("summary, Vietnamese", max_length=300, blank=True)
    body_en = Prose(
        "body, English",
        validators=[safe_markdown],
        help_text="Markdown. The title is the page's heading; sections begin with ##.",
    )
    body_vi = Prose("body, Vietnamese", blank=True, validators=[safe_markdown])

    objects: ClassVar[ContentManager["Page"]] = ContentManager()

    class Meta:
        ordering = ["slug"]
        constraints = [
            rules.Rule(
                name="page_slug_is_a_standing_page",
                condition=Q(slug__in=list(addresses.STANDING_PAGES)),
                field="slug",
                message=f"Choose one of {', '.join(addresses.STANDING_PAGES)}.",
            ),
            rules.filled_rule("page", "title_en"),
            rules.filled_rule("page", "body_en"),
            rules.together_rule("page", "title_vi", "body_vi"),
            rules.translation_rule("page", "summary"),
        ]

    def __str__(self) -> str:
        return addresses.STANDING_PAGES.get(self.slug, self.slug)
