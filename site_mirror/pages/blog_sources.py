"""Sources of the subjects of the blog: posts, and lists of posts by year and by tag."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache, partial
from operator import attrgetter
from typing import Any
from zlib import crc32

from django.db.models import QuerySet
from msgspec import Struct

from catalogue import questions
from catalogue.addresses import post_page
from catalogue.models import App, Post, Tag
from catalogue.models.post import FETCHED_TAGS
from catalogue.questions import PostTitle
from catalogue.texts.localized import LANGUAGES
from catalogue.todays_links import TodaysLinks
from site_mirror.documents.context import Context, todays_links
from site_mirror.documents.digests import digest, set_digest
from site_mirror.documents.sources import ROWS_PER_READ, Group
from site_mirror.pages.blog import Article, PostList, PostNeighbours

NO_NEIGHBOURS: PostNeighbours = (None, None)

MAX_POSTS_IN_GROUP = 200
"""Posts in the largest group."""
MEAN_POSTS_IN_GROUP = 64
"""Posts in an average group."""


class PostListSource(Struct, frozen=True):
    """The source of lists of posts: `labels` asks for years or tags, `posts` for those of one.

    `key` is the attribute of a label by which its posts are asked for.
    """

    labels: Callable[..., QuerySet[Any, Any]]
    posts: Callable[..., QuerySet[Post, Any]]
    key: str
    language: str

    def all(self, context: Context) -> Iterator[PostList]:
        """Yield all lists; each has its posts from the titles that are read once for all."""
        titles = read_titles(context, self.language)
        for label in read_labels(self.labels, context, self.language):
            slugs = self.ask_posts(context.at, label).values_list("slug", flat=True)
            yield self.make_list(label, [titles[slug] for slug in slugs])

    def one(self, context: Context, slug: str) -> PostList | None:
        for label in read_labels(self.labels, context, self.language):
            if str(getattr(label, self.key)) == slug:
                return self.make_list(label, list(self.ask_posts(context.at, label)))
        return None

    def groups(self, context: Context) -> Iterator[Group]:
        return (Group(partial(list, [each]), digest(each)) for each in self.all(context))

    def ask_posts(self, at: datetime, label: Any) -> QuerySet[Post, Any]:
        return self.posts(at, getattr(label, self.key), language=self.language)

    def make_list(self, label: Any, posts: Sequence[PostTitle]) -> PostList:
        return PostList(str(getattr(label, self.key)), label, posts)


@lru_cache(maxsize=4)
def read_labels(question: Callable[..., Any], context: Context, language: str) -> Sequence[Any]:
    """Return years or tags, cached because their pages and lists of pages need them."""
    return list(question(context.at, language=language))


@lru_cache(maxsize=2)
def read_titles(context: Context, language: str) -> Mapping[str, PostTitle]:
    """Return titles by slug, the newest first, cached because a freeze lists each several times."""
    return {title.slug: title for title in questions.post_titles(context.at, language=language)}


class ArticleSource(Struct, frozen=True):
    """The source of all documents of posts, which is read once for all of them."""

    def all(self, context: Context) -> Iterator[Article]:
        for group in self.groups(context):
            yield from group.load()

    def one(self, context: Context, slug: str) -> Article | None:
        at = context.at
        post = questions.posts_with_apps(at).filter(slug=slug).first()
        if post is None:
            return None
        todays_links(context).write(vars(post), post_page(slug))
        beside = {
            language: (
                questions.newer_post(at, post, language=language),
                questions.older_post(at, post, language=language),
            )
            for language in LANGUAGES
        }
        return Article(post, beside)

    def groups(self, context: Context) -> Iterator[Group]:
        """Yield groups of consecutive posts, which are read again when they are loaded.

        All values are read for the digests, but only posts that changed become objects.
        """
        shared = read_shared_rows(context)
        for rows in group_rows(Post.objects.published(at=context.at).newest_first(), shared.links):
            tags = [shared.tags_of[row["id"]] for row in rows]
            slugs = dict.fromkeys(row["slug"] for row in rows)
            # Neighbours in the group are among its rows.
            beside = [
                (language, title)
                for slug in slugs
                for language, neighbours in shared.neighbours_of(slug).items()
                for title in neighbours
                if title and title.slug not in slugs
            ]
            yield Group(
                partial(read_articles, context.at, [row["id"] for row in rows], shared),
                digest(shared.digest, rows, tags, beside),
            )


class SharedRows(Struct, frozen=True):
    """What posts show of other rows: apps and tags by key, neighbours by language and slug, links.

    A freeze reads them once: prefetching them for each group takes three times as long.
    """

    apps: Mapping[int, App]
    tags: Mapping[int, Tag]
    tags_of: Mapping[int, Sequence[int]]
    beside: Mapping[str, Mapping[str, PostNeighbours]]
    links: TodaysLinks
    digest: str

    def neighbours_of(self, slug: str) -> Mapping[str, PostNeighbours]:
        return {lang: posts.get(slug, NO_NEIGHBOURS) for lang, posts in self.beside.items()}


ARTICLES = ArticleSource()
"""One source for all documents of posts, so that they are read once."""


def tags_of_posts() -> Mapping[int, Sequence[int]]:
    """Return the keys of the tags of each post, by the key of the post."""
    tags = defaultdict[int, list[int]](list)
    pairs = Post.tags.through.objects.order_by("tag_id").values_list("post_id", "tag_id")
    for post, tag in pairs.iterator():
        tags[post].append(tag)
    return tags


def find_neighbours(titles: Collection[PostTitle]) -> Mapping[str, PostNeighbours]:
    """Return the neighbours of each post of a list, by its slug."""
    beside = list[PostTitle | None]([None, *titles, None])
    triples = zip(beside, titles, beside[2:], strict=False)
    return {title.slug: (newer, older) for newer, title, older in triples}


def group_rows(posts: QuerySet[Post], links: TodaysLinks) -> Iterator[list[Any]]:
    """Divide the values of posts, with today's links, into groups.

    The slug of a post decides whether it ends a group, so a new post moves no other limit.
    """
    group: list[Any] = []
    row: Any
    for row in posts.values().iterator(chunk_size=ROWS_PER_READ):
        links.write(row, post_page(row["slug"]))
        group.append(row)
        is_last = crc32(row["slug"].encode()) % MEAN_POSTS_IN_GROUP == 0
        if is_last or len(group) == MAX_POSTS_IN_GROUP:
            yield group
            group = []
    if group:
        yield group


def read_shared_rows(context: Context) -> SharedRows:
    apps = {app.pk: app for app in App.objects.published(at=context.at)}
    tags = {tag.pk: tag for tag in Tag.objects.order_by("slug")}
    return SharedRows(
        apps,
        tags,
        tags_of_posts(),
        {each: find_neighbours(read_titles(context, each).values()) for each in LANGUAGES},
        todays_links(context),
        digest(list(apps.values()), tags),
    )


def read_articles(at: datetime, keys: Sequence[int], shared: SharedRows) -> list[Article]:
    posts = list(Post.objects.published(at=at).newest_first().filter(pk__in=keys))
    for post in posts:
        tags = map(shared.tags.__getitem__, shared.tags_of[post.pk])
        setattr(post, FETCHED_TAGS, sorted(tags, key=attrgetter("slug")))
        shared.links.write(vars(post), post_page(post.slug))
        post.shown_app = shared.apps.get(post.app_id or 0)
        set_digest(post, digest(post))  # once for all of its documents
    return [Article(post, shared.neighbours_of(post.slug)) for post in posts]
