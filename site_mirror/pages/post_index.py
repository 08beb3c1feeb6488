"""The post index: titles, excerpts and moments of all posts, read once for all lists of posts."""

from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache, partial

from msgspec import Struct
from msgspec.structs import replace

from catalogue import bulk
from catalogue.bulk import PostCard, PostName
from catalogue.localized import LANGUAGES
from site_mirror.documents.context import Context
from site_mirror.pages.cards import MAX_CARDS
from site_mirror.pages.texts import has_text

ListLabel = tuple[str, str, int]
"""A list of posts, as its language, its kind, and its year or the key of its tag."""
ALL, YEAR, TAG = "all", "year", "tag"
"""The kinds of lists."""


class PostCards(Struct, frozen=True):
    """The cards of a list of posts, without excerpts if the list is too long to show them.

    `languages` are those in which at least one of the posts is written.
    """

    cards: Sequence[PostCard]
    languages: frozenset[str]

    def __len__(self) -> int:
        return len(self.cards)

    def __iter__(self) -> Iterator[PostCard]:
        return iter(self.cards)


class PostIndex(Struct, frozen=True):
    """All published posts, the newest first.

    `lists` has the positions of the posts of each list, `changed` the moment of the last change of
    one of them. `tags` has the keys of the tags of each post, by the post's key.
    """

    keys: Sequence[int]
    cards: Sequence[PostCard]
    lists: Mapping[ListLabel, Sequence[int]]
    changed: Mapping[ListLabel, datetime]
    tags: Mapping[int, Sequence[int]]

    def newer(self, position: int, language: str) -> PostName | None:
        """Return the post before this one in the list of a language."""
        posts = self.lists.get((language, ALL, 0), ())
        return self.name_in(posts, bisect_left(posts, position) - 1)

    def older(self, position: int, language: str) -> PostName | None:
        """Return the post after this one in the list of a language."""
        posts = self.lists.get((language, ALL, 0), ())
        return self.name_in(posts, bisect_right(posts, position))

    def name_in(self, posts: Sequence[int], number: int) -> PostName | None:
        return self.cards[posts[number]].name if 0 <= number < len(posts) else None

    def count(self, label: ListLabel) -> int:
        return len(self.lists.get(label, ()))

    def several(self, label: ListLabel) -> Sequence[PostCard]:
        return [self.cards[position] for position in self.lists.get(label, ())]

    def list_of(self, label: ListLabel) -> PostCards:
        cards = self.several(label)
        if len(cards) > MAX_CARDS:
            cards = [replace(c, excerpt_en="", excerpt_vi="", edited_at=None) for c in cards]
        languages = frozenset(language for language in LANGUAGES if self.has_post(label, language))
        return PostCards(cards, languages)

    def has_post(self, label: ListLabel, language: str) -> bool:
        """Whether at least one post of a list is written in a language."""
        posts = self.lists.get(label, ())
        if language == label[0]:
            return bool(posts)
        return not set(self.lists.get((language, *label[1:]), ())).isdisjoint(posts)

    def years(self, language: str) -> list[int]:
        """Return the years with posts in a language, the newest first."""
        return [year for each, kind, year in self.lists if (each, kind) == (language, YEAR)]


@lru_cache(maxsize=1)
def post_index(context: Context) -> PostIndex:
    tags, keys, cards = bulk.tags_by_post(), array("Q"), list[PostCard]()
    lists: dict[ListLabel, array[int]] = defaultdict(partial(array, "L"))
    changed: dict[ListLabel, datetime] = {}
    for position, (key, card) in enumerate(bulk.post_cards(context.at)):
        moment = card.changed_at or card.publish_at
        for language in LANGUAGES:
            if has_text(card, "title", language):
                for label in labels_of_post(language, card.date.year, tags.get(key, ())):
                    lists[label].append(position)
                    changed[label] = max(changed.get(label, moment), moment)
        keys.append(key)
        cards.append(card)
    return PostIndex(keys, cards, lists, changed, tags)


@lru_cache(maxsize=5000)
def labels_of_post(language: str, year: int, tags: Sequence[int]) -> Sequence[ListLabel]:
    """Return the lists of a post, cached because many posts share their year and tags."""
    return (language, ALL, 0), (language, YEAR, year), *((language, TAG, tag) for tag in tags)


class PostCardSource(Struct, frozen=True):
    """The source of the cards of all posts in a language."""

    language: str

    def several(self, context: Context) -> Sequence[PostCard]:
        return post_index(context).several((self.language, ALL, 0))

    def all(self, context: Context) -> Iterator[PostCard]:
        return iter(self.several(context))

    def one(self, context: Context, slug: str) -> PostCard | None:
        return next((card for card in self.all(context) if card.slug == slug), None)
