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
from catalogue.models import App, Post, Tag
from site_mirror.documents.summaries import PageSummary
from site_mirror.machine import feeds
from site_mirror.machine.feeds import Feed, FeedItem
from tests import factories
from tests.pages.page_reader import (
    MOMENT,
    SITE,
    STUDIO,
    find_failing,
    make_page_summary,
    read_document,
)

ATOM = {"a": "http://www.w3.org/2005/Atom"}
FOLDERS = {"en": "", "vi": "/vi"}
EACH_LANGUAGE = pytest.mark.parametrize("language", FOLDERS)


def parse_atom(xml: str | bytes) -> tuple[ET.Element, list[ET.Element]]:
    """Return a feed and its entries."""
    feed = ET.fromstring(xml)  # noqa: S314
    return feed, list(feed.iterfind("a:entry", ATOM))


def child_text(element: ET.Element, name: str) -> str:
    return str(element.findtext(f"a:{name}", None, ATOM))


def make_feed(posts: list[PageSummary], html: str = "<p>Text.</p>") -> Feed:
    return Feed("en", "/", STUDIO, [FeedItem("urn:x:1", post, html) for post in posts])


def write_atom(posts: list[PageSummary], html: str = "<p>Text.</p>") -> bytes:
    return feeds.atom_feed(SITE, make_feed(posts, html), "/blog/feed.xml")


def write_json(posts: list[PageSummary], html: str = "<p>Text.</p>") -> dict[str, Any]:
    return feeds.json_feed(SITE, make_feed(posts, html), "/blog/feed.json")


def read_feeds(language: str) -> tuple[ET.Element, dict[str, Any]]:
    """Return both feeds of a language, whose articles must be the same."""
    folder = FOLDERS[language]
    atom, entries = parse_atom(read_document(f"{folder}/blog/feed.xml"))
    feed = json.loads(read_document(f"{folder}/blog/feed.json"))
    assert [
        (
            child_text(entry, "id"),
            child_text(entry, "title"),
            child_text(entry, "published").replace("+00:00", "Z"),
            unescape(child_text(entry, "summary")),
            child_text(entry, "content"),
        )
        for entry in entries
    ] == [
        tuple(item[name] for name in ("id", "title", "date_published", "summary", "content_html"))
        for item in feed["items"]
    ]
    return atom, feed


@EACH_LANGUAGE
def test_a_language_has_feeds_of_its_articles_newest_first(
    shipped_site: None, language: str
) -> None:
    posts = questions.posts_in(datetime.now(UTC), language=language)
    folder = FOLDERS[language]

    atom, feed = read_feeds(language)

    addresses = [item["url"] for item in feed["items"]]
    assert addresses == [SITE.url(f"{folder}/blog/{post.slug}") for post in posts] != []
    assert all(item["id"].startswith("urn:uuid:") for item in feed["items"])
    assert find_failing(set(addresses)) == {}
    assert feed["language"] == language
    assert feed["home_page_url"] == SITE.url(folder or "/")
    assert atom.attrib["{http://www.w3.org/XML/1998/namespace}lang"] == language
    assert {item["language"] for item in feed["items"]} == {language}
    announced = re.findall(
        r'<link rel="alternate" type="application/(?:atom|feed)[^"]*" href="(.*?)"',
        read_document(f"{folder}/blog"),
    )
    assert announced == [f"{folder}/blog/feed.xml", f"{folder}/blog/feed.json"]


def test_an_article_keeps_its_id_whatever_is_renamed(db: None, settings: Any) -> None:
    """A reader shows an article with another id again. Both languages may be in one reader."""
    factories.make_studio()
    app, tag = factories.make_app(), factories.make_tag()
    post = factories.make_translated_post(slug="first", app=app)
    post.tags.add(tag)
    before = read_ids()

    for model in (App, Tag, Post):
        model.objects.update(slug="renamed")
    Post.objects.update(title_en="Another", title_vi="Khác")
    settings.SITE_ROOT = "https://elsewhere.example"
    settings.ALLOWED_HOSTS = ["*"]
    factories.make_translated_post(slug="first", publish_at=factories.PAST - timedelta(days=1))

    after = read_ids()
    assert [ids[0] for ids in after] == [ids[0] for ids in before]
    assert len({each for ids in after for each in ids}) == 4


def read_ids() -> list[list[str]]:
    """Return the ids of the articles in the feeds of each language, the newest first."""
    return [[item["id"] for item in read_feeds(language)[1]["items"]] for language in FOLDERS]


