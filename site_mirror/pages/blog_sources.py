"""Sources of the subjects of the blog: posts, and lists of posts by year and by tag."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import chain, islice
from operator import attrgetter, itemgetter
from typing import Any
from zlib import crc32

from msgspec import Struct

from catalogue import bulk, questions
from catalogue.bulk import PostName
from catalogue.localized import ENGLISH, LANGUAGES
from catalogue.models import App, Post, Tag
from catalogue.models.post import FETCHED_TAGS
from site_mirror.documents import digests
from site_mirror.documents.context import Context
from site_mirror.documents.digests import digest
from site_mirror.pages.blog import BlogIndex, PlacedPost, TagPosts, YearPosts
from site_mirror.pages.post_index import TAG, YEAR, ListLabel, PostIndex, post_index
from site_mirror.pages.texts import has_text


class YearSource(Struct, frozen=True):
    """The source of pages for the years that have posts in a language.

    `dated` years have the moment of their last change, which lists of pages need. Pages do not
    show it, so an edit that changes nothing else does not build them again.
    """

    language: str
    dated: bool = False

    def all(self, context: Context) -> Iterator[YearPosts]:
        return chain.from_iterable(each.load() for each in self.unloaded(context))

    def unloaded(self, context: Context) -> Iterator["UnloadedList"]:
        posts = post_index(context)
        for year in posts.years(self.language):
            yield UnloadedList(
                posts, (self.language, YEAR, year), partial(YearPosts, year), self.dated
            )

    def one(self, context: Context, slug: str) -> YearPosts | None:
        if not (slug.isdecimal() and len(slug) == len("2026")):
            return None
        posts = self.posts(context, int(slug))
        return YearPosts(int(slug), posts) if posts else None

    def posts(self, context: Context, year: int) -> list[Post]:
        return list(questions.posts_of_year(context.at, year, language=self.language))


class TagSource(Struct, frozen=True):
    """The source of pages for the tags that have posts in a language; see `YearSource`."""

    language: str
    dated: bool = False

    def all(self, context: Context) -> Iterator[TagPosts]:
        return chain.from_iterable(each.load() for each in self.unloaded(context))

    def unloaded(self, context: Context) -> Iterator["UnloadedList"]:
        posts = post_index(context)
        for key, tag in bulk.tags_by_key().items():
            label = (self.language, TAG, key)
            if posts.count(label):
                yield UnloadedList(posts, label, partial(TagPosts, tag), self.dated)

    def one(self, context: Context, slug: str) -> TagPosts | None:
        tag = questions.tags(context.at, language=self.language).filter(slug=slug).first()
        if tag is None:
            return None
        return TagPosts(tag, list(questions.posts_of_tag(context.at, tag, language=self.language)))


class UnloadedList(Struct, frozen=True):
    """A list of posts whose subject is made when it is loaded."""

    posts: PostIndex
    label: ListLabel
    make: Callable[..., Any]
    dated: bool
    version: str = ""

    def load(self) -> list[Any]:
        changed = self.posts.changed[self.label] if self.dated else None
        return [self.make(self.posts.list_of(self.label), changed)]


MAX_NEWEST_ARTICLES = 20
"""Articles on the first page of the blog."""


class FirstPageSource(Struct, frozen=True):
    """The source of the first page of the blog.

    A freeze counts posts in the post index, which it has read; a request asks the database.
    """

    language: str

    def all(self, context: Context) -> Iterator[BlogIndex]:
        posts, language = post_index(context), self.language
        years = ((year, posts.count((language, YEAR, year))) for year in posts.years(language))
        tags = (
            (tag, count)
            for key, tag in bulk.tags_by_key().items()
            if (count := posts.count((language, TAG, key)))
        )
        return self.index(context.at, years, tags)

    def one(self, context: Context, slug: str) -> BlogIndex | None:
        at, language = context.at, self.language
        tags = questions.tags(at, language=language)
        counted = ((tag, getattr(tag, questions.POST_COUNT)) for tag in tags)
        return next(self.index(at, questions.years(at, language=language), counted), None)

    def index(
        self, at: datetime, years: Iterable[tuple[int, int]], tags: Iterable[tuple[Tag, int]]
    ) -> Iterator[BlogIndex]:
        """Yield the subject, or nothing if there is no text for the page."""
        newest = questions.post_titles_in(at, language=self.language)[:MAX_NEWEST_ARTICLES]
        for text in questions.page(at, slug="blog", language=self.language):
            yield BlogIndex(text, list(newest), list(years), list(tags))


class Article(Struct, frozen=True):
    """A post for its API document and for its page in every language."""

    post: Post
    app: App | None
    newer: Mapping[str, PostName | Post | None]
    older: Mapping[str, PostName | Post | None]

    @property
    def slug(self) -> str:
        return self.post.slug

    def in_language(self, language: str) -> PlacedPost | None:
        """Return the subject of the page in a language, or `None` if there is no translation."""
        if not has_text(self.post, "body", language):
            return None
        return PlacedPost(self.post, self.app, self.newer[language], self.older[language])


class ArticleSource(Struct, frozen=True):
    """The source of all documents of posts, which is read once for all of them."""

    def all(self, context: Context) -> Iterator[Article]:
        return chain.from_iterable(posts.load() for posts in self.unloaded(context))

    def unloaded(self, context: Context) -> Iterator["UnloadedPosts"]:
        posts, values = post_index(context), bulk.all_post_values(context.at)
        shared = read_shared_rows(context.at)
        for positions in group_posts(posts):
            keys = posts.keys[positions.start : positions.stop]
            tags = [posts.tags.get(key, ()) for key in keys]
            neighbours = [find_neighbours(posts, position) for position in positions]
            version = digest(
                shared.digest,
                [values_without_keys(row) for row in islice(values, len(keys))],
                tags,
                neighbours[0][0],
                neighbours[-1][1],
            )
            yield UnloadedPosts(shared, keys, tags, neighbours, version)

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


PostNeighbours = tuple[Mapping[str, PostName | None], Mapping[str, PostName | None]]
"""The newer post and the older post, by language."""

PostValues = tuple[Any, ...]
"""The values of a post, in the order of `bulk.POST_COLUMNS`."""
values_without_keys = itemgetter(
    *(
        number
        for number, name in enumerate(bulk.POST_COLUMNS)
        if name not in digests.key_fields_of(Post)
    )
)
"""Returns values without keys, because keys differ between databases with the same content."""

MAX_POSTS_IN_GROUP = 200
"""Posts in the largest group."""
MEAN_POSTS_IN_GROUP = 64
"""Posts in an average group."""


class SharedRows(Struct, frozen=True):
    """The apps and the tags of all posts, by key, and a digest of both."""

    apps: Mapping[int, App]
    tags: Mapping[int, Tag]
    digest: str

    def tags_with(self, keys: Iterable[int]) -> list[Tag]:
        """Return the tags with some keys, in the order of their slugs."""
        return sorted(map(self.tags.__getitem__, keys), key=attrgetter("slug"))


def read_shared_rows(at: datetime) -> SharedRows:
    apps, tags = questions.apps_by_key(at), bulk.tags_by_key()
    for row in chain(apps.values(), tags.values()):
        digests.set_digest(row, digest(row))
    return SharedRows(apps, tags, digest(apps, tags))


class UnloadedPosts(Struct, frozen=True):
    """Consecutive posts as keys and keys of tags; their texts are read again when they are needed.

    `version` is a digest of the values of the posts. The neighbours of the first and of the last
    post are not among these posts, so `version` covers them, too.
    """

    shared: SharedRows
    keys: Sequence[int]
    tags: Sequence[Sequence[int]]
    neighbours: Sequence[PostNeighbours]
    version: str

    def load(self) -> "LoadedPosts":
        values = bulk.post_values(self.keys)
        return LoadedPosts(self.shared, values, self.tags, self.neighbours)


class LoadedPosts(Struct, frozen=True):
    """Posts as values of the database, because these are cheap to read and to send to a worker."""

    shared: SharedRows
    values: Sequence[PostValues]
    tags: Sequence[Sequence[int]]
    neighbours: Sequence[PostNeighbours]

    def __iter__(self) -> Iterator[Article]:
        rows = zip(self.values, self.tags, self.neighbours, strict=True)
        for values, keys, (newer, older) in rows:
            tags = self.shared.tags_with(keys)
            post = Post.from_db("default", bulk.POST_COLUMNS, values)
            setattr(post, FETCHED_TAGS, tags)
            digests.set_digest(post, digest(values_without_keys(values), tags))
            yield Article(post, self.shared.apps.get(post.app_id or 0), newer, older)


def group_posts(posts: PostIndex) -> Iterator[range]:
    """Yield the positions of the posts of each group, which are built together.

    The slug of a post decides whether it ends a group, so a new post moves no other limit.
    """
    start = 0
    for position, card in enumerate(posts.cards, 1):
        if (
            position - start == MAX_POSTS_IN_GROUP
            or crc32(card.slug.encode()) % MEAN_POSTS_IN_GROUP == 0
        ):
            yield range(start, position)
            start = position
    if start < len(posts.cards):
        yield range(start, len(posts.cards))


def find_neighbours(posts: PostIndex, position: int) -> PostNeighbours:
    newer = {language: posts.newer(position, language) for language in LANGUAGES}
    return newer, {language: posts.older(position, language) for language in LANGUAGES}
