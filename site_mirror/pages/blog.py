"""The blog: articles, and their lists by year and by tag."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec import Struct

from catalogue import addresses
from catalogue.localized import in_language
from catalogue.models import App, Post, Tag
from catalogue.models import Page as Row
from catalogue.questions import PostCard, PostName
from catalogue.reading_time import read_minutes
from site_mirror.listing import Listed, Several
from site_mirror.pages import cards, structured
from site_mirror.pages.blocks import (
    Block,
    Inline,
    Link,
    Links,
    Neighbour,
    Neighbours,
    Prose,
    Section,
)
from site_mirror.pages.days import local
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import Page
from site_mirror.pages.standing import standing
from site_mirror.pages.templating import prose
from site_mirror.pages.texts import said, written
from site_mirror.shelf import Cards

Posts = Several[Post | PostCard]
"""Those of a list, the newest first."""


class Index(Struct, frozen=True):
    """What the first page of the blog is made of; years and tags with their numbers of posts."""

    page: Row
    newest: Sequence[Post]
    years: Sequence[tuple[int, int]]
    tags: Sequence[tuple[Tag, int]]


class Year(Struct, frozen=True):
    """A year and its posts; `changed` is when one of them last changed, where that is asked."""

    year: int
    posts: Posts
    changed: datetime | None = None

    @property
    def slug(self) -> str:
        return str(self.year)


class Tagged(Struct, frozen=True):
    """A tag and its posts; `changed` is when one of them last changed, where that is asked."""

    tag: Tag
    posts: Posts
    changed: datetime | None = None

    @property
    def slug(self) -> str:
        return self.tag.slug


class Placed(Struct, frozen=True):
    """A post, its app, and its neighbours in the list of a language."""

    post: Post
    app: App | None = None
    newer: Post | PostName | None = None
    older: Post | PostName | None = None

    @property
    def slug(self) -> str:
        return self.post.slug


def compose_index(frame: Frame, subject: Index) -> Page:
    by_year = groupby(subject.newest, key=lambda post: post.date.year)
    newest = [
        Section(f"y{year}_", str(year), [cards.articles(frame, list(posts))])
        for year, posts in by_year
    ]
    years = [
        frame.link(str(year), addresses.year_page(str(year)), translated=True, note=number(count))
        for year, count in subject.years
    ]
    tags = [tag_link(frame, tag, note=number(count)) for tag, count in subject.tags]
    return standing(
        frame,
        subject.page,
        [
            *newest,
            *([Section("years_", _("By year"), [Links("", years, "years")])] if years else []),
            *([Section("tags_", _("By topic"), [Links("", tags, "tags")])] if tags else []),
        ],
        style="blog",
    )


def number(count: int) -> str:
    return ngettext("%(count)d article", "%(count)d articles", count) % {"count": count}


def tag_link(frame: Frame, tag: Tag, note: str = "") -> Link:
    return frame.link(
        said(frame, tag, "name"), addresses.tag_page(tag.slug), translated=True, note=note
    )


def compose_year(frame: Frame, subject: Year) -> Page:
    return index_page(frame, listed_year(frame, subject), subject.posts)


def compose_tag(frame: Frame, subject: Tagged) -> Page:
    return index_page(frame, listed_tag(frame, subject), subject.posts)


def index_page(frame: Frame, page: Listed, posts: Posts) -> Page:
    return Page(
        listed=page,
        style="blog",
        blocks=[cards.articles(frame, posts)],
        trail=frame.trail_to_blog,
        data=[structured.breadcrumbs(frame, frame.trail_to_blog, page)],
    )


def listed_year(frame: Frame, subject: Year) -> Listed:
    page = addresses.year_page(subject.slug)
    title = _("Articles of %(year)s") % {"year": subject.year}
    summary = ngettext(
        "%(count)d article that appeared in %(year)s, the newest first.",
        "%(count)d articles that appeared in %(year)s, the newest first.",
        len(subject.posts),
    )
    told = {"count": len(subject.posts), "year": subject.year}
    return index_entry(frame, page, title, summary % told, subject)


def listed_tag(frame: Frame, subject: Tagged) -> Listed:
    topic = said(frame, subject.tag, "name")
    title = _("Articles on %(topic)s") % {"topic": topic}
    summary = ngettext(
        "%(count)d article on the topic “%(topic)s”, the newest first.",
        "%(count)d articles on the topic “%(topic)s”, the newest first.",
        len(subject.posts),
    )
    told = {"count": len(subject.posts), "topic": topic}
    page = addresses.tag_page(subject.slug)
    return index_entry(frame, page, title, summary % told, subject)


def index_entry(
    frame: Frame, page: str, title: str, summary: str, subject: Year | Tagged
) -> Listed:
    """A list of posts in short; it has a twin if the other language has one of its posts."""
    posts = subject.posts
    return Listed(
        address=frame.here(page),
        language=frame.language,
        title=title,
        summary=summary,
        twin=frame.twin(page) if has_one_in(frame.other, posts) else None,
        moment=next((post.publish_at for post in posts), None),
        changed=local(subject.changed),
        of_pages=True,
    )


def has_one_in(language: str, posts: Posts) -> bool:
    """Whether one of them is written in a language; posts of a shelf know without a look."""
    if isinstance(posts, Cards):
        return language in posts.languages
    return any(written(post, "title", language) for post in posts)


def listed(frame: Frame, post: Post | PostCard) -> Listed:
    page = addresses.post_page(post.slug)
    return Listed(
        address=frame.here(page),
        language=frame.language,
        title=in_language(post, "title", frame.language),
        summary=in_language(post, "excerpt", frame.language),
        twin=frame.twin(page) if written(post, "title", frame.other) else None,
        moment=post.publish_at,
        changed=local(post.changed_at),
    )


def compose(frame: Frame, subject: Placed) -> Page:
    post = subject.post
    page, day = listed(frame, post), frame.day(post.date)
    return Page(
        listed=page,
        style="article",
        blocks=list(blocks(frame, subject)),
        byline=[day, *byline(frame, post)],
        trail=frame.trail_to_blog,
        data=[
            structured.posting(frame, page, day.value, post.tag_slugs),
            structured.breadcrumbs(frame, frame.trail_to_blog, page),
        ],
        open_graph="article",
    )


def prepare(language: str, subjects: Iterable[Placed]) -> None:
    """Turn the texts of many posts into HTML, one after the other."""
    for subject in subjects:
        with suppress(Exception):
            prose(in_language(subject.post, "body", language), language, "")


def byline(frame: Frame, post: Post) -> Iterator[Inline]:
    """How long the post takes to read, and its topics."""
    minutes = read_minutes(in_language(post, "body", frame.language))
    yield frame.ngettext("%(count)d minute", "%(count)d minutes", minutes)
    for tag in post.shown_tags:
        yield tag_link(frame, tag)


def blocks(frame: Frame, subject: Placed) -> Iterator[Block]:
    post = subject.post
    yield Prose(in_language(post, "body", frame.language))
    if subject.app:
        yield Section("app_", _("The app"), [cards.apps(frame, [subject.app])])
    newer = neighbour(frame, frame.gettext("Newer"), subject.newer)
    older = neighbour(frame, frame.gettext("Older"), subject.older)
    if newer or older:
        yield Neighbours(frame.gettext("Other articles"), newer, older)


def neighbour(frame: Frame, label: str, post: Post | PostName | None) -> Neighbour | None:
    return Neighbour(label, cards.link_to_article(frame, post)) if post else None
