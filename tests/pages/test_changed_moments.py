"""All documents that state when a post or an app last changed show an edit."""

import json
import re
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as ET

import pytest
from django.utils import timezone

from catalogue.models import App, Post, State
from tests import factories
from tests.freeze import sites
from tests.pages.page_reader import read_document

ROOT = "https://studio.example"
EVENING = datetime(2026, 11, 1, 18, 30, tzinfo=UTC)
"""An evening in UTC, which is 2 November in the studio's time zone (UTC+7)."""
ATOM = {"a": "http://www.w3.org/2005/Atom"}

FIELDS = ("title_en", "body_en", "body_vi", "excerpt_en")


@pytest.fixture(autouse=True)
def small_site(db: None) -> None:
    sites.make_site()
    Post.objects.filter(slug="newer").update(publish_at=EVENING)


def read_lastmods() -> dict[str, str]:
    matches = re.findall(r"<loc>([^<]*)</loc><lastmod>([^<]*)<", read_document("/sitemap.xml"))
    return {address.removeprefix(ROOT): moment for address, moment in matches}


def moments_of_post(slug: str) -> dict[str, datetime]:
    """Return the moment of a post's last change as each document states it."""
    page = f"/blog/{slug}"
    feed = ET.fromstring(read_document("/blog/feed.xml"))  # noqa: S314
    entries = feed.findall("a:entry", ATOM)
    atom = {
        str(link.get("href")): each for each in entries for link in each.findall("a:link", ATOM)
    }
    items = {item["url"]: item for item in json.loads(read_document("/blog/feed.json"))["items"]}
    texts = {
        "sitemap": read_lastmods()[page],
        "atom": atom[ROOT + page].findtext("a:updated", "", ATOM),
        "json": items[ROOT + page]["date_modified"],
        "page": re.findall(r'"dateModified":\s?"([^"]*)"', read_document(page))[0],
    }
    return {name: datetime.fromisoformat(moment) for name, moment in texts.items()}


def present_second() -> datetime:
    return timezone.now().replace(microsecond=0)


def test_an_unedited_row_last_changed_when_it_was_published() -> None:
    assert set(moments_of_post("newer").values()) == {EVENING}
    lastmods = read_lastmods()
    assert lastmods["/apps/an-app"] == "2026-01-05T09:00:00+07:00"
    assert lastmods["/blog/newer"] == lastmods["/blog/years/2026"] == "2026-11-02T01:30:00+07:00"
    assert json.loads(read_document("/api/v1/posts/newer"))["data"]["date"] == "2026-11-02"


@pytest.mark.parametrize("field", FIELDS)
def test_all_documents_state_the_moment_of_an_edit(field: str) -> None:
    before = present_second()
    sites.edit_post("newer", **{field: "Another text. And more."})

    moments = moments_of_post("newer")
    assert all(before <= moment <= present_second() for moment in moments.values()), moments
    assert len(set(moments.values())) == 1
    assert set(moments_of_post("older").values()) == {factories.PAST}


def test_the_site_map_states_the_moment_of_an_edit_of_an_app_and_of_a_list() -> None:
    before = present_second()
    App.objects.update(description_en="Another text.")
    sites.edit_post("older", title_en="Another title")

    lastmods = read_lastmods()
    for address in ("/apps/an-app", "/blog/years/2026"):
        assert datetime.fromisoformat(lastmods[address]) >= before


def test_the_last_change_of_a_published_draft_is_not_after_its_publication() -> None:
    draft = factories.make_post(slug="draft", state=State.DRAFT, publish_at=None)
    draft.title_en = "Another title"
    draft.save()
    draft.state, draft.publish_at = State.PUBLISHED, timezone.now() + timedelta(seconds=-1)
    draft.save()

    assert max(moments_of_post("draft").values()) <= present_second()


def test_an_article_names_its_author_and_the_day_of_its_last_change() -> None:
    thao = factories.make_team_member(handle="thao", name="Thảo", role_en="QA")
    Post.objects.filter(slug="newer").update(author=thao)
    page, mirror = read_document("/blog/newer"), read_document("/blog/newer.md")

    assert '<a href="/about#person_thao">Thảo</a>' in page
    assert "[Thảo](https://studio.example/about#person_thao) · 2 November 2026" in mirror
    assert "updated" not in page + mirror
    data = json.loads(re.findall(r'ld\+json">({.*?BlogPosting.*?})</script>', page)[0])
    assert data["author"]["name"] == "Thảo"

    Post.objects.filter(slug="newer").update(edited_at=EVENING + timedelta(days=1))
    assert "updated 3 November 2026" in read_document("/blog/newer.md")
    assert 'id="person_thao">Thảo</h3>' in read_document("/about")
