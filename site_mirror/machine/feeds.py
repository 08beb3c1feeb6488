"""Feeds of articles, the newest first: Atom (RFC 4287) and JSON Feed 1.1 (jsonfeed.org)."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape, unescape
from typing import Any
from urllib.parse import urljoin

from django.utils.feedgenerator import Atom1Feed
from django.utils.xmlutils import SimplerXMLGenerator
from msgspec import Struct

from catalogue.addresses import Site
from catalogue.moments import iso_moment
from site_mirror.documents.summaries import PageSummary, Publisher, collapse_whitespace

MAX_ARTICLES_IN_FEED = 20
"""Each article has its whole text, so a feed of more articles would be hundreds of kB long."""

UPDATED_WITHOUT_ARTICLES = datetime(1970, 1, 1, tzinfo=UTC)
"""The `updated` of a feed without articles, which Atom requires. The present moment would change
the bytes with each freeze.
"""

_LINK_TARGET = re.compile(r'(?<=<a href=")[^"]*|(?<=<img src=")[^"]*')
_SMALL_IMAGE = re.compile(r' srcset="[^"]*" sizes="[^"]*"')
_HEADING_ANCHOR = re.compile(r'<a class="anchor"[^>]*></a>')


class FeedItem(Struct, frozen=True):
    """An article of a feed: its id, its page's summary, its text as HTML, its topics' names.

    `author` is the name of its author, if that is not the publisher.
    """

    id: str
    page: PageSummary
    html: str
    topics: Sequence[str] = ()
    author: str | None = None


class Feed(Struct, frozen=True):
    """The articles of one language, and the address of the page that the feed belongs to.

    `title` is that of the feed, if it is not the publisher's name.
    """

    language: str
    home: str
    publisher: Publisher
    items: Sequence[FeedItem]
    title: str = ""


class AtomFeed(Atom1Feed):
    """An Atom feed with whole texts, whose `updated` is the latest one of its articles."""

    def latest_post_date(self) -> datetime:
        return max((item["updateddate"] for item in self.items), default=UPDATED_WITHOUT_ARTICLES)

    def add_item_elements(self, handler: SimplerXMLGenerator, item: dict[str, Any]) -> None:
        super().add_item_elements(handler, item)
        handler.addQuickElement("content", item["content"], {"type": "html"})


def atom_feed(site: Site, feed: Feed, address: str) -> bytes:
    url, publisher = site.url(address), feed.publisher
    document = AtomFeed(
        title=feed.title or publisher.name,
        link=site.url(feed.home),
        description="",
        subtitle=publisher.summary,
        language=feed.language,
        author_name=publisher.name,
        author_email=publisher.email,
        author_link=site.url(feed.home),
        feed_url=url,
        feed_guid=url,
    )
    for item in feed.items:
        page = site.url(item.page.address)
        appeared, changed = (in_utc(moment) for moment in (item.page.moment, item.page.changed))
        document.add_item(
            item.page.title,
            page,
            escape(collapse_whitespace(item.page.summary), quote=False),
            author_name=item.author,
            unique_id=item.id,
            pubdate=appeared,
            updateddate=changed or appeared,
            categories=item.topics,
            content=standalone_html(item.html, page),
        )
    return str(document.writeString("utf-8")).encode() + b"\n"


def in_utc(moment: datetime | None) -> datetime | None:
    return moment and moment.astimezone(UTC).replace(microsecond=0)


def json_feed(site: Site, feed: Feed, address: str) -> dict[str, Any]:
    return {
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.publisher.name,
        "home_page_url": site.url(feed.home),
        "feed_url": site.url(address),
        "description": feed.publisher.summary,
        "language": feed.language,
        "authors": [{"name": feed.publisher.name, "url": site.url(feed.home)}],
        "items": [json_item(site, item) for item in feed.items],
    }


def json_item(site: Site, item: FeedItem) -> dict[str, Any]:
    page = site.url(item.page.address)
    moments = {"date_published": item.page.moment, "date_modified": item.page.changed}
    dates = {name: iso_moment(moment) for name, moment in moments.items() if moment}
    topics = {"tags": list(item.topics)} if item.topics else {}
    authors = {"authors": [{"name": item.author}]} if item.author else {}
    return {
        "id": item.id,
        "url": page,
        "title": item.page.title,
        "summary": collapse_whitespace(item.page.summary),
        "content_html": standalone_html(item.html, page),
        "language": item.page.language,
        **dates,
        **authors,
        **topics,
    }


def standalone_html(html: str, page: str) -> str:
    """Return the HTML of a text for use outside of its page.

    Links and images become absolute. Links beside headings are removed, because they are empty
    without the site's style sheet, and narrower files, whose column is that of the site.
    """
    without_anchors = _SMALL_IMAGE.sub("", _HEADING_ANCHOR.sub("", html))
    return _LINK_TARGET.sub(
        lambda match: escape(absolute_address(page, unescape(match[0]))), without_anchors
    )


def absolute_address(page: str, target: str) -> str:
    """Return an absolute address; a target that cannot be parsed, such as `//[`, stays as it is."""
    try:
        return urljoin(page, target)
    except ValueError:
        return target
