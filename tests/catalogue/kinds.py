"""The tables whose old slugs are remembered."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.db.models import Model

from catalogue.models import App, FormerAppSlug, FormerPostSlug, Post
from tests.rows import make_app, make_post


@dataclass(frozen=True, slots=True)
class Kind:
    """A table with slugs, and the table that remembers its old ones."""

    make: Callable[..., Any]
    model: type[Model]
    memory: type[Model]
    owner: str

    def remembered(self) -> dict[str, int]:
        """Former slug → primary key of the row that it leads to."""
        return dict(self.memory._default_manager.values_list("slug", f"{self.owner}_id"))

    def rename(self, row: Any, slug: str) -> None:
        self.model._default_manager.filter(pk=row.pk).update(slug=slug)


APPS = Kind(make_app, App, FormerAppSlug, "app")


POSTS = Kind(make_post, Post, FormerPostSlug, "post")


KINDS = pytest.mark.parametrize("kind", [APPS, POSTS], ids=["app", "post"])
