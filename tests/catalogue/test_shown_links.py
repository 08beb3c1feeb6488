"""A milestone's link to a page that readers cannot see is left out of every answer."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from catalogue import questions
from catalogue.models import State, TimelineLink
from tests.catalogue.makers import FUTURE, NOW, make_link
from tests.rows import make_app, make_entry, make_page, make_post

pytestmark = pytest.mark.django_db

VIETNAMESE = {"title_vi": "Bài", "excerpt_vi": "Một câu.", "body_vi": "Nội dung."}
APP_VI = {"description_vi": "Nó đo."}


def shown(*, at: Any = NOW) -> list[str]:
    return [link.href for link in questions.timeline(at).get().links.all()]


def link(*hrefs: str) -> None:
    entry = make_entry()
    for position, href in enumerate(hrefs):
        make_link(entry=entry, href=href, position=position)


@pytest.mark.parametrize(
    ("make", "page", "translation"),
    [(make_app, "/apps/x", APP_VI), (make_post, "/blog/x", VIETNAMESE)],
)
def test_a_link_follows_the_page_that_it_leads_to(
    make: Callable[..., Any], page: str, translation: dict[str, str]
) -> None:
    link(page, f"{page}#a-place", f"/vi{page}", f"/vi{page}#a-place")
    both = [page, f"{page}#a-place"]

    assert shown() == []
    row = make(slug="x", state=State.DRAFT)
    assert shown() == []
    row.state, row.publish_at = State.PUBLISHED, FUTURE
    row.save()
    assert (shown(), shown(at=FUTURE)) == ([], both)
    row.publish_at = NOW
    row.save()
    assert shown() == both
    for name, text in translation.items():
        setattr(row, name, text)
    row.save()
    assert shown() == [*both, f"/vi{page}", f"/vi{page}#a-place"]
    row.slug = "y"
    row.save()
    assert len(shown()) == 4, "a former slug leads to its row"
    row.publish_at = NOW + timedelta(seconds=1)
    row.save()
    assert shown() == []
    row.delete()
    assert shown(at=FUTURE) == []


def test_a_link_to_a_standing_page_needs_its_text_in_that_language() -> None:
    link("/", "/about", "/about#team_", "/vi", "/vi/about")

    assert shown() == []
    make_page(slug="about")
    assert shown() == ["/about", "/about#team_"]
    make_page(slug="home", title_vi="Trang chủ", body_vi="Chào.")
    assert shown() == ["/", "/about", "/about#team_", "/vi"]


def test_other_addresses_are_shown_as_they_were_typed() -> None:
    hrefs = [
        "https://elsewhere.example/apps/x",
        "/llms.txt",
        "/blog/feed.xml",
        "/blog/tags/x",
        "/apps/x.md",
        "/api/v1/apps/x",
    ]
    link(*hrefs)

    assert shown() == hrefs
    assert TimelineLink.objects.count() == len(hrefs)
