"""The index for language models, read by the reference parser, and everything in one file."""

import re
from pathlib import Path

import pytest
from llms_txt import parse_llms_file

from site_mirror import registry
from site_mirror.framing import context_at
from site_mirror.listing import Group, Pages
from site_mirror.machine import llms
from tests.site.reading import MOMENT, SITE, STUDIO, page, pages, served, statuses

LINK = re.compile(r"\]\((\S+?)\)")


def test_the_reference_parser_reads_title_summary_and_sections(shipped_site: None) -> None:
    found = parse_llms_file(served("/llms.txt"))

    assert found.title == "Plumbline Studio"
    assert found.summary.startswith("Plumbline Studio is a team of three")
    assert list(found.sections) == [*llms.HEADINGS, "Optional"]
    assert all(found.sections.values())


def test_every_link_answers(shipped_site: None) -> None:
    links = set(LINK.findall(served("/llms.txt")))

    assert links
    assert statuses(links) == {}


def test_every_page_but_the_lists_of_pages_is_linked_once_by_its_mirror(shipped_site: None) -> None:
    text = served("/llms.txt")

    counts = {(listed.of_pages, text.count(f"({SITE.url(listed.mirror)})")) for listed in pages()}
    assert counts == {(False, 1), (True, 0)}


def test_most_links_lead_to_markdown(shipped_site: None) -> None:
    links = LINK.findall(served("/llms.txt"))

    assert sum(link.endswith(".md") for link in links) > 0.9 * len(links)


def test_an_address_is_in_the_section_of_its_folder() -> None:
    listed = [
        page("/", title="Home"),
        page("/apps", title="All apps"),
        page("/apps/a", title="An app"),
        page("/blog/b", title="A post"),
        page("/docs/c", title="A guide"),
        page("/vi/blog/b", title="Bài", language="vi"),
    ]

    found = parse_llms_file(llms.text(SITE, STUDIO, listed).decode())

    titles = {name: [link.title for link in links] for name, links in found.sections.items()}
    assert titles.pop("Optional")
    assert titles == {
        "Studio": ["Home", "All apps"],
        "Apps": ["An app"],
        "Articles": ["A post"],
        "Documentation": ["A guide"],
        "Tiếng Việt": ["Bài"],
    }


def test_a_section_without_pages_has_no_heading() -> None:
    found = parse_llms_file(llms.text(SITE, STUDIO, []).decode())

    assert (list(found.sections), found.summary) == (["Optional"], "It measures.")


@pytest.mark.parametrize(
    "title", ["A [link](x)", "Two\nlines", "A ] bracket", "[", "A # and **b**"]
)
def test_no_title_or_summary_breaks_the_lists(title: str) -> None:
    listed = [page(title=title, summary="One\n\n## Two\n- three"), page("/blog/b")]

    found = parse_llms_file(llms.text(SITE, STUDIO, listed).decode())

    addresses = [link.url for link in found.sections["Articles"]]
    assert addresses == [SITE.url("/blog/a-post.md"), SITE.url("/blog/b.md")]
    assert list(found.sections) == ["Articles", "Optional"]


def test_a_thousand_articles_stay_readable_and_leave_every_other_link() -> None:
    posts = [page(f"/blog/{number:0100}", summary="word " * 60) for number in range(1000)]
    others = [page("/about"), page("/apps/a"), page("/docs/a"), page("/vi/a", language="vi")]

    text = llms.text(SITE, STUDIO, [*posts, *others]).decode()

    found = parse_llms_file(text)
    assert llms.LONGEST - 1000 < len(text) <= llms.LONGEST
    assert [len(found.sections[heading]) for heading in llms.HEADINGS if heading != "Articles"] == [
        1
    ] * 4
    assert found.sections["Articles"][0].url == SITE.url(posts[0].mirror)


