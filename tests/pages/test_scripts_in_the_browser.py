"""The scripts of all pages and of the search in a real browser, with the policy of the pages."""

import re
from collections.abc import Iterator
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect

from tests.browsers import running_chromium
from tests.live_origins import serve_origin

pytestmark = [pytest.mark.browser, pytest.mark.server]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serve_origin(tmp_path_factory.mktemp("origin"), shipped=True) as origin:
        yield f"http://127.0.0.1:{origin.port}"


@pytest.fixture
def page() -> Iterator[Page]:
    with running_chromium() as browser:
        yield browser.new_page()


def test_a_page_is_copied_as_its_mirror(root: str, page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=root)
    page.goto(f"{root}/about")

    page.get_by_role("button", name="Copy as Markdown").click()

    page.get_by_role("button", name="Copied").wait_for()
    with urlopen(f"{root}/about.md") as mirror:  # noqa: S310
        assert page.evaluate("navigator.clipboard.readText()") == mirror.read().decode()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_contents_of_a_long_page_follow_and_lead_to_its_sections(
    root: str, page: Page, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{root}/science")
    headings = page.locator("main h2").all_inner_texts()
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight / 2)")

    page.get_by_role("button", name="On this page").click()
    contents = page.get_by_role("navigation", name="On this page")
    links = contents.get_by_role("link")
    assert links.all_inner_texts() == headings
    links.nth(1).click()

    contents.wait_for(state="hidden")
    expect(page.locator("#waves")).to_be_in_viewport()


def test_a_passage_is_found_without_marks_and_reached_by_keys(root: str, page: Page) -> None:
    requests, problems = list[str](), list[str]()
    page.on("request", lambda request: requests.append(request.url.removeprefix(root)))
    page.on("console", lambda message: problems.append(message.text))
    page.goto(f"{root}/vi")
    page.get_by_role("link", name="Tìm kiếm").click()
    field = page.get_by_role("searchbox", name="Từ cần tìm")
    field.wait_for()
    loaded_before = [each for each in requests if "minisearch" in each or "index.json" in each]

    page.keyboard.type("CHU KY con lac")
    page.locator(".found mark", has_text="chu").first.wait_for()
    passages = page.locator(".found li").all_inner_texts()
    status = page.get_by_role("status").inner_text()
    page.keyboard.press("ArrowDown")
    target = page.evaluate("document.activeElement.pathname")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{root}{target}**")
    page.go_back()
    page.locator(".found li").first.wait_for()
    kept = field.input_value()
    page.emulate_media(reduced_motion="reduce")
    page.get_by_role("link", name="Khoa học: Dao động").click()

    expect(page.locator("#oscillations")).to_be_in_viewport()
    assert loaded_before == problems == []
    assert status == f"Số trang tìm thấy: {len(passages)}"
    assert any("chu kỳ của con lắc" in passage for passage in passages)
    assert target.startswith("/vi/")
    assert kept == "CHU KY con lac"
    assert [each for each in requests if not each.startswith(("/", "data:"))] == []


def test_the_best_twenty_pages_are_listed_and_words_side_by_side_first(
    root: str, page: Page
) -> None:
    """`may khoan` is `máy khoan` before `máy … tài khoản`, and `la bàn` is not `là bạn`.

    The passage of an article about `con lắc` has these words, as the title has.
    """
    firsts = dict[str, list[str]]()
    for words, number in (("may khoan", 1), ("la bàn", 4), ("con lắc", 1)):
        page.goto(f"{root}/vi/search?q={words}")
        page.locator(".found li").first.wait_for()
        firsts[words] = page.locator(".found li").all_inner_texts()[:number]
    title, _gap, passage = firsts["con lắc"][0].partition("\n")

    page.goto(f"{root}/vi/search?q=trang")
    page.locator(".found li").nth(19).wait_for()
    status = page.get_by_role("status").inner_text()

    assert re.fullmatch(r"Số trang tìm thấy: \d\d \(1–20\)", status)
    assert page.locator(".found li").count() == 20
    assert "máy khoan" in firsts["may khoan"][0]
    assert (title.partition(":")[0], "con lắc" in passage) == ("Con lắc trong túi áo", True)
    assert [text for text in firsts["la bàn"] if "la bàn" not in text.casefold()] == []


def test_what_is_not_found_and_what_cannot_be_loaded_is_said(root: str, page: Page) -> None:
    page.route("**/search-index.json", lambda route: route.abort())
    page.goto(f"{root}/search?q=gravity")
    page.get_by_text("Could not load it.").wait_for()
    page.unroute("**/search-index.json")

    page.get_by_role("searchbox").fill("zzz")

    page.get_by_text("No passage has all of these words.").wait_for()


def test_without_scripts_the_page_leads_to_the_lists(root: str) -> None:
    with running_chromium() as browser:
        page = browser.new_page(java_script_enabled=False)
        page.goto(f"{root}/search")

        assert not page.get_by_role("searchbox").is_visible()
        page.get_by_role("main").get_by_role("link", name="Blog").click()
        page.wait_for_url(f"{root}/blog")
