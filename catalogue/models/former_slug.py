"""Slugs under which readers saw a row before.

Triggers (`catalogue.triggers.sql`) write them in the transaction that renames, withdraws or deletes
the row. A former slug refers to a row and not to another slug, so a redirect has one step and
cannot be a loop. One without an owner is retired: its row was deleted, or an editor ended the
redirect.
"""

from typing import Any

from django.db import models

from catalogue import rules
from catalogue.models.app import App
from catalogue.models.base import Content, Table
from catalogue.models.post import Post, Tag
from catalogue.texts.fields import Line


class FormerSlug(Table):
    """A former slug, and the row that had it as its `owner`."""

    slug = Line(max_length=80, unique=True)
    owner: Any

    class Meta:
        abstract = True
        ordering = ["slug"]
        constraints = [rules.pattern_rule("%(class)s", "slug", rules.SLUG)]

    def __str__(self) -> str:
        return self.slug

    @property
    def today(self) -> str:
        """The slug that the owner has now."""
        return str(self.owner.slug)


def owner_key(model: type[Content]) -> Any:
    return models.ForeignKey(
        model, null=True, on_delete=models.SET_NULL, related_name="former_slugs"
    )


class FormerAppSlug(FormerSlug):
    """A former id of an app."""

    owner = owner_key(App)


class FormerPostSlug(FormerSlug):
    """A former slug of a post."""

    owner = owner_key(Post)


class FormerTagSlug(FormerSlug):
    """A former slug of a tag."""

    owner = owner_key(Tag)
