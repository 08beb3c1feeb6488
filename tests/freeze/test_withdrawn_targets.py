"""A milestone does not link to a withdrawn page, live or frozen."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from catalogue.models import App, Post, State, TimelineLink
from tests import factories
from tests.freeze import sites, target_files
from tests.freeze.frozen_copies import CopySite
from tests.freeze.live_requests import ask

pytestmark = pytest.mark.django_db
ALL_CHANGES = pytest.mark.exhaustive("freezes a site and asks for six pages for each change")
ADDRESSES = ("/", "/vi", "/timeline", "/vi/timeline", "/timeline.md", "/vi/timeline.md")


def list_links(body: bytes) -> list[str]:
    entries: list[dict[str, Any]] = orjson.loads(body)["data"]
    return [link["href"] for entry in entries for link in entry.get("links", ())]


@pytest.fixture
def site_with_links(copy_site: CopySite) -> Path:
    """A release with a milestone that links to an app, its Vietnamese page and a standing page."""
    return copy_site(freeze_links)


def freeze_links(target: Path) -> None:
    sites.make_site()
    for slug, vietnamese in (("home", "Chào."), ("timeline", "Cột mốc."), ("about", "Studio.")):
        page = factories.Page.objects.filter(slug=slug).first() or factories.make_page(slug=slug)
        page.title_vi, page.body_vi = "Tiêu đề", vietnamese
        page.save()
    factories.make_app(slug="gone", description_vi="Nó đo.")
    entry = factories.make_entry(slug="linking", date="2026-10")
    for position, href in enumerate(("/apps/gone", "/vi/apps/gone", "/about")):
        TimelineLink.objects.create(
            entry=entry, href=href, label_en="It", label_vi="Nó", position=position
        )
    sites.freeze_into(target)


@pytest.mark.parametrize(
    ("change", "left"),
    [
        ({"state": State.DRAFT}, []),
        ({"description_vi": ""}, ["/apps/gone"]),
        pytest.param({"publish_at": "2126-01-01T00:00:00Z"}, [], marks=ALL_CHANGES),
        pytest.param({"slug": "renamed"}, ["/apps/gone", "/vi/apps/gone"], marks=ALL_CHANGES),
    ],
)
def test_links_of_a_milestone_to_a_withdrawn_page_are_left_out(
    site_with_links: Path, change: dict[str, Any], left: list[str]
) -> None:
    App.objects.filter(slug="gone").update(**change)
    Post.objects.filter(app__slug="gone").update(app=None)

    untranslated = {"/vi/apps/gone", "/vi/apps/gone.md"} if "description_vi" in change else ()
    sites.freeze_into(site_with_links, sites.LATER, retired=untranslated)
    entries = target_files.read_entries(site_with_links)

    root = "https://studio.example"
    expected = [f"{root}{href}" for href in (*left, "/about")]
    live = ask("/api/v1/timeline").content
    frozen = target_files.read_body(site_with_links, entries["/api/v1/timeline"])
    assert list_links(live) == list_links(frozen) == expected
    for address in ADDRESSES:
        found = b"apps/gone" in ask(address).content
        assert (
            found
            == (b"apps/gone" in target_files.read_body(site_with_links, entries[address]))
            == bool(left)
        )


def test_the_vietnamese_timeline_links_to_vietnamese_standing_pages(site_with_links: Path) -> None:
    entries = target_files.read_entries(site_with_links)

    assert b'href="/vi/about"' in target_files.read_body(site_with_links, entries["/vi/timeline"])
    assert b'href="/about"' in target_files.read_body(site_with_links, entries["/timeline"])
    assert b'href="/vi/about"' in ask("/vi").content
