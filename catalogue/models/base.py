"""The base of every content table, with a natural key for fixtures."""

from operator import attrgetter
from typing import Any, ClassVar, Self, TypeVar

from django.db import models
from django.db.models.constants import LOOKUP_SEP

Content_co = TypeVar("Content_co", bound="Content", covariant=True)


class ContentQuerySet(models.QuerySet[Content_co]):
    """Rows that can be found by their natural key."""

    def get_by_natural_key(self, *key: str) -> Content_co:
        return self.get(**dict(zip(self.model.NATURAL_KEY, key, strict=True)))


class Content(models.Model):
    """A row of the catalogue; its natural key is most often its slug."""

    NATURAL_KEY: ClassVar[tuple[str, ...]] = ("slug",)

    class Meta:
        abstract = True

    def natural_key(self) -> tuple[Any, ...]:
        paths = (name.replace(LOOKUP_SEP, ".") for name in self.NATURAL_KEY)
        return tuple(attrgetter(path)(self) for path in paths)


class Table(Content):
    """A row of a table without its own queryset."""

    objects: ClassVar[models.Manager[Self]] = ContentQuerySet.as_manager()

    class Meta:
        abstract = True
