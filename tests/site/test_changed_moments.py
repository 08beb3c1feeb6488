"""An edit of published content is seen wherever a document tells when it last changed."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from django.utils import timezone

from catalogue.models import App, Post, State
from tests import rows
from tests.freeze import makers
from tests.site.reading import served

ROOT = "https://studio.example"
LATE = datetime(2026, 11, 1, 18, 30, tzinfo=UTC)
"""2 November in the studio's time zone, seven hours ahead."""
ATOM = {"a": "http://www.w3.org/2005/Atom"}

pytestmark = pytest.mark.django_db
Read = Callable[[str], str]


@pytest.fixture(params=["live", "frozen"])
def read(request: pytest.FixtureRequest, tmp_path: Path) -> Read:
    """Reads a document of the site as it is when it is asked for the first time."""
    makers.make_site()
    Post.objects.filter(slug="newer").update(publish_at=LATE)
    return served if request.param == "live" else frozen_into(tmp_path)


def frozen_into(folder: Path) -> Read:
    def read(address: str) -> str:
        makers.freeze_into(folder, share=None)
        return makers.served(folder, makers.entries(folder)[address]).decode()

    return read


def lastmods(read: Read) -> dict[str, str]:
    found = re.findall(r"<loc>([^<]*)</loc><lastmod>([^<]*)<", read("/sitemap.xml"))
    return {address.removeprefix(ROOT): moment for address, moment in found}


def told(read: Read, slug: str) -> dict[str, datetime]:
    """When a post last changed, by the document that tells it."""
    page = f"/blog/{slug}"
    feed = ET.fromstring(read("/blog/feed.xml"))  # noqa: S314
    atom = {entry.findtext("a:id", "", ATOM): entry for entry in feed.iterfind("a:entry", ATOM)}
    items = {item["url"]: item for item in json.loads(read("/blog/feed.json"))["items"]}
    found = {
        "sitemap": lastmods(read)[page],
        "atom": atom[ROOT + page].findtext("a:updated", "", ATOM),
        "json": items[ROOT + page]["date_modified"],
        "page": re.findall(r'"dateModified":\s?"([^"]*)"', read(page))[0],
    }
    return {name: datetime.fromisoformat(moment) for name, moment in found.items()}


def now() -> datetime:
    return timezone.now().replace(microsecond=0)


def test_a_post_that_was_not_edited_changed_when_it_appeared(read: Read) -> None:
    assert set(told(read, "newer").values()) == {LATE}
    assert lastmods(read)["/apps/an-app"] == "2026-01-05T09:00:00+07:00"


def test_days_are_those_of_the_studio(read: Read) -> None:
    post = json.loads(read("/api/v1/posts/newer"))["data"]

    assert post["date"] == "2026-11-02"
    assert lastmods(read)["/blog/newer"] == "2026-11-02T01:30:00+07:00"


@pytest.mark.parametrize("field", ["title_en", "body_en", "body_vi", "excerpt_en"])
def test_an_edit_is_told_by_all_of_them(field: str, read: Read) -> None:
    read("/sitemap.xml")
    before = now()
    makers.edit("newer", **{field: "Another text. And more."})

    moments = told(read, "newer")
    assert all(before <= moment <= now() for moment in moments.values()), moments
    assert len(set(moments.values())) == 1
    assert set(told(read, "older").values()) == {rows.PAST}


def test_an_edit_of_an_app_is_told(read: Read) -> None:
    before = now()
    App.objects.update(description_en="Another text.")

    assert datetime.fromisoformat(lastmods(read)["/apps/an-app"]) >= before


def test_a_list_changed_when_one_of_its_posts_did(read: Read) -> None:
    assert lastmods(read)["/blog/years/2026"] == "2026-11-02T01:30:00+07:00"
    before = now()
    makers.edit("older", title_en="Another title")

    assert datetime.fromisoformat(lastmods(read)["/blog/years/2026"]) >= before


def test_an_edit_of_a_draft_is_as_old_as_its_publication(read: Read) -> None:
    draft = rows.make_post(slug="draft", state=State.DRAFT, publish_at=None)
    draft.title_en = "Another title"
    draft.save()
    draft.state, draft.publish_at = State.PUBLISHED, timezone.now() + timedelta(seconds=-1)
    draft.save()

    assert max(told(read, "draft").values()) <= now()