def test_two_long_sections_share_the_room() -> None:
    posts = [page(f"/blog/{number:0100}") for number in range(1000)]
    translated = [page(f"/vi/blog/{number:0100}", language="vi") for number in range(1000)]

    found = parse_llms_file(llms.text(SITE, STUDIO, [*posts, *translated]).decode())

    assert abs(len(found.sections["Articles"]) - len(found.sections["Tiếng Việt"])) < 10


def test_everything_in_one_file_has_every_mirror_whole(shipped_site: None) -> None:
    everything = served("/llms-full.txt")

    missing = {listed.mirror for listed in pages() if served(listed.mirror) not in everything}
    assert missing == set()


def test_everything_in_one_file_has_each_first_heading_once_a_page(shipped_site: None) -> None:
    lines = served("/llms-full.txt").splitlines()
    headings = [f"# {listed.title}" for listed in pages()]

    assert {
        heading for heading in headings if lines.count(heading) != headings.count(heading)
    } == set()


def test_english_comes_before_vietnamese(shipped_site: None) -> None:
    text = served("/llms-full.txt")

    last_english = max(
        text.index(f"Page: <{SITE.url(p.address)}>") for p in pages() if p.in_english
    )
    first = min(text.index(f"Trang: <{SITE.url(p.address)}>") for p in pages() if not p.in_english)
    assert last_english < first


def test_the_registry_gives_the_mirrors_that_it_serves(shipped_site: None) -> None:
    context = context_at(SITE, MOMENT.replace(year=2027))

    assert len(list(registry.mirrors(context))) == len(list(registry.pages(context)))


def test_where_all_would_be_too_long_the_last_pages_are_a_heading_and_a_link() -> None:
    listed = Pages(
        [
            Group("en", True, [page("/blog/years/2026", title="All of 2026", of_pages=True)]),
            Group("vi", False, [page("/vi/blog/a", title="Bài *một*", language="vi")]),
            Group("en", False, [page("/blog/a", title="One"), page("/blog/b", title="Two")]),
        ]
    ).for_reading()
    half = b"x" * (llms.LONGEST_IN_FULL // 2)

    text = llms.full_text(SITE, STUDIO, listed, [half, half, half]).decode()

    head, *texts, year, vietnamese = text.split("\n---\n\n")
    assert "the first 2 of them" in head
    assert [len(each) for each in texts] == [len(half), len(half)]
    assert year == f"# All of 2026\n\n<{SITE.url('/blog/years/2026.md')}>\n"
    assert vietnamese.startswith("# Bài \\*một\\*\n")


def test_the_mirrors_of_a_release_in_the_making_are_those_that_are_served(
    shipped_site: None, tmp_path: Path
) -> None:
    context = context_at(SITE, MOMENT.replace(year=2027))
    rendered = list(registry.mirrors(context))
    for listed, mirror in zip(registry.pages(context).for_reading(), rendered, strict=True):
        file = tmp_path / listed.mirror[1:]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(mirror)
        assert f"<{SITE.url(listed.address)}>".encode() in mirror
    context.making.public = tmp_path

    assert list(registry.mirrors(context)) == rendered


@pytest.mark.parametrize("file", ["/llms.txt", "/llms-full.txt", "/sitemap.md"])
def test_the_rule_that_a_file_gives_for_mirrors_finds_every_mirror(
    shipped_site: None, file: str
) -> None:
    opening = served(file).partition("\n## ")[0]
    assert "its address plus `.md`" in opening
    assert "home page at `/index.md`" in opening

    mirrors = {"/index.md" if page.address == "/" else f"{page.address}.md" for page in pages()}

    assert statuses({SITE.url(mirror) for mirror in mirrors}) == {}


def test_links_lead_to_mirrors_and_under_optional_to_other_files(shipped_site: None) -> None:
    index, _, optional = served("/llms.txt").partition("\n## Optional\n")
    mirrors = {SITE.url(page.mirror) for page in pages()}

    assert set(LINK.findall(index)) <= mirrors
    assert set(LINK.findall(optional)).isdisjoint(mirrors)
    assert "lead to the mirrors, and under Optional to other files" in index
