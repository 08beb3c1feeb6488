"""Former slugs of apps and posts, whose addresses redirect to the row.

Triggers (`catalogue.triggers.sql`) write the rows in the transaction that changes a slug. A former
slug refers to a row and not to another slug, so a redirect has one step and cannot be a loop.
"""

from typing import ClassVar

from django.db import models

from catalogue import rules
from catalogue.models.app import App
from catalogue.models.base import Content, ContentManager
from catalogue.models.post import Post
from catalogue.texts.fields import Line


class FormerSlug(Content):
    """A former slug and the row that had it."""

    NATURAL_KEY = ("slug",)

    slug = Line(max_length=80, unique=True, validators=[rules.pattern_validator(rules.SLUG)])

    class Meta:
        abstract = True
        ordering = ["slug"]
        constraints = [rules.pattern_rule("%(class)s", "slug", rules.SLUG)]

    def __str__(self) -> str:
        return self.slug


class FormerAppSlug(FormerSlug):
    """A former id of an app."""

    app = models.ForeignKey(App, on_delete=models.CASCADE, related_name="former_slugs")

    objects: ClassVar[ContentManager["FormerAppSlug"]] = ContentManager()

    @property
    def today(self) -> str:
        """The id that the app has now."""
        return self.app.slug


class FormerPostSlug(FormerSlug):
    """A former slug of a post."""

    post = models.ForeignKey(Post, on_delete=models.CASCADE, related_name="former_slugs")

    objects: ClassVar[ContentManager["FormerPostSlug"]] = ContentManager()

    @property
    def today(self) -> str:
        """The slug that the post has now."""
        return self.post.slug
