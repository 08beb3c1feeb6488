"""The articles as feeds, the newest first: Atom (RFC 4287) and JSON Feed 1.1 (jsonfeed.org)."""

from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape
from typing import Any

from django.utils.feedgenerator import Atom1Feed

from catalogue import addresses
from catalogue.addresses import Site
from catalogue.localized import ENGLISH
from catalogue.moments import iso_moment
from site_mirror.listing import Listed, Publisher, one_line

LENGTH = 50
"""Articles in a feed."""

NOTHING_YET = datetime(1970, 1, 1, tzinfo=UTC)
"""When a feed without articles last changed: a feed must say, and no clock may."""


class AtomFeed(Atom1Feed):
    """An Atom feed that asks no clock."""

    def latest_post_date(self) -> datetime:
        return max((item["updateddate"] for item in self.items), default=NOTHING_YET)


def atom(site: Site, publisher: Publisher, posts: Sequence[Listed]) -> bytes:
    """The newest articles as Atom, UTF-8, each with its summary."""
    address = site.url(addresses.ATOM_FEED)
    feed = AtomFeed(
        title=publisher.name,
        link=site.url(addresses.HOME),
        description="",
        subtitle=publisher.summary,
        language=ENGLISH,
        author_name=publisher.name,
        author_email=publisher.email,
        author_link=site.url(addresses.HOME),
        feed_url=address,
        feed_guid=address,
    )
    for post in posts:
        page = site.url(post.address)
        moment = post.moment and post.moment.astimezone(UTC)
        summary = escape(one_line(post.summary), quote=False)
        feed.add_item(post.title, page, summary, unique_id=page, pubdate=moment, updateddate=moment)
    return str(feed.writeString("utf-8")).encode() + b"\n"


def json(site: Site, publisher: Publisher, posts: Sequence[Listed]) -> dict[str, Any]:
    """The same articles as JSON Feed."""
    return {
        "version": "https://jsonfeed.org/version/1.1",
        "title": publisher.name,
        "home_page_url": site.url(addresses.HOME),
        "feed_url": site.url(addresses.JSON_FEED),
        "description": publisher.summary,
        "language": ENGLISH,
        "authors": [{"name": publisher.name, "url": site.url(addresses.HOME)}],
        "items": [item(site, post) for post in posts],
    }


def item(site: Site, post: Listed) -> dict[str, Any]:
    page = site.url(post.address)
    published = {"date_published": iso_moment(post.moment)} if post.moment else {}
    return {
        "id": page,
        "url": page,
        "title": post.title,
        "content_text": one_line(post.summary),
        "language": post.language,
        **published,
    }
