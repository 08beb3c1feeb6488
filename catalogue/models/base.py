"""The base of every content table, with a natural key for fixtures."""

from operator import attrgetter
from typing import Any, ClassVar, TypeVar

from django.db import models
from django.db.models.constants import LOOKUP_SEP

Content_co = TypeVar("Content_co", bound="Content", covariant=True)


class ContentQuerySet(models.QuerySet[Content_co]):
    """Rows that can be found by their natural key."""

    def get_by_natural_key(self, *key: str) -> Content_co:
        return self.get(**natural_key_filter(self.model, key))


class ContentManager(models.Manager[Content_co]):
    """A manager with natural keys for tables without their own querysets."""

    def get_by_natural_key(self, *key: str) -> Content_co:
        return self.get(**natural_key_filter(self.model, key))


class Content(models.Model):
    """A row of the catalogue."""

    NATURAL_KEY: ClassVar[tuple[str, ...]]

    class Meta:
        abstract = True

    def natural_key(self) -> tuple[Any, ...]:
        paths = (name.replace(LOOKUP_SEP, ".") for name in self.NATURAL_KEY)
        return tuple(attrgetter(path)(self) for path in paths)


def natural_key_filter(model: type[Content], key: tuple[str, ...]) -> dict[str, str]:
    return dict(zip(model.NATURAL_KEY, key, strict=True))
