"""Refusals below `/vi/` are in Vietnamese and lead to pages in Vietnamese, if there are such."""

import pytest

from tests import factories
from tests.freeze.live_requests import ask
from tests.pages.page_reader import SITE, find_failing

NEITHER = {"Accept": "image/png"}
REFUSALS = [
    ("GET", "/vi/nothing", {}, "# 404 Không tìm thấy"),
    ("GET", "/vi/blog/nothing", {}, "# 404 Không tìm thấy"),
    ("POST", "/vi", {}, "# 405 Phương thức không được phép"),
    ("POST", "/vi/about", {}, "# 405 Phương thức không được phép"),
    ("GET", "/vi/about", NEITHER, "# 406 Không có dạng phù hợp"),
    ("GET", "/vi/about", {"If-Match": '"other"'}, "# 412 Điều kiện không còn đúng"),
    ("GET", "/nothing", {}, "# 404 Not Found"),
    ("GET", "/vietnam", {}, "# 404 Not Found"),
    ("GET", "/about", NEITHER, "# 406 Not Acceptable"),
]


@pytest.mark.parametrize(("method", "address", "headers", "heading"), REFUSALS)
def test_a_refusal_is_in_the_language_of_its_part_of_the_site(
    shipped_site: None, method: str, address: str, headers: dict[str, str], heading: str
) -> None:
    answer = ask(address, method=method, headers=headers)
    text = answer.content.decode()
    language, prefix = ("en", "") if heading.isascii() else ("vi", "/vi")

    assert text.partition("\n")[0] == heading
    assert (str(answer.status_code), answer["Content-Language"]) == (heading[2:5], language)
    links = {line.rpartition("(")[2].rstrip(")") for line in text.splitlines() if line[:1] == "-"}
    entries = (prefix or "/", f"{prefix}/docs/api.md", "/llms.txt", "/sitemap.xml", "/api/v1/")
    assert {*map(SITE.url, entries)} <= links
    assert (SITE.url(f"{address}.md") in links) == (headers == NEITHER)
    assert find_failing(links) == {}
    assert len(answer.content) < 2000


def test_a_site_without_pages_in_vietnamese_refuses_in_english(db: None) -> None:
    factories.make_page(slug="home")

    assert ask("/vi/nothing").content.startswith(b"# 404 Not Found")
