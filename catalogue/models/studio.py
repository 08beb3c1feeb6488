"""The studio and its people."""

from django.core.validators import EmailValidator
from django.db import models
from django.db.models import Q

from catalogue import rules
from catalogue.models.base import Table
from catalogue.models.countries import COUNTRY_CODES
from catalogue.texts.fields import Line, Lines, Prose
from catalogue.texts.limits import PLAIN_LENGTH
from catalogue.texts.localized import Localized


class Studio(Table):
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
        help_text="The year, for example 2019.",
    )
    country = Line(
        max_length=2,
        blank=True,
        help_text="Two capital letters from ISO 3166-1, for example VN.",
    )
    country_name = Line(max_length=80, blank=True, help_text="In English, for example Vietnam.")
    email = Line(max_length=254, validators=[EmailValidator()])
    github = Line(
        "GitHub",
        max_length=200,
        blank=True,
        validators=[rules.validate_web_address],
        help_text="Address of the organisation.",
    )
    languages = Lines(
        blank=True,
        help_text="Languages of the site and the apps, one two-letter code a line: en, vi.",
    )
    security_contact = Line(
        max_length=254,
        blank=True,
        help_text="For reports of weaknesses, for example mailto:security@studio.example. "
        "Left empty, it is the e-mail address.",
    )
    security_policy = Line(
        max_length=200,
        blank=True,
        help_text="Where it says how reports are handled: a path of this site, or https://…",
    )
    thanks = Lines(
        blank=True, help_text="Whom /humans.txt thanks, one a line: people, libraries, fonts."
    )

    tagline = Localized()

    class Meta:
        verbose_name_plural = "studio"
        constraints = [
            rules.length_rule(
                "studio",
                PLAIN_LENGTH,
                *("description_en", "description_vi", "languages", "thanks"),
            ),
            rules.Rule(
                name="studio_is_one_row",
                condition=Q(id=1),
                field="name",
                message="There is one studio; edit the row that exists.",
            ),
            *rules.filled_rules("studio", "name"),
            rules.Rule(
                name="studio_email_is_an_address",
                # The format `email` of JSON Schema, which the contract names, allows ASCII only.
                condition=Q(email__regex=r"^[!-~]+@[!-~]+\Z"),
                field="email",
                message="Give an e-mail address in ASCII, with the domain as DNS stores it, for "
                "example hello@xn--mnchen-3ya.example for hello@münchen.example.",
            ),
            rules.pattern_rule("studio", "founded", rules.YEAR, optional=True),
            rules.Rule(
                name="studio_country_is_of_iso_3166",
                condition=Q(country="") | Q(country__in=sorted(COUNTRY_CODES)),
                field="country",
                message="Give the country's two capital letters from ISO 3166-1, for example VN.",
            ),
            rules.pattern_rule("studio", "github", rules.WEB_ADDRESS, optional=True),
            rules.pattern_rule("studio", "security_contact", rules.CONTACT, optional=True),
            rules.pattern_rule(
                "studio", "security_policy", rules.PATH_OR_SECURE_ADDRESS, optional=True
            ),
            rules.Rule(
                name="studio_country_name_needs_its_country",
                condition=Q(country_name="") | ~Q(country=""),
                field="country",
                message="Give the country's code beside its name.",
            ),
            rules.Rule(
                name="studio_languages_are_codes",
                condition=Q(languages="")
                | Q(languages__regex=rules.anchor_pattern(rules.LANGUAGE_LIST)),
                field="languages",
                message="Give two-letter language codes, one a line: en, vi.",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def location(self) -> "Studio | None":
        """The studio itself if it has a country, which the contract requires in a location."""
        return self if self.country else None


class TeamMember(Table):
    """A person of the studio."""

    NATURAL_KEY = ("handle",)

    handle = Line(
        max_length=40,
        unique=True,
        help_text="A short name in lower case, for example linh.",
    )
    name = Line(
        max_length=60,
        blank=True,
        help_text="As pages show it, for example Thảo. Left empty, it is the short name.",
    )
    position = models.PositiveIntegerField(default=0, db_index=True)
    role_en = Line("role, English", max_length=120)
    role_vi = Line("role, Vietnamese", max_length=120, blank=True)
    description_en = Prose("description, English", blank=True)
    description_vi = Prose("description, Vietnamese", blank=True)

    role = Localized()
    description = Localized()

    class Meta:
        ordering = ["position", "handle"]
        constraints = [
            rules.length_rule("teammember", PLAIN_LENGTH, "description_en", "description_vi"),
            rules.pattern_rule("teammember", "handle", rules.SLUG),
            *rules.filled_rules("teammember", "role_en"),
            rules.translation_rule("teammember", "description"),
        ]

    def __str__(self) -> str:
        return self.name or self.handle
