"""Slugs that apps and posts once had: each redirects to the row that had it.

The rows are kept by the database itself (see `catalogue.triggers`), in the transaction that
changes a slug, whatever changes it. A former slug names a row, never another slug, so a chain
is one step long and a loop cannot be written down.
"""

from typing import ClassVar

from django.db import models

from catalogue import rules
from catalogue.fields import Line
from catalogue.models.app import App
from catalogue.models.base import Content, ContentManager
from catalogue.models.post import Post


class FormerAppSlug(Content):
    """An id that an app once had."""

    NATURAL_KEY = ("slug",)

    slug = Line(max_length=40, unique=True, validators=[rules.matches(rules.SLUG)])
    app = models.ForeignKey(App, on_delete=models.CASCADE, related_name="former_slugs")

    objects: ClassVar[ContentManager["FormerAppSlug"]] = ContentManager()

    class Meta:
        ordering = ["slug"]
        constraints = [rules.pattern_rule("formerappslug", "slug", rules.SLUG)]

    def __str__(self) -> str:
        return self.slug

    @property
    def today(self) -> str:
        """The slug that the row has now."""
        return self.app.slug


class FormerPostSlug(Content):
    """A slug that a post once had."""

    NATURAL_KEY = ("slug",)

    slug = Line(max_length=80, unique=True, validators=[rules.matches(rules.SLUG)])
    post = models.ForeignKey(Post, on_delete=models.CASCADE, related_name="former_slugs")

    objects: ClassVar[ContentManager["FormerPostSlug"]] = ContentManager()

    class Meta:
        ordering = ["slug"]
        constraints = [rules.pattern_rule("formerpostslug", "slug", rules.SLUG)]

    def __str__(self) -> str:
        return self.slug

    @property
    def today(self) -> str:
        """The slug that the row has now."""
        return self.post.slug
