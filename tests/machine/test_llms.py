"""`llms.txt`, read by the reference parser, and `llms-full.txt`."""

import re
from collections import Counter
from functools import cache

import pytest
from django.utils import timezone
from llms_txt import parse_llms_file

from site_mirror.documents.summaries import PageSummary, in_reading_order
from site_mirror.machine import llms
from site_mirror.registry import table
from site_mirror.registry.contexts import context_at
from tests.pages import page_reader
from tests.pages.page_reader import SITE, STUDIO, find_failing, list_pages, make_page_summary

read_document = cache(page_reader.read_document)
"""Reads a document of the shipped site; all tests of this module see the same one."""
LINK = re.compile(r"\]\((\S+?)\)")


def test_the_reference_parser_reads_title_summary_and_sections(shipped_site: None) -> None:
    found = parse_llms_file(read_document("/llms.txt"))

    assert found.title == "Plumbline Studio"
    assert found.summary.startswith("Plumbline Studio is a team of three")
    assert list(found.sections) == [*llms.SECTION_HEADINGS, "Optional"]
    assert all(found.sections.values())


def test_every_page_but_the_lists_of_pages_is_linked_once_by_its_mirror(shipped_site: None) -> None:
    index, _, optional = read_document("/llms.txt").partition("\n## Optional\n")
    others = LINK.findall(optional)
    mirrors = [SITE.url(page.mirror) for page in list_pages() if not page.lists_pages]

    assert sorted(LINK.findall(index)) == sorted(mirrors)
    assert others
    assert {SITE.url(page.mirror) for page in list_pages()}.isdisjoint(others)
    assert find_failing({*mirrors, *others}) == {}


def test_the_rule_for_addresses_of_mirrors_is_documented_and_holds(shipped_site: None) -> None:
    for file in ("/llms.txt", "/llms-full.txt", "/sitemap.md"):
        opening = read_document(file).partition("\n## ")[0]
        assert "its address plus `.md`" in opening
        assert "home page at `/index.md`" in opening
    assert {page.address: page.mirror for page in list_pages()} == {
        page.address: "/index.md" if page.address == "/" else f"{page.address}.md"
        for page in list_pages()
    }


def test_llms_txt_lists_a_page_in_the_section_of_its_folder() -> None:
    summaries = [
        make_page_summary("/", title="Home"),
        make_page_summary("/apps", title="All apps"),
        make_page_summary("/apps/a", title="An app"),
        make_page_summary("/blog/b", title="A post"),
        make_page_summary("/docs/c", title="A guide"),
        make_page_summary("/vi/blog/b", title="Bài", language="vi"),
    ]

    found = parse_llms_file(llms.llms_txt(SITE, STUDIO, summaries).decode())

    titles = {name: [link.title for link in links] for name, links in found.sections.items()}
    assert titles.pop("Optional")
    assert titles == {
        "Studio": ["Home", "All apps"],
        "Apps": ["An app"],
        "Articles": ["A post"],
        "Documentation": ["A guide"],
        "Tiếng Việt": ["Bài"],
    }
    without_pages = parse_llms_file(llms.llms_txt(SITE, STUDIO, []).decode())
    assert (list(without_pages.sections), without_pages.summary) == (["Optional"], "It measures.")


@pytest.mark.parametrize(
    "title", ["A [link](x)", "Two\nlines", "A ] bracket", "[", "A # and **b**"]
)
def test_no_title_or_summary_breaks_the_lists(title: str) -> None:
    summaries = [
        make_page_summary(title=title, summary="One\n\n## Two\n- three"),
        make_page_summary("/blog/b"),
    ]

    found = parse_llms_file(llms.llms_txt(SITE, STUDIO, summaries).decode())

    addresses = [link.url for link in found.sections["Articles"]]
    assert addresses == [SITE.url("/blog/a-post.md"), SITE.url("/blog/b.md")]
    assert list(found.sections) == ["Articles", "Optional"]


def make_many_pages(folder: str, **changes: object) -> list[PageSummary]:
    return [make_page_summary(f"{folder}/{number:0100}", **changes) for number in range(1000)]


def test_a_thousand_articles_leave_room_for_all_other_links() -> None:
    posts = make_many_pages("/blog", summary="word " * 60)
    others = [make_page_summary(address) for address in ("/about", "/apps/a", "/docs/a")]
    others.append(make_page_summary("/vi/a", language="vi"))

    text = llms.llms_txt(SITE, STUDIO, [*posts, *others]).decode()

    sections = parse_llms_file(text).sections
    assert llms.MAX_INDEX_CHARACTERS - 1000 < len(text) <= llms.MAX_INDEX_CHARACTERS == 45_000
    assert sections["Articles"][0].url == SITE.url(posts[0].mirror)
    assert [len(sections[name]) for name in llms.SECTION_HEADINGS if name != "Articles"] == [1] * 4


def test_two_long_sections_share_the_limit_of_llms_txt() -> None:
    pages = [*make_many_pages("/blog"), *make_many_pages("/vi/blog", language="vi")]

    found = parse_llms_file(llms.llms_txt(SITE, STUDIO, pages).decode())

    assert abs(len(found.sections["Articles"]) - len(found.sections["Tiếng Việt"])) < 10


def test_the_full_text_has_each_page_once_and_english_before_vietnamese(shipped_site: None) -> None:
    text = read_document("/llms-full.txt")
    pages, lines = list_pages(), text.splitlines()
    headings = [f"# {page.title}" for page in pages]
    english = [text.index(f"Page: <{SITE.url(p.address)}>") for p in pages if p.in_english]
    vietnamese = [text.index(f"Trang: <{SITE.url(p.address)}>") for p in pages if not p.in_english]

    assert {name: lines.count(name) for name in headings} == Counter(headings)
    assert max(english) < min(vietnamese)
    mirrors = list(table.render_mirrors(context_at(SITE, timezone.now())))
    assert len(mirrors) == len(headings)
    assert [mirror for mirror in mirrors if mirror.decode().strip() not in text] == []


def test_above_the_limit_the_full_text_has_only_a_heading_and_a_link_of_a_page() -> None:
    year = make_page_summary("/blog/years/2026", title="All of 2026", lists_pages=True)
    vietnamese = make_page_summary("/vi/blog/a", title="Bài *một*", language="vi")
    posts = [make_page_summary("/blog/a", title="One"), make_page_summary("/blog/b", title="Two")]
    summaries = in_reading_order([year, vietnamese, *posts])
    half = b"x" * (llms.MAX_FULL_TEXT_BYTES // 2)

    text = llms.llms_full_txt(SITE, STUDIO, summaries, [half, half, half]).decode()

    head, *texts, last_list, last_post = text.split("\n---\n\n")
    assert "the first 2 of them" in head
    assert [len(each) for each in texts] == [len(half), len(half)]
    assert last_list == f"# All of 2026\n\n<{SITE.url('/blog/years/2026.md')}>\n"
    assert last_post.startswith("# Bài \\*một\\*\n")
