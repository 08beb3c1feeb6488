"""Queries of a freeze for all rows at once.

They return plain values, because reading ten thousand rows as objects takes seconds.
"""

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Any

from django.utils import timezone
from msgspec import Struct

from catalogue.collation import bytewise
from catalogue.models import Post, Tag
from catalogue.models.workflow import content_changed_at

POST_COLUMNS = tuple(field.attname for field in Post._meta.concrete_fields)


def all_post_values(at: datetime) -> Iterator[tuple[Any, ...]]:
    """Yield the values of `POST_COLUMNS` of every published post, the newest first."""
    rows = Post.objects.published(at=at).newest_first().values_list(*POST_COLUMNS)
    return iter(rows.iterator(chunk_size=500))


def post_values(keys: Sequence[int]) -> list[tuple[Any, ...]]:
    """Return the values of `POST_COLUMNS` of posts, in the order of `keys`."""
    rows = Post.objects.filter(pk__in=keys).values_list("pk", *POST_COLUMNS)
    by_key = {key: tuple(values) for key, *values in rows}
    return [by_key[key] for key in keys]


class PostName(Struct, frozen=True):
    """The values of a post that a link to it shows."""

    slug: str
    title_en: str
    title_vi: str


class PostCard(Struct, frozen=True, gc=False):
    """The values of a post that lists show."""

    slug: str
    title_en: str
    title_vi: str
    excerpt_en: str
    excerpt_vi: str
    publish_at: datetime
    edited_at: datetime | None
    date: date

    @property
    def changed_at(self) -> datetime | None:
        return content_changed_at(self.publish_at, self.edited_at)

    @property
    def name(self) -> PostName:
        return PostName(self.slug, self.title_en, self.title_vi)


def post_cards(at: datetime) -> Iterator[tuple[int, PostCard]]:
    """Yield every published post with its key, the newest first."""
    zone = timezone.get_current_timezone()
    columns = PostCard.__struct_fields__[:-1]
    rows = Post.objects.published(at=at).newest_first().values_list("pk", *columns)
    appeared = columns.index("publish_at")
    for key, *values in rows.iterator(chunk_size=500):
        yield key, PostCard(*[*values, values[appeared].astimezone(zone).date()])


def tags_by_key() -> dict[int, Tag]:
    """Return every tag by its key, in the order of the slugs."""
    return {tag.pk: tag for tag in Tag.objects.order_by(bytewise("slug"))}


def tags_by_post() -> dict[int, tuple[int, ...]]:
    """Return the keys of tags by the key of their post, in ascending order.

    Posts without tags are left out. Posts with the same tags share one tuple, to save memory.
    """
    through = Post.tags.through.objects.order_by("tag_id")
    by_post: dict[int, tuple[int, ...]] = {}
    shared: dict[tuple[int, ...], tuple[int, ...]] = {}
    for post, tag in through.values_list("post_id", "tag_id").iterator(chunk_size=2000):
        tags = (*by_post.get(post, ()), tag)
        by_post[post] = shared.setdefault(tags, tags)
    return by_post
