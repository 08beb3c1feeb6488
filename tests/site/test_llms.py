"""`llms.txt`, read by the reference parser, and `llms-full.txt`."""

import re
from functools import cache
from pathlib import Path

import pytest
from llms_txt import parse_llms_file

from site_mirror.documents.built import Built
from site_mirror.documents.summaries import in_reading_order
from site_mirror.machine import llms
from site_mirror.registry import table
from site_mirror.registry.contexts import context_at
from tests.site import page_reader
from tests.site.page_reader import (
    MOMENT,
    SITE,
    STUDIO,
    find_failing,
    list_pages,
    make_page_summary,
)

read_document = cache(page_reader.read_document)
"""Reads a document of the shipped site; all tests of this module see the same one."""
LINK = re.compile(r"\]\((\S+?)\)")


def test_the_reference_parser_reads_title_summary_and_sections(shipped_site: None) -> None:
    found = parse_llms_file(read_document("/llms.txt"))

    assert found.title == "Plumbline Studio"
    assert found.summary.startswith("Plumbline Studio is a team of three")
    assert list(found.sections) == [*llms.SECTION_HEADINGS, "Optional"]
    assert all(found.sections.values())


def test_every_link_of_llms_txt_exists(shipped_site: None) -> None:
    links = set(LINK.findall(read_document("/llms.txt")))

    assert links
    assert find_failing(links) == {}


def test_every_page_but_the_lists_of_pages_is_linked_once_by_its_mirror(shipped_site: None) -> None:
    text = read_document("/llms.txt")

    counts = {
        (summary.lists_pages, text.count(f"({SITE.url(summary.mirror)})"))
        for summary in list_pages()
    }
    assert counts == {(False, 1), (True, 0)}


def test_most_links_of_llms_txt_lead_to_markdown(shipped_site: None) -> None:
    links = LINK.findall(read_document("/llms.txt"))

    assert sum(link.endswith(".md") for link in links) > 0.9 * len(links)


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


def test_llms_txt_has_no_heading_for_a_section_without_pages() -> None:
    found = parse_llms_file(llms.llms_txt(SITE, STUDIO, []).decode())

    assert (list(found.sections), found.summary) == (["Optional"], "It measures.")


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


def test_a_thousand_articles_leave_room_for_all_other_links() -> None:
    posts = [
        make_page_summary(f"/blog/{number:0100}", summary="word " * 60) for number in range(1000)
    ]
    others = [
        make_page_summary("/about"),
        make_page_summary("/apps/a"),
        make_page_summary("/docs/a"),
        make_page_summary("/vi/a", language="vi"),
    ]

    text = llms.llms_txt(SITE, STUDIO, [*posts, *others]).decode()

    found = parse_llms_file(text)
    assert llms.MAX_INDEX_CHARACTERS - 1000 < len(text) <= llms.MAX_INDEX_CHARACTERS
    assert [
        len(found.sections[heading]) for heading in llms.SECTION_HEADINGS if heading != "Articles"
    ] == [1] * 4
    assert found.sections["Articles"][0].url == SITE.url(posts[0].mirror)


def test_two_long_sections_share_the_limit_of_llms_txt() -> None:
    posts = [make_page_summary(f"/blog/{number:0100}") for number in range(1000)]
    translated = [
        make_page_summary(f"/vi/blog/{number:0100}", language="vi") for number in range(1000)
    ]

    found = parse_llms_file(llms.llms_txt(SITE, STUDIO, [*posts, *translated]).decode())

    assert abs(len(found.sections["Articles"]) - len(found.sections["Tiếng Việt"])) < 10


def test_the_full_text_has_the_first_heading_of_each_page_once(shipped_site: None) -> None:
    lines = read_document("/llms-full.txt").splitlines()
    headings = [f"# {summary.title}" for summary in list_pages()]

    assert {
        heading for heading in headings if lines.count(heading) != headings.count(heading)
    } == set()


def test_the_full_text_has_english_before_vietnamese(shipped_site: None) -> None:
    text = read_document("/llms-full.txt")

    last_english = max(
        text.index(f"Page: <{SITE.url(p.address)}>") for p in list_pages() if p.in_english
    )
    first = min(
        text.index(f"Trang: <{SITE.url(p.address)}>") for p in list_pages() if not p.in_english
    )
    assert last_english < first


def test_above_the_limit_the_full_text_has_only_a_heading_and_a_link_of_a_page() -> None:
    summaries = in_reading_order(
        [
            make_page_summary("/blog/years/2026", title="All of 2026", lists_pages=True),
            make_page_summary("/vi/blog/a", title="Bài *một*", language="vi"),
            make_page_summary("/blog/a", title="One"),
            make_page_summary("/blog/b", title="Two"),
        ]
    )
    half = b"x" * (llms.MAX_FULL_TEXT_BYTES // 2)

    text = llms.llms_full_txt(SITE, STUDIO, summaries, [half, half, half]).decode()

    head, *texts, year, vietnamese = text.split("\n---\n\n")
    assert "the first 2 of them" in head
    assert [len(each) for each in texts] == [len(half), len(half)]
    assert year == f"# All of 2026\n\n<{SITE.url('/blog/years/2026.md')}>\n"
    assert vietnamese.startswith("# Bài \\*một\\*\n")


def test_a_freeze_joins_the_full_text_from_built_mirrors(
    shipped_site: None, tmp_path: Path
) -> None:
    context = context_at(SITE, MOMENT.replace(year=2027))
    family = table.FAMILIES_BY_NAME["llms-full"]
    rendered = list(table.render_mirrors(context))
    listed = in_reading_order(table.page_summaries(context))
    for summary, mirror in zip(listed, rendered, strict=True):
        file = tmp_path / summary.mirror[1:]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(mirror)
        assert f"<{SITE.url(summary.address)}>".encode() in mirror

    assert family.render_built
    built = family.render_built(context, Built(tmp_path, tmp_path / "items", {}, {}))

    assert isinstance(built, bytes)
    assert [built] == [document.body() for document in family.documents(context)]
    assert all(mirror.strip() in built for mirror in rendered)


@pytest.mark.parametrize("file", ["/llms.txt", "/llms-full.txt", "/sitemap.md"])
def test_the_rule_for_addresses_of_mirrors_is_documented(shipped_site: None, file: str) -> None:
    opening = read_document(file).partition("\n## ")[0]

    assert "its address plus `.md`" in opening
    assert "home page at `/index.md`" in opening


def mirrors_by_the_rule() -> set[str]:
    return {"/index.md" if page.address == "/" else f"{page.address}.md" for page in list_pages()}


def test_the_documented_rule_for_addresses_of_mirrors_is_that_of_the_lists(
    shipped_site: None,
) -> None:
    assert {page.mirror for page in list_pages()} == mirrors_by_the_rule()


@pytest.mark.exhaustive("asks for the mirror of every page")
def test_the_documented_rule_for_addresses_of_mirrors_holds(shipped_site: None) -> None:
    mirrors = mirrors_by_the_rule()

    assert find_failing({SITE.url(mirror) for mirror in mirrors}) == {}


def test_links_lead_to_mirrors_and_under_optional_to_other_files(shipped_site: None) -> None:
    index, _, optional = read_document("/llms.txt").partition("\n## Optional\n")
    mirrors = {SITE.url(page.mirror) for page in list_pages()}

    assert set(LINK.findall(index)) <= mirrors
    assert set(LINK.findall(optional)).isdisjoint(mirrors)
    assert "lead to the mirrors, and under Optional to other files" in index
