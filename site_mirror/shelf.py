"""All posts in short, read once for all that lists them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from catalogue import questions
from catalogue.questions import PostCard
from site_mirror.context import Context
from site_mirror.pages.texts import written


@dataclass(frozen=True, slots=True)
class Shelf:
    """Posts, the newest first, and those of each tag by its key."""

    posts: tuple[PostCard, ...]
    by_tag: Mapping[int, tuple[PostCard, ...]]


@lru_cache(maxsize=1)
def shelf(context: Context) -> Shelf:
    cards = questions.post_cards(context.at)
    order = {key: place for place, key in enumerate(cards)}
    tagged: dict[int, list[int]] = {}
    for tag, post in questions.posts_by_tag():
        if post in order:
            tagged.setdefault(tag, []).append(post)
    by_tag = {
        tag: tuple(cards[post] for post in sorted(posts, key=order.__getitem__))
        for tag, posts in tagged.items()
    }
    return Shelf(tuple(cards.values()), by_tag)


@dataclass(frozen=True, slots=True)
class Shelved:
    """As a source: the posts of a language in short."""

    language: str

    def all(self, context: Context) -> Iterator[PostCard]:
        return (card for card in shelf(context).posts if written(card, "title", self.language))

    def one(self, context: Context, slug: str) -> PostCard | None:
        return next((card for card in self.all(context) if card.slug == slug), None)
