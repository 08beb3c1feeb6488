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


class FormerSlug(Content):
    """A slug that is free again, and the row that had it."""

    NATURAL_KEY = ("slug",)

    slug = Line(max_length=80, unique=True, validators=[rules.matches(rules.SLUG)])

    class Meta:
        abstract = True
        ordering = ["slug"]
        constraints = [rules.pattern_rule("%(class)s", "slug", rules.SLUG)]

    def __str__(self) -> str:
        return self.slug


class FormerAppSlug(FormerSlug):
    """An id that an app once had."""

    app = models.ForeignKey(App, on_delete=models.CASCADE, related_name="former_slugs")

    objects: ClassVar[ContentManager["FormerAppSlug"]] = ContentManager()

    @property
    def today(self) -> str:
        """The id that the app has now."""
        return self.app.slug


class FormerPostSlug(FormerSlug):
    """A slug that a post once had."""

    post = models.ForeignKey(Post, on_delete=models.CASCADE, related_name="former_slugs")

    objects: ClassVar[ContentManager["FormerPostSlug"]] = ContentManager()

    @property
    def today(self) -> str:
        """The slug that the post has now."""
        return self.post.slug
