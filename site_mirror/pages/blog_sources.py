"""Sources of the pages of the blog: a page for each post, year and tag of a language."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import Any, ClassVar
from zlib import crc32

from catalogue import questions
from catalogue.localized import ENGLISH, LANGUAGES
from catalogue.models import App, Post, Tag
from catalogue.models.post import FETCHED_TAGS
from catalogue.questions import PostName
from site_mirror.context import Context
from site_mirror.pages.blog import Placed, Tagged, Year
from site_mirror.pages.texts import written
from site_mirror.shelf import TAG, YEAR, shelf


@dataclass(frozen=True, slots=True)
class Years:
    """Of a page for each year that has posts in a language."""

    language: str
    long: ClassVar[bool] = True

    def all(self, context: Context) -> Iterator[Year]:
        posts = shelf(context)
        for year in posts.years(self.language):
            yield Year(year, posts.cards((self.language, YEAR, year)))

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
    long: ClassVar[bool] = True

    def all(self, context: Context) -> Iterator[Tagged]:
        posts = shelf(context)
        for key, tag in questions.tags_by_key().items():
            if posts.count((self.language, TAG, key)):
                yield Tagged(tag, posts.cards((self.language, TAG, key)))

    def one(self, context: Context, slug: str) -> Tagged | None:
        tag = questions.tags(context.at, language=self.language).filter(slug=slug).first()
        if tag is None:
            return None
        return Tagged(tag, list(questions.posts_of_tag(context.at, tag, language=self.language)))


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

    def packs(self, context: Context) -> Iterator["Pack"]:
        """Every article, each pack to be opened where its documents are made."""
        at = context.at
        shared = Shared(questions.apps_by_key(at), questions.tags_by_key())
        beside, tags = neighbours(questions.post_names(at)), shelf(context).tags
        for rows in packed(questions.post_values(at)):
            named = [(row, tags.get(row[KEY], ()), *next(beside)) for row in rows]
            yield Pack(shared, named)

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

KEY, SLUG = (questions.POST_COLUMNS.index(name) for name in ("id", "slug"))
LONGEST = 200
"""Posts in a pack, at most."""
ENDS = 64
"""One in so many posts ends a pack, which one is in its slug: an edit moves no other limit."""


@dataclass(frozen=True, slots=True)
class Shared:
    """The apps and the tags of all posts, by key."""

    apps: Mapping[int, App]
    tags: Mapping[int, Tag]


Named = tuple[tuple[Any, ...], Sequence[int], Beside, Beside]
"""The values of a post, the keys of its tags, and the names of its neighbours."""


@dataclass(frozen=True, slots=True)
class Pack:
    """Articles as values of the database: cheap to read, to digest and to hand over."""

    shared: Shared
    rows: Sequence[Named]

    def __iter__(self) -> Iterator[Article]:
        apps, tags = self.shared.apps, self.shared.tags
        for values, keys, newer, older in self.rows:
            post = Post.from_db("default", questions.POST_COLUMNS, values)
            setattr(post, FETCHED_TAGS, sorted(map(tags.__getitem__, keys), key=attrgetter("slug")))
            yield Article(post, apps.get(post.app_id or 0), newer, older)


def packed(rows: Iterable[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    pack: list[tuple[Any, ...]] = []
    for row in rows:
        pack.append(row)
        if len(pack) == LONGEST or crc32(row[SLUG].encode()) % ENDS == 0:
            yield pack
            pack = []
    if pack:
        yield pack


def neighbours(names: Iterable[PostName]) -> Iterator[tuple[Beside, Beside]]:
    """For every post, the ones before and after it in each language."""
    listed = list(names)
    after: dict[str, PostName | None] = dict.fromkeys(LANGUAGES)
    older: list[Beside] = []
    for name in reversed(listed):
        older.append(dict(after))
        after |= dict.fromkeys(languages_of(name), name)
    before: dict[str, PostName | None] = dict.fromkeys(LANGUAGES)
    for name, following in zip(listed, reversed(older), strict=True):
        yield dict(before), following
        before |= dict.fromkeys(languages_of(name), name)


def languages_of(name: PostName) -> list[str]:
    return [language for language in LANGUAGES if written(name, "title", language)]
