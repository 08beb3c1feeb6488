"""Sources of the subjects of the blog: posts, and lists of posts by year and by tag."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import pairwise
from typing import Any
from zlib import crc32

from django.db.models import QuerySet

from catalogue import questions
from catalogue.localized import LANGUAGES
from catalogue.models import App, Post, Tag
from catalogue.questions import PostTitle
from site_mirror.documents.context import Context
from site_mirror.documents.digests import digest, set_digest
from site_mirror.documents.sources import ROWS_PER_READ, Group, Question, Source
from site_mirror.pages.blog import Article, PostList

PostNeighbours = tuple[dict[str, PostTitle], dict[str, PostTitle]]
"""The newer post and the older one, by language."""

MAX_POSTS_IN_GROUP = 200
"""Posts in the largest group."""
MEAN_POSTS_IN_GROUP = 64
"""Posts in an average group."""


class PostListSource(Source, frozen=True):
    """The source of lists of posts: `labels` asks for years or tags, `posts` for those of one.

    `key` is the attribute of a label by which its posts are asked for.
    """

    labels: Question
    posts: Callable[[datetime, Any], QuerySet[Post, Any]]
    key: str

    def all(self, context: Context) -> Iterator[PostList]:
        return (self.read_list(context.at, label) for label in self.labels(context.at))

    def one(self, context: Context, slug: str) -> PostList | None:
        for label in self.labels(context.at):
            if str(getattr(label, self.key)) == slug:
                return self.read_list(context.at, label)
        return None

    def groups(self, context: Context) -> Iterator[Group]:
        for label in self.labels(context.at):
            yield Group(partial(self.read_group, context.at, label))

    def read_group(self, at: datetime, label: Any) -> list[PostList]:
        return [self.read_list(at, label)]

    def read_list(self, at: datetime, label: Any) -> PostList:
        key = getattr(label, self.key)
        return PostList(str(key), label, list(self.posts(at, key)))


class ArticleSource(Source, frozen=True):
    """The source of all documents of posts, which is read once for all of them."""

    def all(self, context: Context) -> Iterator[Article]:
        for group in self.groups(context):
            yield from group.load()

    def one(self, context: Context, slug: str) -> Article | None:
        at = context.at
        post = questions.posts_with_apps(at).filter(slug=slug).first()
        if post is None:
            return None
        newer, older = (
            {language: question(at, post, language=language) for language in LANGUAGES}
            for question in (questions.newer_post, questions.older_post)
        )
        return Article(post, newer, older)

    def groups(self, context: Context) -> Iterator[Group]:
        """Yield groups of consecutive posts, which are read again when they are loaded.

        All values are read for the digests, but only posts that changed become objects.
        """
        at, tags, beside = context.at, tags_of_posts(), find_neighbours(context.at)
        shared = digest(list(App.objects.published(at=at)), list(Tag.objects.all()))
        for rows in group_rows(Post.objects.published(at=at).newest_first()):
            keys, slugs = [row["id"] for row in rows], [row["slug"] for row in rows]
            yield Group(
                partial(read_articles, at, keys, beside),
                digest(shared, rows, [tags[key] for key in keys], [beside[slug] for slug in slugs]),
            )


ARTICLES = ArticleSource()
"""One source for all documents of posts, so that they are read once."""


def tags_of_posts() -> Mapping[int, Sequence[int]]:
    """Return the keys of the tags of each post, by the key of the post."""
    tags = defaultdict[int, list[int]](list)
    pairs = Post.tags.through.objects.order_by("tag_id").values_list("post_id", "tag_id")
    for post, tag in pairs.iterator():
        tags[post].append(tag)
    return tags


def find_neighbours(at: datetime) -> Mapping[str, PostNeighbours]:
    """Return the newer and the older post of each post in each language, by its slug."""
    beside = defaultdict[str, PostNeighbours](lambda: ({}, {}))
    for language in LANGUAGES:
        titles = list(questions.post_titles(at, language=language))
        for newer, older in pairwise(titles):
            beside[older.slug][0][language] = newer
            beside[newer.slug][1][language] = older
    return beside


def group_rows(posts: QuerySet[Post]) -> Iterator[list[Any]]:
    """Divide the values of posts into groups.

    The slug of a post decides whether it ends a group, so a new post moves no other limit.
    """
    group: list[Any] = []
    for row in posts.values().iterator(chunk_size=ROWS_PER_READ):
        group.append(row)
        is_last = crc32(row["slug"].encode()) % MEAN_POSTS_IN_GROUP == 0
        if is_last or len(group) == MAX_POSTS_IN_GROUP:
            yield group
            group = []
    if group:
        yield group


def read_articles(
    at: datetime, keys: Sequence[int], beside: Mapping[str, PostNeighbours]
) -> list[Article]:
    posts = list(questions.posts_with_apps(at).filter(pk__in=keys))
    for post in posts:  # once for all of its documents
        set_digest(post, digest(post))
    return [Article(post, *beside[post.slug]) for post in posts]
