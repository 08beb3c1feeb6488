"""The blog: articles, and their lists by year and by tag."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec import Struct
from msgspec.structs import replace

from catalogue import addresses
from catalogue.models import Page as Row
from catalogue.models import Post, Tag
from catalogue.models.workflow import content_changed_at
from catalogue.questions import PostTitle
from catalogue.texts.localized import text_in
from catalogue.texts.reading_time import read_minutes
from site_mirror.documents.summaries import PageSummary
from site_mirror.pages import cards, structured
from site_mirror.pages.blocks import (
    Block,
    EditorText,
    Inline,
    Link,
    Links,
    Neighbours,
    Phrase,
    Section,
)
from site_mirror.pages.days import in_studio_time, studio_day
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import PageContent, picture_of
from site_mirror.pages.standing import compose_standing
from site_mirror.pages.texts import has_text, localized_text


class BlogIndex(Struct, frozen=True):
    """The subject of the first page of the blog."""

    page: Row
    newest: Sequence[PostTitle]
    years: Sequence[Any]
    tags: Sequence[Any]


class PostList(Struct, frozen=True):
    """The posts of a `label`, which is a year or a tag (`questions.years`, `questions.tags`)."""

    slug: str
    label: Any
    posts: Sequence[PostTitle]


PostNeighbours = tuple[PostTitle | None, PostTitle | None]
"""The newer post and the older one."""


class Article(Struct, frozen=True):
    """A post, and by language its neighbours in the list of posts."""

    post: Post
    beside: Mapping[str, PostNeighbours]

    @property
    def slug(self) -> str:
        return self.post.slug

    def in_language(self, language: str) -> "Article | None":
        """Return the article, or `None` if it is not translated."""
        return self if has_text(self.post, "body", language) else None


def compose_index(frame: Frame, subject: BlogIndex) -> PageContent:
    by_year = groupby(subject.newest, key=lambda post: studio_day(post.publish_at).year)
    newest = [
        Section(f"y{year}_", str(year), [cards.article_list(frame, list(posts))])
        for year, posts in by_year
    ]
    years = [
        frame.link(
            str(each.year),
            addresses.year_page(str(each.year)),
            translated=True,
            note=count_label(each.post_count),
        )
        for each in subject.years
    ]
    tags = [tag_link(frame, tag, note=count_label(tag.post_count)) for tag in subject.tags]
    return compose_standing(
        frame,
        subject.page,
        [
            *newest,
            *([Section("years_", _("By year"), [Links("", years, "years")])] if years else []),
            *([Section("tags_", _("By topic"), [Links("", tags, "tags")])] if tags else []),
        ],
        style="blog",
        text_last=True,
    )


def count_label(count: int) -> str:
    return ngettext("%(count)d article", "%(count)d articles", count) % {"count": count}


def tag_link(frame: Frame, tag: Tag, note: str = "") -> Link:
    return frame.link(
        localized_text(frame, tag, "name"), addresses.tag_page(tag.slug), translated=True, note=note
    )


def compose_list(
    summarize: Callable[[Frame, Any], PageSummary], frame: Frame, subject: PostList
) -> PageContent:
    page = summarize(frame, subject.label)
    return PageContent(
        page_summary=page,
        style="blog",
        picture=picture_of(page, subject.label),
        blocks=[cards.article_list(frame, subject.posts)],
        trail=frame.trail_to_blog,
    )


def summarize_year(frame: Frame, label: Any) -> PageSummary:
    values = {"count": label.post_count, "year": label.year}
    title = _("Articles from %(year)s") % values
    summary = ngettext(
        "%(count)d article from %(year)s, newest first.",
        "%(count)d articles from %(year)s, newest first.",
        label.post_count,
    )
    page = addresses.year_page(str(label.year))
    return summarize_list(frame, page, title, summary % values, label)


def summarize_tag(frame: Frame, tag: Any) -> PageSummary:
    topic = localized_text(frame, tag, "name")
    title = _("Articles on %(topic)s") % {"topic": topic}
    summary = ngettext(
        "%(count)d article on the topic “%(topic)s”, newest first.",
        "%(count)d articles on the topic “%(topic)s”, newest first.",
        tag.post_count,
    )
    values = {"count": tag.post_count, "topic": topic}
    return summarize_list(frame, addresses.tag_page(tag.slug), title, summary % values, tag)


def summarize_list(frame: Frame, page: str, title: str, summary: str, label: Any) -> PageSummary:
    """Return the summary of a list of posts.

    It has a twin if one of the posts is translated: each post is written in English.
    """
    return frame.summarize(
        page,
        title,
        summary,
        has_twin=bool(label.translated_count),
        changed=in_studio_time(label.changed),
        lists_pages=True,
    )


def summarize_page(frame: Frame, post: Post | PostTitle) -> PageSummary:
    return frame.summarize(
        addresses.post_page(post.slug),
        text_in(post, "title", frame.language),
        text_in(post, "excerpt", frame.language),
        has_twin=has_text(post, "title", frame.other_language),
        moment=post.publish_at,
        changed=in_studio_time(content_changed_at(post.publish_at, post.edited_at)),
    )


def compose_page(frame: Frame, subject: Article) -> PageContent:
    post = subject.post
    page = summarize_page(frame, post)
    picture = picture_of(page, post)
    return PageContent(
        page_summary=page,
        style="article",
        picture=picture,
        blocks=list(compose_blocks(frame, subject)),
        byline=list(byline(frame, post)),
        trail=frame.trail_to_blog,
        data=[structured.describe_post(frame, page, post, picture)],
        open_graph="article",
    )


def byline(frame: Frame, post: Post) -> Iterator[Inline]:
    """Yield the author, the days, the reading time and the topics of a post."""
    if post.author:
        name, place = str(post.author), f"#person_{post.author.handle}"
        about = frame.standing_link(name, "about")
        yield replace(about, address=about.address + place) if about else name
    yield frame.day(post.date)
    if post.edited_at and studio_day(post.edited_at) > post.date:
        updated = frame.day(studio_day(post.edited_at))
        yield Phrase([frame.gettext("updated"), " ", updated])
    minutes = read_minutes(text_in(post, "body", frame.language))
    yield ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
    for tag in post.shown_tags:
        yield tag_link(frame, tag)


def compose_blocks(frame: Frame, subject: Article) -> Iterator[Block]:
    post = subject.post
    yield EditorText(text_in(post, "body", frame.language), images=post.shown_images)
    if post.shown_app:
        yield Section("app_", _("The app"), [cards.app_cards(frame, [post.shown_app])])
    labels = (frame.gettext("Newer"), frame.gettext("Older"))
    beside = zip(labels, subject.beside[frame.language], strict=True)
    links = {label: [cards.link_to_article(frame, title)] for label, title in beside if title}
    if links:
        yield Neighbours(links, label=frame.gettext("Other articles"))
