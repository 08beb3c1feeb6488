"""Sources of the pages of the blog: a page for each post, year and tag of a language."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, islice
from math import inf
from operator import attrgetter, itemgetter
from secrets import token_hex
from typing import Any
from zlib import crc32

from msgspec import Struct

from catalogue import questions
from catalogue.localized import ENGLISH, LANGUAGES
from catalogue.models import App, Post, Tag
from catalogue.models.post import FETCHED_TAGS
from catalogue.questions import PostName
from catalogue.stamps import stamps
from site_mirror import inputs
from site_mirror.context import Context
from site_mirror.pages.blog import Index, Placed, Tagged, Year
from site_mirror.pages.texts import written
from site_mirror.shelf import TAG, YEAR, Shelf, shelf


class Years(Struct, frozen=True):
    """The source of a page for each year that has posts in a language.

    `dated` years have the moment of their last change, which lists of pages need. Pages do not
    show it, so an edit that changes nothing else does not change them.
    """

    language: str
    dated: bool = False

    def all(self, context: Context) -> Iterator[Year]:
        return self.within(context, 1, inf)

    def within(self, context: Context, least: int, most: float) -> Iterator[Year]:
        posts = shelf(context)
        for year in posts.years(self.language):
            label = (self.language, YEAR, year)
            if least <= posts.count(label) <= most:
                yield Year(year, posts.cards(label), posts.changed[label] if self.dated else None)

    def one(self, context: Context, slug: str) -> Year | None:
        if not (slug.isdecimal() and len(slug) == len("2026")):
            return None
        posts = self.posts(context, int(slug))
        return Year(int(slug), posts) if posts else None

    def posts(self, context: Context, year: int) -> list[Post]:
        return list(questions.posts_of_year(context.at, year, language=self.language))


class Tags(Struct, frozen=True):
    """The source of a page for each tag that has posts in a language; for `dated` see `Years`."""

    language: str
    dated: bool = False

    def all(self, context: Context) -> Iterator[Tagged]:
        return self.within(context, 1, inf)

    def within(self, context: Context, least: int, most: float) -> Iterator[Tagged]:
        posts = shelf(context)
        for key, tag in questions.tags_by_key().items():
            label = (self.language, TAG, key)
            if least <= posts.count(label) <= most:
                yield Tagged(tag, posts.cards(label), posts.changed[label] if self.dated else None)

    def one(self, context: Context, slug: str) -> Tagged | None:
        tag = questions.tags(context.at, language=self.language).filter(slug=slug).first()
        if tag is None:
            return None
        return Tagged(tag, list(questions.posts_of_tag(context.at, tag, language=self.language)))


NEWEST = 20
"""Articles on the first page of the blog."""


class FirstPage(Struct, frozen=True):
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


class Article(Struct, frozen=True):
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


class Articles(Struct, frozen=True):
    """Of the documents of every post."""

    def all(self, context: Context) -> Iterator[Article]:
        return chain.from_iterable(self.packs(context))

    def packs(self, context: Context, *, read: bool = True) -> Iterator["Unread"]:
        """Every article, each pack to be opened where its documents are made.

        With `read` all values are read at once, without it those of a pack when it is filled.
        """
        at, posts, drawn = context.at, shelf(context), stamps()
        shared = shared_at(at)
        values = questions.post_values(at) if read else None
        for lines in packed(posts):
            keys = (posts.keys[line] for line in lines)
            stamped = [(drawn.get(key) or unknown(), posts.tags.get(key, ())) for key in keys]
            rows = list(islice(values, len(lines))) if values else None
            yield Unread(shared, stamped, ends(posts, lines), posts, lines, rows)

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

Values = tuple[Any, ...]
"""Of a post, as `questions.POST_COLUMNS` has them."""
APP = questions.POST_COLUMNS.index("app_id")
OWN = itemgetter(
    *(
        number
        for number, name in enumerate(questions.POST_COLUMNS)
        if name not in inputs.keys_of(Post)
    )
)
"""The values but for keys, which differ between databases that say the same."""

LONGEST = 200
"""Posts in a pack, at most."""
ENDS = 64
"""One in so many posts ends a pack, which one is in its slug: an edit moves no other limit."""


@dataclass(frozen=True, slots=True)
class Shared:
    """The apps and the tags of all posts, by key, and a digest of both."""

    apps: Mapping[int, App] = field(compare=False)
    tags: Mapping[int, Tag] = field(compare=False)
    digest: str

    def tagged(self, keys: Iterable[int]) -> list[Tag]:
        """In the order of their slugs."""
        return sorted(map(self.tags.__getitem__, keys), key=attrgetter("slug"))


def shared_at(at: datetime) -> Shared:
    apps, tags = questions.apps_by_key(at), questions.tags_by_key()
    for row in chain(apps.values(), tags.values()):
        inputs.know(row, inputs.digest(row))
    return Shared(apps, tags, inputs.digest(apps, tags))


@dataclass(frozen=True, slots=True)
class Unread:
    """Articles that are told without their values, for which stamps stand.

    `stamped` has the stamp of each post and the keys of its tags, `ends` what is before the first
    and after the last of them; what is beside the others is among them. They are the `lines` of
    the shelf; `values` are theirs if all posts are read at once.
    """

    shared: Shared
    stamped: Sequence[tuple[str, Sequence[int]]]
    ends: Sides
    posts: Shelf = field(compare=False)
    lines: range = field(compare=False)
    values: Sequence[Values] | None = field(default=None, compare=False)

    def filled(self) -> "Pack":
        """With all values; asks the database unless they are there."""
        values = self.values or questions.post_values_of(self.keys)
        tags = [keys for _, keys in self.stamped]
        around = list(neighbours(self.posts, self.lines))
        told = [
            inputs.digest(OWN(row), self.shared.tagged(keys))
            for row, keys in zip(values, tags, strict=True)
        ]
        return Pack(self.shared, values, told, tags, around)

    @property
    def keys(self) -> Sequence[int]:
        return self.posts.keys[self.lines.start : self.lines.stop]

    def __iter__(self) -> Iterator[Article]:
        return iter(self.filled())


class Pack(Struct, frozen=True):
    """Articles as values of the database: cheap to read, to digest and to hand over.

    `told` has a digest of the values and the tags of each, `tags` the keys of these, `around` what
    is beside each.
    """

    shared: Shared
    values: Sequence[Values]
    told: Sequence[str]
    tags: Sequence[Sequence[int]]
    around: Sequence[Sides]

    def contents(self) -> list[Any]:
        """All that its documents are made of, whichever database it was read from."""
        ends = self.around[0][0], self.around[-1][1]
        return [self.shared, self.told, [row[APP] for row in self.values], ends]

    def __iter__(self) -> Iterator[Article]:
        apps = self.shared.apps
        rows = zip(self.values, self.told, self.tags, self.around, strict=True)
        for values, told, keys, (newer, older) in rows:
            post = Post.from_db("default", questions.POST_COLUMNS, values)
            setattr(post, FETCHED_TAGS, self.shared.tagged(keys))
            inputs.know(post, told)
            yield Article(post, apps.get(post.app_id or 0), newer, older)


def unknown() -> str:
    """The stamp of a post that has none: it is the same as no other."""
    return token_hex()


def packed(posts: Shelf) -> Iterator[range]:
    """Lines of the shelf, some at a time."""
    start = 0
    for number, slug in enumerate(posts.slugs(), 1):
        if number - start == LONGEST or crc32(slug) % ENDS == 0:
            yield range(start, number)
            start = number
    if start < len(posts.keys):
        yield range(start, len(posts.keys))


def ends(posts: Shelf, lines: range) -> Sides:
    """What is before and after posts that follow each other, by language."""
    newer = {language: posts.newer(lines[0], language) for language in LANGUAGES}
    return newer, {language: posts.older(lines[-1], language) for language in LANGUAGES}


def neighbours(posts: Shelf, lines: range) -> Iterator[Sides]:
    """What is before and after each of some posts that follow each other, by language."""
    for sides in zip(*(posts.beside(lines, language) for language in LANGUAGES), strict=True):
        newer, older = zip(*sides, strict=True)
        yield dict(zip(LANGUAGES, newer, strict=True)), dict(zip(LANGUAGES, older, strict=True))
