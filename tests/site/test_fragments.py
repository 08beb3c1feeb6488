"""Header, navigation and footer are rendered once for all pages that share them."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.utils.translation import override
from msgspec.structs import replace

from catalogue.addresses import Site
from catalogue.localized import ENGLISH
from site_mirror.documents.summaries import PageSummary
from site_mirror.pages import html
from site_mirror.pages.blocks import Link, Paragraph
from site_mirror.pages.frame import Frame
from site_mirror.pages.html import render_fragment
from site_mirror.pages.page import PageContent

FRAME = Frame(Site("https://studio.example"), ENGLISH, "Plumbline", frozenset({(ENGLISH, "home")}))
SUMMARY = PageSummary("/blog/a", ENGLISH, "A & b", "In short.")
PAGE = PageContent(SUMMARY, "article", [Paragraph("One.")])
TRAIL = (Link("Home", "/"), Link("Blog", "/blog"))


@pytest.fixture(autouse=True)
def clear_fragments() -> None:
    render_fragment.cache_clear()


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
        {"page_summary": replace(SUMMARY, address="/blog", title="Blog")},
        {"page_summary": replace(SUMMARY, summary="")},
        {"page_summary": replace(SUMMARY, language="vi")},
        {"page_summary": replace(SUMMARY, twin="/vi/blog/a")},
    ],
)
def test_a_page_does_not_depend_on_pages_that_were_written_before(
    changes: Mapping[str, Any],
) -> None:
    page = replace(PAGE, **changes)
    first = html.write_html(FRAME, page)
    render_fragment.cache_clear()
    other = html.write_html(FRAME, PAGE)

    assert html.write_html(FRAME, page) == first != other


def test_pages_of_another_frame_have_its_name() -> None:
    html.write_html(FRAME, PAGE)

    assert b"Plumbline" not in html.write_html(replace(FRAME, studio="Level"), PAGE)


def test_the_trail_of_a_frame_is_in_the_language_of_the_frame() -> None:
    standing = frozenset(("vi", slug) for slug in ("home", "blog", "apps"))
    frame = replace(FRAME, language="vi", standing=standing)

    with override("en"):
        links = (*frame.trail_to_blog, *frame.trail_to_apps)

    assert [link.label for link in links] == ["Trang chủ", "Blog", "Trang chủ", "Ứng dụng"]


def test_pages_that_differ_in_texts_share_fragments() -> None:
    other = replace(SUMMARY, address="/blog/c", title="C", summary="Shorter.")
    html.write_html(FRAME, replace(PAGE, trail=TRAIL))
    html.write_html(FRAME, replace(PAGE, trail=TRAIL, page_summary=other))

    assert render_fragment.cache_info().hits == 3


def test_a_title_is_not_a_template() -> None:
    page = replace(PAGE, page_summary=replace(SUMMARY, title="{{ page }} {title} %(title)s"))

    assert b"<h1>{{ page }} {title} %(title)s</h1>" in html.write_html(FRAME, page)
