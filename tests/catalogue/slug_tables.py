"""The tables with former slugs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.db.models import Model

from catalogue.models import App, FormerAppSlug, FormerPostSlug, Post
from tests.factories import make_app, make_post


@dataclass(frozen=True, slots=True)
class SlugTable:
    """A table with slugs, and the table of its former slugs."""

    make: Callable[..., Any]
    model: type[Model]
    memory: type[Model]
    owner: str

    def remembered(self) -> dict[str, int]:
        """Return the primary key of the row to which each former slug leads."""
        return dict(self.memory._default_manager.values_list("slug", f"{self.owner}_id"))

    def rename(self, row: Any, slug: str) -> None:
        self.model._default_manager.filter(pk=row.pk).update(slug=slug)


APPS = SlugTable(make_app, App, FormerAppSlug, "app")


POSTS = SlugTable(make_post, Post, FormerPostSlug, "post")


EACH_SLUG_TABLE = pytest.mark.parametrize("kind", [APPS, POSTS], ids=["app", "post"])
