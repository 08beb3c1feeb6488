"""The articles as feeds: the newest first, with real moments, the same in both formats."""

import json
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any
from xml.etree import ElementTree as ET

from catalogue import questions
from site_mirror.listing import Listed
from site_mirror.machine import feeds
from tests import rows
from tests.site.reading import MOMENT, SITE, STUDIO, page, served, statuses

ATOM = {"a": "http://www.w3.org/2005/Atom"}
FIELDS = ("id", "title", "published", "summary")


def atom(xml: str) -> ET.Element:
    return ET.fromstring(xml)  # noqa: S314


def text(element: ET.Element, name: str) -> str:
    return str(element.findtext(f"a:{name}", None, ATOM))


def atom_items(xml: str) -> list[tuple[str, ...]]:
    return [
        (*(text(entry, name) for name in FIELDS[:3]), unescape(text(entry, "summary")))
        for entry in atom(xml).iterfind("a:entry", ATOM)
    ]


def json_items(body: str) -> list[tuple[str, ...]]:
    names = ("id", "title", "date_published", "content_text")
    return [tuple(item[name] for name in names) for item in json.loads(body)["items"]]


def as_json(posts: list[Listed]) -> dict[str, Any]:
    return feeds.json(SITE, STUDIO, posts)


def test_both_feeds_have_the_same_articles(shipped_site: None) -> None:
    found = [
        (*item[:2], item[2].replace("+00:00", "Z"), item[3])
        for item in atom_items(served("/blog/feed.xml"))
    ]

    assert found
    assert found == json_items(served("/blog/feed.json"))


def test_the_articles_are_those_of_the_blog_the_newest_first(shipped_site: None) -> None:
    posts = questions.posts(datetime.now(UTC))

    addresses = [item[0] for item in json_items(served("/blog/feed.json"))]
    assert addresses == [SITE.url(f"/blog/{post.slug}") for post in posts]


def test_every_article_answers(shipped_site: None) -> None:
    assert statuses({item[0] for item in json_items(served("/blog/feed.json"))}) == {}


def test_an_atom_feed_has_what_the_standard_requires(shipped_site: None) -> None:
    feed = atom(served("/blog/feed.xml"))
    entries = list(feed.iterfind("a:entry", ATOM))

    assert text(feed, "id") == "https://studio.example/blog/feed.xml"
    assert text(feed, "title") == feed.findtext("a:author/a:name", None, ATOM) == "Plumbline Studio"
    links = {link.attrib["rel"]: link.attrib["href"] for link in feed.iterfind("a:link", ATOM)}
    assert links == {"alternate": SITE.url("/"), "self": SITE.url("/blog/feed.xml")}
    assert text(feed, "updated") == text(entries[0], "updated") == "2026-10-26T02:00:00+00:00"
    for entry in entries:
        assert datetime.fromisoformat(text(entry, "updated")) <= datetime.now(UTC)


def test_a_json_feed_names_itself_and_its_author(shipped_site: None) -> None:
    feed = json.loads(served("/blog/feed.json"))

    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert feed["feed_url"] == "https://studio.example/blog/feed.json"
    assert feed["authors"] == [{"name": "Plumbline Studio", "url": "https://studio.example/"}]


def test_a_summary_is_text_and_never_markup() -> None:
    posts = [page(summary="a < b & <b>c</b>\nd", title="<i>")]

    assert atom_items(feeds.atom(SITE, STUDIO, posts).decode())[0][1:4:2] == (
        "<i>",
        "a < b & <b>c</b> d",
    )
    assert b"a &amp;lt; b &amp;amp; &amp;lt;b&amp;gt;" in feeds.atom(SITE, STUDIO, posts)
    assert as_json(posts)["items"][0]["content_text"] == "a < b & <b>c</b> d"


def test_moments_are_told_in_utc() -> None:
    posts = [page(moment=datetime.fromisoformat("2026-10-26T09:00:00+07:00"))]

    assert b"<updated>2026-10-26T02:00:00+00:00</updated>" in feeds.atom(SITE, STUDIO, posts)
    assert as_json(posts)["items"][0]["date_published"] == "2026-10-26T02:00:00Z"


def test_a_feed_without_articles_asks_no_clock() -> None:
    assert b"<updated>1970-01-01T00:00:00+00:00</updated>" in feeds.atom(SITE, STUDIO, [])
    assert as_json([])["items"] == []


def test_a_feed_has_the_newest_fifty(db: None) -> None:
    rows.make_studio()
    for number in range(feeds.LENGTH + 1):
        rows.make_post(slug=f"post-{number}", publish_at=MOMENT + timedelta(hours=number))

    addresses = [item[0] for item in json_items(served("/blog/feed.json"))]
    assert len(addresses) == feeds.LENGTH == 50
    assert SITE.url("/blog/post-0") not in addresses
    assert addresses == [item[0] for item in atom_items(served("/blog/feed.xml"))]
