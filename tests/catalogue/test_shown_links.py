"""A link of a milestone to a page that readers cannot see is left out of every response."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine

from catalogue.models import State, TimelineLink
from tests.factories import FUTURE, NOW, make_app, make_entry, make_link, make_page, make_post
from tests.freeze.live_requests import ask
from tests.pages.page_reader import SITE, read_document

pytestmark = pytest.mark.django_db

VIETNAMESE = {"title_vi": "Bài", "excerpt_vi": "Một câu.", "body_vi": "Nội dung."}
APP_VI = {"description_vi": "Nó đo."}


def read_shown_links(*, at: Any = NOW) -> list[str]:
    """Return the links of the only milestone; the API and the page have the same."""
    with time_machine.travel(at, tick=False):
        [entry] = ask("/api/v1/timeline").json()["data"]
        mirror = read_document("/timeline.md")
    links = [link["href"] for link in entry.get("links", ())]
    assert re.findall(r"\[A link\]\(([^)]*)\)", mirror) == links
    return [link.removeprefix(SITE.root) for link in links]


def make_entry_with_links(*hrefs: str) -> None:
    make_page(slug="timeline")
    entry = make_entry()
    for position, href in enumerate(hrefs):
        make_link(entry=entry, href=href, position=position)


@pytest.mark.parametrize(
    ("make", "page", "translation"),
    [(make_app, "/apps/x", APP_VI), (make_post, "/blog/x", VIETNAMESE)],
)
def test_a_link_of_a_milestone_is_shown_while_its_page_is_visible(
    make: Callable[..., Any], page: str, translation: dict[str, str]
) -> None:
    make_entry_with_links(page, f"{page}#a-place", f"/vi{page}", f"/vi{page}#a-place")
    both = [page, f"{page}#a-place"]

    assert read_shown_links() == []
    row = make(slug="x", state=State.DRAFT)
    assert read_shown_links() == []
    row.state, row.publish_at = State.PUBLISHED, FUTURE
    row.save()
    assert (read_shown_links(), read_shown_links(at=FUTURE)) == ([], both)
    row.publish_at = NOW
    row.save()
    assert read_shown_links() == both
    for name, text in translation.items():
        setattr(row, name, text)
    row.save()
    assert read_shown_links() == [*both, f"/vi{page}", f"/vi{page}#a-place"]
    row.slug = "y"
    row.save()
    assert len(read_shown_links()) == 4, "a former slug leads to its row"
    row.publish_at = NOW + timedelta(seconds=1)
    row.save()
    assert read_shown_links() == []
    row.delete()
    assert read_shown_links(at=FUTURE) == []


def test_a_link_to_a_standing_page_needs_its_text_in_that_language() -> None:
    make_entry_with_links("/", "/about", "/about#team_", "/vi", "/vi/about")

    assert read_shown_links() == []
    make_page(slug="about")
    assert read_shown_links() == ["/about", "/about#team_"]
    make_page(slug="home", title_vi="Trang chủ", body_vi="Chào.")
    assert read_shown_links() == ["/", "/about", "/about#team_", "/vi"]


def test_other_addresses_are_shown_as_they_were_typed() -> None:
    hrefs = [
        "https://elsewhere.example/apps/x",
        "/llms.txt",
        "/blog/feed.xml",
        "/blog/tags/x",
        "/apps/x.md",
        "/api/v1/apps/x",
    ]
    make_entry_with_links(*hrefs)

    assert read_shown_links() == hrefs
    assert TimelineLink.objects.count() == len(hrefs)
