"""The feeds: the newest articles first, with moments and complete texts, in both formats."""

import json
import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest

from catalogue import questions
from catalogue.localized import LANGUAGES
from catalogue.models import Tag
from site_mirror.documents.summaries import PageSummary
from site_mirror.machine import feeds
from site_mirror.machine.feeds import Feed, FeedItem
from tests import factories
from tests.site.page_reader import (
    MOMENT,
    SITE,
    STUDIO,
    make_page_summary,
    read_document,
)

ATOM = {"a": "http://www.w3.org/2005/Atom"}
FIELDS = ("id", "title", "published", "summary")


def parse_atom(xml: str) -> ET.Element:
    return ET.fromstring(xml)  # noqa: S314


def child_text(element: ET.Element, name: str) -> str:
    return str(element.findtext(f"a:{name}", None, ATOM))


def read_atom_items(xml: str) -> list[tuple[str, ...]]:
    return [
        (*(child_text(entry, name) for name in FIELDS[:3]), unescape(child_text(entry, "summary")))
        for entry in parse_atom(xml).iterfind("a:entry", ATOM)
    ]


def read_json_items(body: str) -> list[tuple[str, ...]]:
    names = ("id", "title", "date_published", "summary")
    return [tuple(item[name] for name in names) for item in json.loads(body)["items"]]


def make_feed(posts: list[PageSummary], html: str = "<p>Text.</p>") -> Feed:
    return Feed("en", "/", STUDIO, [FeedItem(post, html) for post in posts])


def write_atom(posts: list[PageSummary], html: str = "<p>Text.</p>") -> bytes:
    return feeds.atom_feed(SITE, make_feed(posts, html), "/blog/feed.xml")


def write_json(posts: list[PageSummary], html: str = "<p>Text.</p>") -> dict[str, Any]:
    return feeds.json_feed(SITE, make_feed(posts, html), "/blog/feed.json")


def test_both_feeds_have_the_same_articles(shipped_site: None) -> None:
    found = [
        (*item[:2], item[2].replace("+00:00", "Z"), item[3])
        for item in read_atom_items(read_document("/blog/feed.xml"))
    ]

    assert found
    assert found == read_json_items(read_document("/blog/feed.json"))


def test_an_atom_feed_has_what_the_standard_requires(shipped_site: None) -> None:
    feed = parse_atom(read_document("/blog/feed.xml"))
    entries = list(feed.iterfind("a:entry", ATOM))

    assert child_text(feed, "id") == "https://studio.example/blog/feed.xml"
    assert (
        child_text(feed, "title")
        == feed.findtext("a:author/a:name", None, ATOM)
        == "Plumbline Studio"
    )
    links = {link.attrib["rel"]: link.attrib["href"] for link in feed.iterfind("a:link", ATOM)}
    assert links == {"alternate": SITE.url("/"), "self": SITE.url("/blog/feed.xml")}
    assert (
        child_text(feed, "updated")
        == child_text(entries[0], "updated")
        == "2026-10-26T02:00:00+00:00"
    )
    for entry in entries:
        assert datetime.fromisoformat(child_text(entry, "updated")) <= datetime.now(UTC)


def test_a_json_feed_names_itself_and_its_author(shipped_site: None) -> None:
    feed = json.loads(read_document("/blog/feed.json"))

    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert feed["feed_url"] == "https://studio.example/blog/feed.json"
    assert feed["authors"] == [{"name": "Plumbline Studio", "url": "https://studio.example/"}]


def test_a_summary_in_a_feed_is_text_without_markup() -> None:
    posts = [make_page_summary(summary="a < b & <b>c</b>\nd", title="<i>")]

    assert read_atom_items(write_atom(posts).decode())[0][1:4:2] == (
        "<i>",
        "a < b & <b>c</b> d",
    )
    assert b"a &amp;lt; b &amp;amp; &amp;lt;b&amp;gt;" in write_atom(posts)
    assert write_json(posts)["items"][0]["summary"] == "a < b & <b>c</b> d"


def test_moments_of_a_feed_are_in_utc() -> None:
    posts = [make_page_summary(moment=datetime.fromisoformat("2026-10-26T09:00:00+07:00"))]

    assert b"<updated>2026-10-26T02:00:00+00:00</updated>" in write_atom(posts)
    assert write_json(posts)["items"][0]["date_published"] == "2026-10-26T02:00:00Z"


def test_an_empty_feed_does_not_depend_on_the_clock() -> None:
    assert b"<updated>1970-01-01T00:00:00+00:00</updated>" in write_atom([])
    assert write_json([])["items"] == []


