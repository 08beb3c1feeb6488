"""The index of the page on which readers search."""

import json

import pytest

from site_mirror.machine.llms import llms_full_txt
from site_mirror.machine.search_index import search_index
from tests.pages.page_reader import SITE, STUDIO, list_pages, make_page_summary, read_document


@pytest.mark.parametrize(
    ("language", "index", "passage"),
    [
        ("en", "/search-index.json", "the period of a pendulum depends on its length"),
        ("vi", "/vi/search-index.json", "chu kỳ của con lắc phụ thuộc vào chiều dài"),
    ],
)
def test_the_index_has_all_pages_of_a_language_and_their_text(
    shipped_site: None, language: str, index: str, passage: str
) -> None:
    pages = {page["address"]: page for page in json.loads(read_document(index))["pages"]}

    assert {*pages} == {page.address for page in list_pages() if page.language == language}
    science = pages["/science" if language == "en" else "/vi/science"]
    assert any(passage in text for _heading, text in science["sections"])


def test_a_section_is_plain_text_without_code_and_formulas() -> None:
    page = make_page_summary("/blog/a", title="A")
    head = f"# A\n\n> Short.\n\nPage: <{SITE.url('/blog/a')}> · Index: <{SITE.url('/llms.txt')}>\n"
    text = "By **us**: $x^2$.\n\n## A & B\n\nSee [it](/x)[^1].\n\n```\n# code\n```\n"
    mirror = f"{head}\n{text}\n[^1]: A note.\n"
    joined = llms_full_txt(SITE, STUDIO, [page], [mirror.encode()])

    (found,) = json.loads(search_index(SITE, "en", [page], joined))["pages"]

    assert found["sections"] == [["", "By us: …."], ["A & B", "See it. A note."]]
