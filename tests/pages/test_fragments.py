"""Pages that share header, navigation and footer."""

from django.utils.translation import override
from msgspec.structs import replace

from catalogue.addresses import Site
from catalogue.texts.localized import ENGLISH
from site_mirror.documents.summaries import PageSummary
from site_mirror.pages import html
from site_mirror.pages.blocks import Paragraph
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import PageContent

FRAME = Frame(Site("https://studio.example"), ENGLISH, "Plumbline", frozenset({(ENGLISH, "home")}))
SUMMARY = PageSummary("/blog/a", ENGLISH, "A & b", "In short.")
PAGE = PageContent(SUMMARY, "article", [Paragraph("One.")])


def test_a_page_does_not_depend_on_pages_that_were_written_before() -> None:
    pages = [
        (FRAME, PAGE),
        (replace(FRAME, studio="Level"), PAGE),
        (FRAME, replace(PAGE, page_summary=replace(SUMMARY, address="/about"))),
        (FRAME, replace(PAGE, page_summary=replace(SUMMARY, address="/blog/c", title="C"))),
    ]
    alone = []
    for frame, page in pages:
        html.render_fragment.cache_clear()
        alone.append(html.write_html(frame, page))

    assert [html.write_html(frame, page) for frame, page in pages] == alone
    assert len(set(alone)) == len(pages)
    assert b"Plumbline" not in alone[1]


def test_the_trail_of_a_frame_is_in_the_language_of_the_frame() -> None:
    standing = frozenset(("vi", slug) for slug in ("home", "blog", "apps"))
    frame = replace(FRAME, language="vi", standing=standing)

    with override("en"):
        links = (*frame.trail_to_blog, *frame.trail_to_apps)

    assert [link.label for link in links] == ["Trang chủ", "Blog", "Trang chủ", "Ứng dụng"]


def test_a_title_is_not_a_template() -> None:
    page = replace(PAGE, page_summary=replace(SUMMARY, title="{{ page }} {title} %(title)s"))

    assert b"<h1>{{ page }} {title} %(title)s</h1>" in html.write_html(FRAME, page)
