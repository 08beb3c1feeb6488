"""A milestone does not go on linking to a page that was withdrawn, live or frozen."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from catalogue.models import App, Post, State, TimelineLink
from tests import rows
from tests.freeze import makers
from tests.freeze.asking import ask

pytestmark = pytest.mark.django_db
ADDRESSES = ("/", "/vi", "/timeline", "/vi/timeline", "/timeline.md", "/vi/timeline.md")


def links(body: bytes) -> list[str]:
    entries: list[dict[str, Any]] = orjson.loads(body)["data"]
    return [link["href"] for entry in entries for link in entry.get("links", ())]


@pytest.fixture
def linked(tmp_path: Path) -> Path:
    """A release whose one milestone links to an app, to its Vietnamese page, and to a text."""
    makers.make_site()
    for slug, vietnamese in (("home", "Chào."), ("timeline", "Cột mốc."), ("about", "Studio.")):
        page = rows.Page.objects.filter(slug=slug).first() or rows.make_page(slug=slug)
        page.title_vi, page.body_vi = "Tiêu đề", vietnamese
        page.save()
    rows.make_app(slug="gone", description_vi="Nó đo.")
    entry = rows.make_entry(slug="linking", date="2026-10")
    for position, href in enumerate(("/apps/gone", "/vi/apps/gone", "/about")):
        TimelineLink.objects.create(
            entry=entry, href=href, label_en="It", label_vi="Nó", position=position
        )
    makers.freeze_into(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("change", "left"),
    [
        ({"state": State.DRAFT}, []),
        ({"publish_at": "2126-01-01T00:00:00Z"}, []),
        ({"description_vi": ""}, ["/apps/gone"]),
        ({"slug": "renamed"}, ["/apps/gone", "/vi/apps/gone"]),
    ],
)
def test_its_links_are_left_out(linked: Path, change: dict[str, Any], left: list[str]) -> None:
    App.objects.filter(slug="gone").update(**change)
    Post.objects.filter(app__slug="gone").update(app=None)

    untranslated = {"/vi/apps/gone", "/vi/apps/gone.md"} if "description_vi" in change else ()
    makers.freeze_into(linked, makers.LATER, retired=untranslated)
    entries = makers.entries(linked)

    root = "https://studio.example"
    expected = [f"{root}{href}" for href in (*left, "/about")]
    live = ask("/api/v1/timeline").content
    frozen = makers.served(linked, entries["/api/v1/timeline"])
    assert links(live) == links(frozen) == expected
    for address in ADDRESSES:
        found = b"apps/gone" in ask(address).content
        assert found == (b"apps/gone" in makers.served(linked, entries[address])) == bool(left)


def test_the_vietnamese_timeline_links_to_vietnamese_standing_pages(linked: Path) -> None:
    entries = makers.entries(linked)

    assert b'href="/vi/about"' in makers.served(linked, entries["/vi/timeline"])
    assert b'href="/about"' in makers.served(linked, entries["/timeline"])
    assert b'href="/vi/about"' in ask("/vi").content
