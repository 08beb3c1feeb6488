"""A milestone does not link to a withdrawn page, live or frozen."""

from typing import Any

import orjson
import pytest

from catalogue.models import App, Post, State, TimelineLink
from tests import factories
from tests.freeze import sites, target_files
from tests.freeze.frozen_copies import CopySite
from tests.freeze.live_requests import ask

ALL_CHANGES = pytest.mark.exhaustive("freezes a site and asks for six pages for each change")
ADDRESSES = ("/", "/vi", "/timeline", "/vi/timeline", "/timeline.md", "/vi/timeline.md")


def make_links() -> None:
    """Create a milestone that links to an app, its Vietnamese page and a standing page."""
    sites.make_site()
    for slug in ("home", "timeline", "about"):
        page = factories.Page.objects.filter(slug=slug).first() or factories.make_page(slug=slug)
        page.title_vi, page.body_vi = "Tiêu đề", "Chào."
        page.save()
    factories.make_app(slug="gone", description_vi="Nó đo.")
    entry = factories.make_entry(slug="linking", date="2026-10")
    for position, href in enumerate(("/apps/gone", "/vi/apps/gone", "/about")):
        TimelineLink.objects.create(
            entry=entry, href=href, label_en="It", label_vi="Nó", position=position
        )


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
    copy_site: CopySite, change: dict[str, Any], left: list[str]
) -> None:
    site = copy_site(make_links)
    App.objects.filter(slug="gone").update(**change)
    Post.objects.filter(app__slug="gone").update(app=None)

    untranslated = {"/vi/apps/gone", "/vi/apps/gone.md"} if "description_vi" in change else ()
    sites.freeze_into(site, sites.LATER, retired=untranslated)

    entries = target_files.read_entries(site)
    for address in (*ADDRESSES, "/api/v1/timeline"):
        frozen, live = target_files.read_body(site, entries[address]), ask(address).content
        if address.startswith("/api"):
            for body in (frozen, live):
                rows = orjson.loads(body)["data"]
                links = [link["href"] for row in rows for link in row.get("links", ())]
                assert links == [f"https://studio.example{href}" for href in (*left, "/about")]
        else:
            assert (b"apps/gone" in frozen) == (b"apps/gone" in live) == bool(left)
    # A standing page is linked in the language of the page.
    for address, link in {"/vi/timeline": b"/vi/about", "/timeline": b"/about"}.items():
        assert b'href="%b"' % link in target_files.read_body(site, entries[address])
