"""Sources of the subjects of the blog: posts, and lists of posts by year and by tag."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from operator import itemgetter
from sys import intern
from typing import Any

from django.db.models import QuerySet
from msgspec import Struct

from catalogue import questions
from catalogue.addresses import post_page
from catalogue.models import App, Post, Tag, TeamMember
from catalogue.models.post import FETCHED_TAGS
from catalogue.questions import PostTitle
from catalogue.texts.localized import LANGUAGES
from catalogue.todays_links import SHOWN_IMAGES
from site_mirror.documents.context import Context, todays_links
from site_mirror.documents.digests import digest, set_digest
from site_mirror.documents.sources import ROWS_PER_READ, Group, divide_rows
from site_mirror.pages.blog import Article, PostList, PostNeighbours

NO_NEIGHBOURS: PostNeighbours = (None, None)


class PostListSource(Struct, frozen=True):
    """The source of lists of posts: `labels` asks for years or tags, `posts` for those of one.

    `key` is the attribute of a label by which its posts are asked for. `keys_of` returns the keys
    of a title, because a freeze asks once for all lists.
    """

    labels: Callable[..., QuerySet[Any, Any]]
    posts: Callable[..., QuerySet[Post, Any]]
    key: str
    keys_of: Callable[[Context, PostTitle], Iterable[Any]]
    language: str

    def all(self, context: Context) -> Iterator[PostList]:
        titles = defaultdict[Any, list[PostTitle]](list)
        for title in read_titles(context, self.language):
            for key in self.keys_of(context, title):
                titles[key].append(title)
        for label in read_labels(self.labels, context, self.language):
            yield self.make_list(label, titles[getattr(label, self.key)])

    def one(self, context: Context, slug: str) -> PostList | None:
        for label in read_labels(self.labels, context, self.language):
            if str(key := getattr(label, self.key)) == slug:
                posts = self.posts(context.at, key, language=self.language)
                return self.make_list(label, list(posts))
        return None

    def groups(self, context: Context) -> Iterator[Group]:
        return (Group(partial(list, [each]), digest(each)) for each in self.all(context))

    def make_list(self, label: Any, posts: Sequence[PostTitle]) -> PostList:
        return PostList(str(getattr(label, self.key)), label, posts)


@lru_cache(maxsize=4)
def read_labels(question: Callable[..., Any], context: Context, language: str) -> Sequence[Any]:
    """Return years or tags, cached because their pages and lists of pages need them."""
    return list(question(context.at, language=language))


@lru_cache(maxsize=2)
def read_titles(context: Context, language: str) -> Sequence[PostTitle]:
    """Return titles, the newest first, cached because a freeze lists each several times."""
    return list(questions.post_titles(context.at, language=language))


@lru_cache(maxsize=1)
def read_tags_of_posts(context: Context) -> Mapping[str, Sequence[str]]:
    """Return the slugs of the tags of each post, by its slug."""
    tags = defaultdict[str, list[str]](list)
    pairs = Post.tags.through.objects.order_by("tag_id").values_list("post__slug", "tag__slug")
    for post, tag in pairs.iterator():
        tags[post].append(intern(tag))  # Each row has its own copy: 16 MB for 100,000 posts.
    return tags


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
        beside = {each: questions.posts_beside(at, post, language=each) for each in LANGUAGES}
        return Article(post, beside)

    def groups(self, context: Context) -> Iterator[Group]:
        """Yield groups of consecutive posts; only those that changed become objects.

        The rows that they share are read once: prefetching takes three times as long.
        """
        apps = {app.pk: app for app in App.objects.published(at=context.at)}
        authors = TeamMember.objects.in_bulk()
        tags = {tag.slug: tag for tag in Tag.objects.order_by("slug")}
        shared = digest(list(apps.values()), list(authors.values()), tags)
        tags_of = read_tags_of_posts(context)
        beside = {each: find_neighbours(read_titles(context, each)) for each in LANGUAGES}
        for rows in divide_rows(read_rows(context), itemgetter("slug")):
            slugs = dict.fromkeys(row["slug"] for row in rows)
            tags_here = [sorted(tags_of[slug]) for slug in slugs]
            beside_here = [
                {language: posts.get(slug, NO_NEIGHBOURS) for language, posts in beside.items()}
                for slug in slugs
            ]
            # Neighbours in the group are among its rows.
            outside = [
                (language, title)
                for each in beside_here
                for language, neighbours in each.items()
                for title in neighbours
                if title and title.slug not in slugs
            ]
            load = partial(
                ArticleRows,
                rows,
                apps=[apps.get(row["app_id"]) for row in rows],
                authors=[authors.get(row["author_id"]) for row in rows],
                tags=[[tags[slug] for slug in each] for each in tags_here],
                beside=beside_here,
            )
            yield Group(load, digest(shared, rows, tags_here, outside))


class ArticleRows(Struct, frozen=True):
    """The rows of articles, and what these show of other rows.

    They become objects in the process that renders them, because objects take long to send.
    """

    rows: Sequence[Mapping[str, Any]]
    apps: Sequence[App | None]
    authors: Sequence[TeamMember | None]
    tags: Sequence[Sequence[Tag]]
    beside: Sequence[Mapping[str, PostNeighbours]]

    def __iter__(self) -> Iterator[Article]:
        for row, app, author, tags, beside in zip(
            self.rows, self.apps, self.authors, self.tags, self.beside, strict=True
        ):
            values = dict(row)
            others = {name: values.pop(name) for name in (SHOWN_IMAGES, *questions.HAS_PICTURE)}
            post = Post.from_db(None, values.keys(), values.values())
            vars(post).update(others)
            setattr(post, FETCHED_TAGS, tags)
            post.shown_app, post.author = app, author
            # Once for all of its documents. A relation is no value of a row.
            set_digest(post, digest(post, author))
            yield Article(post, beside)


ARTICLES = ArticleSource()
"""One source for all documents of posts, so that they are read once."""


def find_neighbours(titles: Collection[PostTitle]) -> Mapping[str, PostNeighbours]:
    """Return the neighbours of each post of a list, by its slug."""
    beside = list[PostTitle | None]([None, *titles, None])
    triples = zip(beside, titles, beside[2:], strict=False)
    return {title.slug: (newer, older) for newer, title, older in triples}


def read_rows(context: Context) -> Iterator[Any]:
    """Yield the values of posts, with today's links."""
    posts, links = Post.objects.published(at=context.at).newest_first(), todays_links(context)
    row: Any
    for row in questions.with_pictures(posts).values().iterator(chunk_size=ROWS_PER_READ):
        links.write(row, post_page(row["slug"]))
        yield row