def test_the_feeds_have_what_their_standards_require(shipped_site: None) -> None:
    atom, feed = read_feeds("en")
    links = {link.attrib["rel"]: link.attrib["href"] for link in atom.iterfind("a:link", ATOM)}
    moments = [child_text(entry, "updated") for entry in atom.iterfind("a:entry", ATOM)]

    assert child_text(atom, "id") == "https://studio.example/blog/feed.xml"
    assert child_text(atom, "title") == "Plumbline Studio"
    assert atom.findtext("a:author/a:name", None, ATOM) == "Plumbline Studio"
    assert links == {"alternate": SITE.url("/"), "self": SITE.url("/blog/feed.xml")}
    assert child_text(atom, "updated") == moments[0] == "2026-10-26T02:00:00+00:00"
    assert all(datetime.fromisoformat(moment) <= datetime.now(UTC) for moment in moments)
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert feed["feed_url"] == "https://studio.example/blog/feed.json"
    assert feed["authors"] == [{"name": "Plumbline Studio", "url": "https://studio.example/"}]


def test_a_summary_in_a_feed_is_text_without_markup() -> None:
    posts = [make_page_summary(summary="a < b & <b>c</b>\nd", title="<i>")]
    [entry] = parse_atom(write_atom(posts))[1]

    assert child_text(entry, "title") == "<i>"
    assert child_text(entry, "summary") == "a &lt; b &amp; &lt;b&gt;c&lt;/b&gt; d"
    assert write_json(posts)["items"][0]["summary"] == "a < b & <b>c</b> d"


def test_moments_of_a_feed_are_in_utc() -> None:
    appeared, edited = (datetime.fromisoformat(f"2026-10-2{n}T09:00:00+07:00") for n in (6, 7))
    posts = [make_page_summary(moment=appeared), make_page_summary(moment=appeared, changed=edited)]
    entries = parse_atom(write_atom(posts))[1]
    items = write_json(posts)["items"]

    assert {child_text(each, "published") for each in entries} == {"2026-10-26T02:00:00+00:00"}
    assert [child_text(each, "updated")[:10] for each in entries] == ["2026-10-26", "2026-10-27"]
    assert {item["date_published"] for item in items} == {"2026-10-26T02:00:00Z"}
    assert [item.get("date_modified") for item in items] == [None, "2026-10-27T02:00:00Z"]


def test_an_empty_feed_does_not_depend_on_the_clock() -> None:
    assert b"<updated>1970-01-01T00:00:00+00:00</updated>" in write_atom([])
    assert write_json([])["items"] == []


def test_a_feed_has_the_newest_twenty(db: None) -> None:
    factories.make_studio()
    for number in range(feeds.MAX_ARTICLES_IN_FEED + 1):
        factories.make_post(slug=f"post-{number}", publish_at=MOMENT + timedelta(hours=number))

    addresses = [item["url"] for item in read_feeds("en")[1]["items"]]
    assert len(addresses) == feeds.MAX_ARTICLES_IN_FEED == 20
    assert SITE.url("/blog/post-0") not in addresses


@EACH_LANGUAGE
def test_an_article_of_a_feed_has_its_complete_text_with_absolute_links(
    shipped_site: None, language: str
) -> None:
    articles = {item["url"]: item["content_html"] for item in read_feeds(language)[1]["items"]}

    for url, html in articles.items():
        page = read_document(urlsplit(url).path)
        headings = re.findall(r"<h2[^>]*>(.*?)</h2>", html)
        assert len(headings) > 2
        assert [heading for heading in headings if f">{heading}</h2>" not in page] == []
        last = re.findall(r"<p>(.*?)</p>", html, re.DOTALL)[-1]
        assert re.sub(r'href="[^"]*"', "", last) in re.sub(r'href="[^"]*"', "", page)
    links = re.findall(r'(?:href|src)="(.*?)"', "".join(articles.values()))
    assert any(link.startswith(SITE.url(f"{FOLDERS[language]}/apps/")) for link in links)
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
    [entry] = parse_atom(write_atom([make_page_summary()], html))[1]
    assert child_text(entry, "content") == content


def test_an_article_of_a_feed_names_its_topics_and_its_author(db: None) -> None:
    factories.make_studio()
    factories.make_translated_post(slug="by-the-studio")
    author = factories.make_team_member(name="Thảo")
    post = factories.make_translated_post(slug="with-a-topic", publish_at=MOMENT, author=author)
    post.tags.add(Tag.objects.create(slug="sound", name_en="Sound", name_vi="Âm thanh"))

    for language, name in (("en", "Sound"), ("vi", "Âm thanh")):
        atom, feed = read_feeds(language)
        topics = atom.iterfind("a:entry/a:category", ATOM)
        assert [topic.attrib["term"] for topic in topics] == [name]
        assert feed["items"][0]["tags"] == [name]
        names = atom.iterfind("a:entry/a:author/a:name", ATOM)
        assert [each.text for each in names] == ["Thảo"]
        assert [item.get("authors") for item in feed["items"]] == [[{"name": "Thảo"}], None]
        # The home page has no text, so there is none in Vietnamese.
        assert feed["home_page_url"] == SITE.url("/")
