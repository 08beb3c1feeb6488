"""A page is written into what is the same on all pages of its kind."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.utils.translation import override
from msgspec.structs import replace

from catalogue.addresses import Site
from catalogue.localized import ENGLISH
from site_mirror.listing import Listed
from site_mirror.pages import html
from site_mirror.pages.blocks import Link, Paragraph
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import Page
from site_mirror.pages.skeleton import skeleton

FRAME = Frame(Site("https://studio.example"), ENGLISH, "Plumbline", frozenset({(ENGLISH, "home")}))
LISTED = Listed("/blog/a", ENGLISH, "A & b", "In short.")
PAGE = Page(LISTED, "article", [Paragraph("One.")])
TRAIL = (Link("Home", "/"), Link("Blog", "/blog"))


@pytest.fixture(autouse=True)
def nothing_written() -> None:
    skeleton.cache_clear()


@pytest.mark.parametrize(
    "changes",
    [
        {"style": "text"},
        {"open_graph": "article"},
        {"script": "/assets/a.js"},
        {"icon": "/icons/a.svg"},
        {"trail": TRAIL},
        {"trail": TRAIL[:1]},
        {"data": [{"@type": "Thing"}]},
        {"data": [{"@type": "Thing"}, {"@type": "Place"}]},
        {"byline": ["4 minutes"]},
        {"byline": ["4 minutes", TRAIL[1]]},
        {"blocks": []},
        {"listed": replace(LISTED, address="/blog", title="Blog")},
        {"listed": replace(LISTED, summary="")},
        {"listed": replace(LISTED, language="vi")},
        {"listed": replace(LISTED, twin="/vi/blog/a")},
    ],
)
def test_a_page_is_the_same_whatever_was_written_before_it(changes: Mapping[str, Any]) -> None:
    page = replace(PAGE, **changes)
    alone = html.write(FRAME, page)
    skeleton.cache_clear()
    before = html.write(FRAME, PAGE)

    assert html.write(FRAME, page) == alone != before


def test_pages_of_another_frame_have_its_name() -> None:
    html.write(FRAME, PAGE)

    assert b"Plumbline" not in html.write(replace(FRAME, studio="Level"), PAGE)


def test_what_a_frame_remembers_is_in_its_language_whichever_is_active() -> None:
    standing = frozenset(("vi", slug) for slug in ("home", "blog", "apps"))
    frame = replace(FRAME, language="vi", standing=standing)

    with override("en"):
        remembered = (*frame.trail_to_blog, *frame.trail_to_apps)

    assert [link.label for link in remembered] == ["Trang chủ", "Blog", "Trang chủ", "Ứng dụng"]


def test_pages_that_differ_in_texts_share_what_is_around_them() -> None:
    other = replace(LISTED, address="/blog/c", title="C", summary="Shorter.")
    html.write(FRAME, replace(PAGE, trail=TRAIL))
    html.write(FRAME, replace(PAGE, trail=TRAIL, listed=other))

    assert skeleton.cache_info().hits == 1


def test_what_stands_for_a_gap_is_what_no_editor_can_write() -> None:
    page = replace(PAGE, listed=replace(LISTED, title="title {title} %(title)s summary"))

    assert b"<h1>title {title} %(title)s summary</h1>" in html.write(FRAME, page)
