"""The texts of the standing pages."""

from django.db import models
from django.db.models import Q

from catalogue import addresses, rules
from catalogue.models.base import Table
from catalogue.texts.fields import Line, Prose
from catalogue.texts.limits import MARKDOWN_LENGTH
from catalogue.texts.markdown_rules import validate_markdown
from catalogue.texts.shown_images import ShownImage


class Page(Table):
    """The text of a standing page."""

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
        limit=MARKDOWN_LENGTH,
        validators=[validate_markdown],
        help_text="Markdown. The title is the page's heading; sections begin with ##. "
        "{site} becomes the address of the site.",
    )
    body_vi = Prose(
        "body, Vietnamese", blank=True, limit=MARKDOWN_LENGTH, validators=[validate_markdown]
    )
    shown_images: tuple[ShownImage, ...] = ()
    """The images of the texts, from `catalogue.todays_links`."""

    class Meta:
        ordering = ["slug"]
        constraints = [
            rules.length_rule("page", MARKDOWN_LENGTH, "body_en", "body_vi"),
            rules.Rule(
                name="page_slug_is_a_standing_page",
                condition=Q(slug__in=list(addresses.STANDING_PAGES)),
                field="slug",
                message=f"Choose one of {', '.join(addresses.STANDING_PAGES)}.",
            ),
            *rules.filled_rules("page", "title_en", "body_en"),
            rules.together_rule("page", "title_vi", "body_vi"),
            rules.translation_rule("page", "summary"),
        ]

    def __str__(self) -> str:
        return addresses.STANDING_PAGES.get(self.slug, self.slug)
