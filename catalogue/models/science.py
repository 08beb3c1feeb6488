"""Science topics and the studio's principles."""

from django.db import models

from catalogue import rules
from catalogue.models.app import App
from catalogue.models.base import Table
from catalogue.models.workflow import Publishable, PublishableQuerySet, workflow_rules
from catalogue.texts.fields import Line, Prose
from catalogue.texts.limits import PLAIN_LENGTH
from catalogue.texts.localized import Localized
from catalogue.texts.markdown_rules import validate_formula

FETCHED_APPS = "shown_apps"


class ScienceTopic(Publishable):
    """A discipline, its governing formula and what the formula means."""

    slug = Line("short name", max_length=60, unique=True)
    position = models.PositiveIntegerField(default=0, db_index=True)
    name_en = Line("name, English", max_length=80)
    name_vi = Line("name, Vietnamese", max_length=80, blank=True)
    formula_text = Line(max_length=200, help_text="One line of Unicode, for example v = f λ.")
    formula_latex = Line(
        "formula, LaTeX",
        max_length=300,
        validators=[validate_formula],
        help_text=r"The same in LaTeX, for example v = f \lambda.",
    )
    explanation_en = Prose("explanation, English", help_text="Plain language, plain text.")
    explanation_vi = Prose("explanation, Vietnamese", blank=True)
    apps = models.ManyToManyField(App, blank=True, related_name="science_topics")

    name = Localized()
    explanation = Localized()
    shown_apps: list[App]
    """The apps that readers may see, from `questions.science_topics`."""

    objects = PublishableQuerySet["ScienceTopic"].as_manager()

    class Meta:
        ordering = ["position", "slug"]
        constraints = [
            *workflow_rules("sciencetopic"),
            rules.length_rule("sciencetopic", PLAIN_LENGTH, "explanation_en", "explanation_vi"),
            rules.pattern_rule("sciencetopic", "slug", rules.SLUG),
            *rules.filled_rules(
                "sciencetopic", "name_en", "formula_text", "formula_latex", "explanation_en"
            ),
        ]

    def __str__(self) -> str:
        return self.name_en

    @property
    def app_slugs(self) -> list[str]:
        return [app.slug for app in self.shown_apps]


class Symbol(Table):
    """A symbol of a topic's formula."""

    NATURAL_KEY = ("topic__slug", "symbol")

    topic = models.ForeignKey(ScienceTopic, on_delete=models.CASCADE, related_name="symbols")
    position = models.PositiveIntegerField(default=0, db_index=True)
    symbol = Line(max_length=20)
    meaning_en = Line("meaning, English", max_length=160)
    meaning_vi = Line("meaning, Vietnamese", max_length=160, blank=True)
    unit = Line(max_length=30, blank=True, help_text="Empty for a pure number.")

    meaning = Localized()

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            rules.UniqueRule(
                name="symbol_is_explained_once_a_topic",
                fields=["topic", "symbol"],
                field="symbol",
                message="This topic explains the symbol already.",
            ),
            *rules.filled_rules("symbol", "symbol", "meaning_en"),
        ]

    def __str__(self) -> str:
        return self.symbol


class Principle(Publishable):
    """A rule that the studio's products keep."""

    slug = Line("short name", max_length=60, unique=True)
    position = models.PositiveIntegerField(default=0, db_index=True)
    title_en = Line("title, English", max_length=120)
    title_vi = Line("title, Vietnamese", max_length=120, blank=True)
    statement_en = Prose("statement, English")
    statement_vi = Prose("statement, Vietnamese", blank=True)

    title = Localized()
    statement = Localized()

    objects = PublishableQuerySet["Principle"].as_manager()

    class Meta:
        ordering = ["position", "slug"]
        constraints = [
            *workflow_rules("principle"),
            rules.length_rule("principle", PLAIN_LENGTH, "statement_en", "statement_vi"),
            rules.pattern_rule("principle", "slug", rules.SLUG),
            *rules.filled_rules("principle", "title_en", "statement_en"),
        ]

    def __str__(self) -> str:
        return self.title_en