def test_a_feed_has_the_newest_twenty(db: None) -> None:
    factories.make_studio()
    for number in range(feeds.MAX_ARTICLES_IN_FEED + 1):
        factories.make_post(slug=f"post-{number}", publish_at=MOMENT + timedelta(hours=number))

    addresses = [item[0] for item in read_json_items(read_document("/blog/feed.json"))]
    assert len(addresses) == feeds.MAX_ARTICLES_IN_FEED == 20
    assert SITE.url("/blog/post-0") not in addresses
    assert addresses == [item[0] for item in read_atom_items(read_document("/blog/feed.xml"))]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_feeds_of_its_own_articles(shipped_site: None, language: str) -> None:
    posts = questions.posts_in(datetime.now(UTC), language=language)
    folder = "" if language == "en" else "/vi"

    feed = json.loads(read_document(f"{folder}/blog/feed.json"))
    document = parse_atom(read_document(f"{folder}/blog/feed.xml"))

    expected = [SITE.url(f"{folder}/blog/{post.slug}") for post in posts]
    assert [item["id"] for item in feed["items"]] == expected
    assert [child_text(entry, "id") for entry in document.iterfind("a:entry", ATOM)] == expected
    assert feed["language"] == language
    assert document.attrib["{http://www.w3.org/XML/1998/namespace}lang"] == language
    assert {item["language"] for item in feed["items"]} == {language}


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_announce_the_feeds_of_their_language(shipped_site: None, language: str) -> None:
    folder = "" if language == "en" else "/vi"

    page = read_document(f"{folder}/blog")

    announced = re.findall(
        r'<link rel="alternate" type="application/(?:atom|feed)[^"]*" href="(.*?)"', page
    )
    assert announced == [f"{folder}/blog/feed.xml", f"{folder}/blog/feed.json"]


def read_contents(language: str) -> list[tuple[str, str]]:
    """Return the address and the text of each article, which are equal in both formats."""
    folder = "" if language == "en" else "/vi"
    items = json.loads(read_document(f"{folder}/blog/feed.json"))["items"]
    found = [(item["url"], item["content_html"]) for item in items]
    entries = parse_atom(read_document(f"{folder}/blog/feed.xml")).iterfind("a:entry", ATOM)
    assert [(child_text(entry, "id"), child_text(entry, "content")) for entry in entries] == found
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_article_of_a_feed_has_its_complete_text(shipped_site: None, language: str) -> None:
    articles = read_contents(language)

    assert articles
    for url, html in articles:
        page = read_document(urlsplit(url).path)
        headings = re.findall(r"<h2[^>]*>(.*?)</h2>", html)
        assert len(headings) > 2
        assert [heading for heading in headings if f">{heading}</h2>" not in page] == []
        last = re.findall(r"<p>(.*?)</p>", html, re.DOTALL)[-1]
        assert re.sub(r'href="[^"]*"', "", last) in re.sub(r'href="[^"]*"', "", page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_of_a_text_in_a_feed_is_absolute(shipped_site: None, language: str) -> None:
    links = [
        link
        for _, html in read_contents(language)
        for link in re.findall(r'(?:href|src)="(.*?)"', html)
    ]

    assert any(link.startswith(SITE.url("/apps/")) or "/vi/apps/" in link for link in links)
    assert [link for link in links if not link.startswith(("http://", "https://", "mailto:"))] == []


def test_relative_links_of_any_kind_become_absolute_in_a_feed() -> None:
    html = (
        '<h2 id="a">A</h2><a class="anchor" href="#a" aria-label="Section “A”"></a>'
        '<a href="#a">1</a> <a href="/apps/x?a=1&amp;b=2">2</a> <a href="other">3</a> '
        '<img src="/icons/x.svg" alt="4"> <a href="https://e.example/">5</a> <a href="//[">6</a> '
        "<code>&lt;a href=&quot;/stays&quot;&gt;</code>"
    )

    content = write_json([make_page_summary()], html)["items"][0]["content_html"]

    assert content == (
        '<h2 id="a">A</h2>'
        '<a href="https://studio.example/blog/a-post#a">1</a> '
        '<a href="https://studio.example/apps/x?a=1&amp;b=2">2</a> '
        '<a href="https://studio.example/blog/other">3</a> '
        '<img src="https://studio.example/icons/x.svg" alt="4"> '
        '<a href="https://e.example/">5</a> <a href="//[">6</a> '
        "<code>&lt;a href=&quot;/stays&quot;&gt;</code>"
    )
    assert content == child_text(
        next(
            parse_atom(write_atom([make_page_summary()], html).decode()).iter(
                f"{{{ATOM['a']}}}entry"
            )
        ),
        "content",
    )


def test_an_article_of_a_feed_names_its_topics(db: None) -> None:
    factories.make_studio()
    post = factories.make_post(
        slug="with-a-topic", publish_at=MOMENT, title_vi="B", excerpt_vi="T.", body_vi="C."
    )
    post.tags.add(Tag.objects.create(slug="sound", name_en="Sound", name_vi="Âm thanh"))

    for folder, name in (("", "Sound"), ("/vi", "Âm thanh")):
        entry = next(parse_atom(read_document(f"{folder}/blog/feed.xml")).iterfind("a:entry", ATOM))
        assert [topic.attrib["term"] for topic in entry.iterfind("a:category", ATOM)] == [name]
        assert json.loads(read_document(f"{folder}/blog/feed.json"))["items"][0]["tags"] == [name]
