"""All posts in short, read once for all that lists them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from catalogue import questions
from catalogue.questions import PostCard
from site_mirror.context import Context
from site_mirror.pages.texts import written


@dataclass(frozen=True, slots=True)
class Shelf:
    """Posts by their keys, the newest first, those of each tag, and the tags of each post."""

    cards: Mapping[int, PostCard]
    by_tag: Mapping[int, Sequence[PostCard]]
    tags: Mapping[int, Sequence[int]]

    @property
    def posts(self) -> Iterable[PostCard]:
        return self.cards.values()


@lru_cache(maxsize=1)
def shelf(context: Context) -> Shelf:
    cards = questions.post_cards(context.at)
    tags = questions.tags_by_post()
    by_tag: dict[int, list[PostCard]] = {}
    for key, card in cards.items():
        for tag in tags.get(key, ()):
            by_tag.setdefault(tag, []).append(card)
    return Shelf(cards, by_tag, tags)


@dataclass(frozen=True, slots=True)
class Shelved:
    """As a source: the posts of a language in short."""

    language: str

    def all(self, context: Context) -> Iterator[PostCard]:
        return (card for card in shelf(context).posts if written(card, "title", self.language))

    def one(self, context: Context, slug: str) -> PostCard | None:
        return next((card for card in self.all(context) if card.slug == slug), None)
