"""Sources of the pages of the blog: a page for each post, year and tag of a language."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain, islice
from math import inf
from operator import attrgetter
from secrets import token_hex
from typing import Any
from zlib import crc32

from catalogue import questions
from catalogue.localized import ENGLISH, LANGUAGES
from catalogue.models import App, Post, Tag
from catalogue.models.post import FETCHED_TAGS
from catalogue.questions import PostName
from catalogue.stamps import stamps
from site_mirror.context import Context
from site_mirror.pages.blog import Index, Placed, Tagged, Year
from site_mirror.pages.texts import written
from site_mirror.shelf import TAG, YEAR, Shelf, shelf


@dataclass(frozen=True, slots=True)
class Years:
    """Of a page for each year that has posts in a language."""

    language: str

    def all(self, context: Context) -> Iterator[Year]:
        return self.within(context, 1, inf)

    def within(self, context: Context, least: int, most: float) -> Iterator[Year]:
        posts = shelf(context)
        for year in posts.years(self.language):
            label = (self.language, YEAR, year)
            if least <= posts.count(label) <= most:
                yield Year(year, posts.cards(label))

    def one(self, context: Context, slug: str) -> Year | None:
        if not (slug.isdecimal() and len(slug) == len("2026")):
            return None
        posts = self.posts(context, int(slug))
        return Year(int(slug), posts) if posts else None

    def posts(self, context: Context, year: int) -> list[Post]:
        return list(questions.posts_of_year(context.at, year, language=self.language))


@dataclass(frozen=True, slots=True)
class Tags:
    """Of a page for each tag that has posts in a language."""

    language: str

    def all(self, context: Context) -> Iterator[Tagged]:
        return self.within(context, 1, inf)

    def within(self, context: Context, least: int, most: float) -> Iterator[Tagged]:
        posts = shelf(context)
        for key, tag in questions.tags_by_key().items():
            label = (self.language, TAG, key)
            if least <= posts.count(label) <= most:
                yield Tagged(tag, posts.cards(label))

    def one(self, context: Context, slug: str) -> Tagged | None:
        tag = questions.tags(context.at, language=self.language).filter(slug=slug).first()
        if tag is None:
            return None
        return Tagged(tag, list(questions.posts_of_tag(context.at, tag, language=self.language)))


NEWEST = 20
"""Articles on the first page of the blog."""


@dataclass(frozen=True, slots=True)
class FirstPage:
    """Of the first page of the blog: a freeze counts what it has read anyway."""

    language: str

    def all(self, context: Context) -> Iterator[Index]:
        posts, language = shelf(context), self.language
        years = ((year, posts.count((language, YEAR, year))) for year in posts.years(language))
        tags = (
            (tag, count)
            for key, tag in questions.tags_by_key().items()
            if (count := posts.count((language, TAG, key)))
        )
        return self.index(context.at, years, tags)

    def one(self, context: Context, slug: str) -> Index | None:
        at, language = context.at, self.language
        tags = questions.tags(at, language=language)
        counted = ((tag, getattr(tag, questions.POSTS)) for tag in tags)
        return next(self.index(at, questions.years(at, language=language), counted), None)

    def index(
        self, at: datetime, years: Iterable[tuple[int, int]], tags: Iterable[tuple[Tag, int]]
    ) -> Iterator[Index]:
        """None where nobody has written the page."""
        newest = questions.post_titles_in(at, language=self.language)[:NEWEST]
        for text in questions.page(at, slug="blog", language=self.language):
            yield Index(text, list(newest), list(years), list(tags))


@dataclass(frozen=True, slots=True)
class Article:
    """A post for its API document and for its page in every language."""

    post: Post
    app: App | None
    newer: Mapping[str, PostName | Post | None]
    older: Mapping[str, PostName | Post | None]

    @property
    def slug(self) -> str:
        return self.post.slug

    def in_language(self, language: str) -> Placed | None:
        """What the page in a language is made of, if the post is written in it."""
        if not written(self.post, "body", language):
            return None
        return Placed(self.post, self.app, self.newer[language], self.older[language])


@dataclass(frozen=True, slots=True)
class Articles:
    """Of the documents of every post."""

    def all(self, context: Context) -> Iterator[Article]:
        return chain.from_iterable(self.packs(context))

    def packs(self, context: Context, *, read: bool = True) -> Iterator["Pack"]:
        """Every article, each pack to be opened where its documents are made.

        With `read` all values are read at once, without it those of a pack when it is filled.
        """
        at = context.at
        shared = Shared(questions.apps_by_key(at), questions.tags_by_key())
        posts, drawn = shelf(context), stamps()
        beside, values = neighbours(posts), questions.post_values(at) if read else None
        for keys in packed(posts):
            stamped = [(drawn.get(key) or unknown(), posts.tags.get(key, ())) for key in keys]
            around = list(islice(beside, len(keys)))
            ends = around[0][0], around[-1][1]
            rows = list(islice(values, len(keys))) if values else None
            yield Pack(shared, stamped, ends, around, keys, rows)

    def one(self, context: Context, slug: str) -> Article | None:
        at = context.at
        post = questions.posts_in(at, language=ENGLISH).filter(slug=slug).first()
        if post is None:
            return None
        return Article(
            post,
            questions.apps_by_key(at).get(post.app_id or 0),
            newer={lang: questions.newer_post(at, post, language=lang) for lang in LANGUAGES},
            older={lang: questions.older_post(at, post, language=lang) for lang in LANGUAGES},
        )


Beside = Mapping[str, PostName | None]
Sides = tuple[Beside, Beside]
"""What is before a post and what is after it, by language."""

LONGEST = 200
"""Posts in a pack, at most."""
ENDS = 64
"""One in so many posts ends a pack, which one is in its slug: an edit moves no other limit."""


@dataclass(frozen=True, slots=True)
class Shared:
    """The apps and the tags of all posts, by key."""

    apps: Mapping[int, App]
    tags: Mapping[int, Tag]


@dataclass(frozen=True, slots=True)
class Pack:
    """Articles as values of the database: cheap to read, to digest and to hand over.

    `stamped` has the stamp of each post and the keys of its tags, `ends` what is beside the first
    and the last of them, `around` what is beside each: all of that is known without the values,
    which the stamps stand for.
    """

    shared: Shared
    stamped: Sequence[tuple[str, Sequence[int]]]
    ends: Sides
    around: Sequence[Sides] = field(compare=False)
    keys: Sequence[int] = field(compare=False)
    values: Sequence[tuple[Any, ...]] | None = field(default=None, compare=False)

    def filled(self) -> "Pack":
        """Itself with its values; asks the database unless it has them."""
        return self if self.values else replace(self, values=questions.post_values_of(self.keys))

    def contents(self) -> list[Any]:
        """All that its documents are made of, whichever database it was read from."""
        return [self.shared, *self.rows()]

    def rows(self) -> Iterator[tuple[tuple[Any, ...], Sequence[int], Sides]]:
        """The values of each post, the keys of its tags, and what is beside it."""
        values = self.filled().values or ()
        for row, (_, tags), sides in zip(values, self.stamped, self.around, strict=True):
            yield row, tags, sides

    def __iter__(self) -> Iterator[Article]:
        apps, tags = self.shared.apps, self.shared.tags
        for values, keys, (newer, older) in self.rows():
            post = Post.from_db("default", questions.POST_COLUMNS, values)
            setattr(post, FETCHED_TAGS, sorted(map(tags.__getitem__, keys), key=attrgetter("slug")))
            yield Article(post, apps.get(post.app_id or 0), newer, older)


def unknown() -> str:
    """The stamp of a post that has none: it is the same as no other."""
    return token_hex()


def packed(posts: Shelf) -> Iterator[list[int]]:
    """The keys of posts, some at a time."""
    pack: list[int] = []
    for number, key in enumerate(posts.keys):
        pack.append(key)
        if len(pack) == LONGEST or crc32(posts.name(number).slug.encode()) % ENDS == 0:
            yield pack
            pack = []
    if pack:
        yield pack


def neighbours(posts: Shelf) -> Iterator[Sides]:
    """For every post, the ones before and after it in each language."""
    for number in range(len(posts.keys)):
        newer = {language: posts.newer(number, language) for language in LANGUAGES}
        yield newer, {language: posts.older(number, language) for language in LANGUAGES}
