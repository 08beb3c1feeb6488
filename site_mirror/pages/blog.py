"""The blog: articles, and their lists by year and by tag."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec import Struct

from catalogue import addresses
from catalogue.bulk import PostCard, PostName
from catalogue.localized import text_in
from catalogue.models import App, Post, Tag
from catalogue.models import Page as Row
from catalogue.reading_time import read_minutes
from site_mirror.documents.summaries import PageSummary, SizedIterable
from site_mirror.pages import cards, structured
from site_mirror.pages.blocks import (
    Block,
    EditorText,
    Inline,
    Link,
    Links,
    Neighbour,
    Neighbours,
    Section,
)
from site_mirror.pages.days import in_studio_time
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import PageContent
from site_mirror.pages.post_index import PostCards
from site_mirror.pages.standing import compose_standing
from site_mirror.pages.templating import prose_html
from site_mirror.pages.texts import has_text, localized_text

Posts = SizedIterable[Post | PostCard]
"""The posts of a list, the newest first."""


class BlogIndex(Struct, frozen=True):
    """The subject of the first page of the blog; years and tags have their numbers of posts."""

    page: Row
    newest: Sequence[Post]
    years: Sequence[tuple[int, int]]
    tags: Sequence[tuple[Tag, int]]


class YearPosts(Struct, frozen=True):
    """A year and its posts; `changed` is the last change of one of them, if it was asked for."""

    year: int
    posts: Posts
    changed: datetime | None = None

    @property
    def slug(self) -> str:
        return str(self.year)


class TagPosts(Struct, frozen=True):
    """A tag and its posts; `changed` is the last change of one of them, if it was asked for."""

    tag: Tag
    posts: Posts
    changed: datetime | None = None

    @property
    def slug(self) -> str:
        return self.tag.slug


class PlacedPost(Struct, frozen=True):
    """A post, its app, and its neighbours in the list of a language."""

    post: Post
    app: App | None = None
    newer: Post | PostName | None = None
    older: Post | PostName | None = None

    @property
    def slug(self) -> str:
        return self.post.slug


def compose_index(frame: Frame, subject: BlogIndex) -> PageContent:
    by_year = groupby(subject.newest, key=lambda post: post.date.year)
    newest = [
        Section(f"y{year}_", str(year), [cards.article_list(frame, list(posts))])
        for year, posts in by_year
    ]
    years = [
        frame.link(
            str(year), addresses.year_page(str(year)), translated=True, note=count_label(count)
        )
        for year, count in subject.years
    ]
    tags = [tag_link(frame, tag, note=count_label(count)) for tag, count in subject.tags]
    return compose_standing(
        frame,
        subject.page,
        [
            *newest,
            *([Section("years_", _("By year"), [Links("", years, "years")])] if years else []),
            *([Section("tags_", _("By topic"), [Links("", tags, "tags")])] if tags else []),
        ],
        style="blog",
    )


def count_label(count: int) -> str:
    return ngettext("%(count)d article", "%(count)d articles", count) % {"count": count}


def tag_link(frame: Frame, tag: Tag, note: str = "") -> Link:
    return frame.link(
        localized_text(frame, tag, "name"), addresses.tag_page(tag.slug), translated=True, note=note
    )


def compose_year(frame: Frame, subject: YearPosts) -> PageContent:
    return compose_list_page(frame, summarize_year(frame, subject), subject.posts)


def compose_tag(frame: Frame, subject: TagPosts) -> PageContent:
    return compose_list_page(frame, summarize_tag(frame, subject), subject.posts)


def compose_list_page(frame: Frame, page: PageSummary, posts: Posts) -> PageContent:
    return PageContent(
        page_summary=page,
        style="blog",
        blocks=[cards.article_list(frame, posts)],
        trail=frame.trail_to_blog,
        data=[structured.describe_trail(frame, frame.trail_to_blog, page)],
    )


def summarize_year(frame: Frame, subject: YearPosts) -> PageSummary:
    page = addresses.year_page(subject.slug)
    title = _("Articles of %(year)s") % {"year": subject.year}
    summary = ngettext(
        "%(count)d article that appeared in %(year)s, the newest first.",
        "%(count)d articles that appeared in %(year)s, the newest first.",
        len(subject.posts),
    )
    values = {"count": len(subject.posts), "year": subject.year}
    return summarize_list(frame, page, title, summary % values, subject)


def summarize_tag(frame: Frame, subject: TagPosts) -> PageSummary:
    topic = localized_text(frame, subject.tag, "name")
    title = _("Articles on %(topic)s") % {"topic": topic}
    summary = ngettext(
        "%(count)d article on the topic “%(topic)s”, the newest first.",
        "%(count)d articles on the topic “%(topic)s”, the newest first.",
        len(subject.posts),
    )
    values = {"count": len(subject.posts), "topic": topic}
    page = addresses.tag_page(subject.slug)
    return summarize_list(frame, page, title, summary % values, subject)


def summarize_list(
    frame: Frame, page: str, title: str, summary: str, subject: YearPosts | TagPosts
) -> PageSummary:
    """Return the summary of a list of posts.

    It has a twin if one of the posts is written in the other language.
    """
    posts = subject.posts
    return PageSummary(
        address=frame.address_here(page),
        language=frame.language,
        title=title,
        summary=summary,
        twin=frame.address_of_twin(page) if has_post_in(frame.other_language, posts) else None,
        moment=next((post.publish_at for post in posts), None),
        changed=in_studio_time(subject.changed),
        lists_pages=True,
    )


def has_post_in(language: str, posts: Posts) -> bool:
    """Whether one of the posts is written in a language."""
    if isinstance(posts, PostCards):
        return language in posts.languages
    return any(has_text(post, "title", language) for post in posts)


def summarize(frame: Frame, post: Post | PostCard) -> PageSummary:
    page = addresses.post_page(post.slug)
    return PageSummary(
        address=frame.address_here(page),
        language=frame.language,
        title=text_in(post, "title", frame.language),
        summary=text_in(post, "excerpt", frame.language),
        twin=frame.address_of_twin(page) if has_text(post, "title", frame.other_language) else None,
        moment=post.publish_at,
        changed=in_studio_time(post.changed_at),
    )


def compose(frame: Frame, subject: PlacedPost) -> PageContent:
    post = subject.post
    page, day = summarize(frame, post), frame.day(post.date)
    return PageContent(
        page_summary=page,
        style="article",
        blocks=list(blocks(frame, subject)),
        byline=[day, *byline_parts(frame, post)],
        trail=frame.trail_to_blog,
        data=[
            structured.describe_post(frame, page, day.value, post.tag_slugs),
            structured.describe_trail(frame, frame.trail_to_blog, page),
        ],
        open_graph="article",
    )


def prepare_texts(language: str, subjects: Iterable[PlacedPost]) -> None:
    """Convert the texts of many posts to HTML, so that the cache has them when pages are written.

    An error is raised again when the page of its post is rendered.
    """
    for subject in subjects:
        with suppress(Exception):
            prose_html(text_in(subject.post, "body", language), language, "")


def byline_parts(frame: Frame, post: Post) -> Iterator[Inline]:
    """Yield the reading time of a post and links to its topics."""
    minutes = read_minutes(text_in(post, "body", frame.language))
    yield frame.ngettext("%(count)d minute", "%(count)d minutes", minutes)
    for tag in post.shown_tags:
        yield tag_link(frame, tag)


def blocks(frame: Frame, subject: PlacedPost) -> Iterator[Block]:
    post = subject.post
    yield EditorText(text_in(post, "body", frame.language))
    if subject.app:
        yield Section("app_", _("The app"), [cards.app_cards(frame, [subject.app])])
    newer = neighbour_link(frame, frame.gettext("Newer"), subject.newer)
    older = neighbour_link(frame, frame.gettext("Older"), subject.older)
    if newer or older:
        yield Neighbours(frame.gettext("Other articles"), newer, older)


def neighbour_link(frame: Frame, label: str, post: Post | PostName | None) -> Neighbour | None:
    return Neighbour(label, cards.link_to_article(frame, post)) if post else None
