"""The scripts of the reference in a real browser, with the policy of their pages."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from api.contract import API_VERSION
from tests.browsers import running_chromium
from tests.live_origins import serve_origin

pytestmark = [
    pytest.mark.browser,
    pytest.mark.server,
    pytest.mark.exhaustive("runs every operation of the reference in a browser"),
]
OPERATION = "/docs/api/get-app"
SWAGGER = "/docs/api/swagger"


class WatchedPage:
    """A page that records its requests, errors and console messages."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.problems = list[str]()
        self.requests = list[str]()
        page.on("console", lambda message: self.problems.append(message.text))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serve_origin(tmp_path_factory.mktemp("origin"), shipped=True) as origin:
        yield f"http://127.0.0.1:{origin.port}"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_chromium() as browser:
        yield browser


@contextmanager
def open_page(browser: Browser, address: str, **options: Any) -> Iterator[WatchedPage]:
    context = browser.new_context(**options)
    watched = WatchedPage(context.new_page())
    watched.page.goto(address, wait_until="load")
    yield watched
    context.close()


def assert_is_sound(watched: WatchedPage, root: str) -> None:
    """Fail for an error, and for a request to another site."""
    assert watched.problems == []
    assert [each for each in watched.requests if not each.startswith((f"{root}/", "data:"))] == []


def test_every_operation_can_be_run_and_shows_its_response(root: str, browser: Browser) -> None:
    with open_page(browser, f"{root}/docs/api") as watched:
        page = watched.page
        pages = page.locator("#all-operations ~ .members a").evaluate_all(
            "links => links.map(link => link.href)"
        )
        assert len(pages) == 13
        for address in pages:
            page.goto(address)
            page.get_by_role("button", name="Run").click()
            page.locator(".answer").wait_for()
            assert page.locator(".trial .status").text_content() == "200 OK", address
        page.goto(root + OPERATION)
        page.get_by_role("button", name="Run").click()
        page.locator(".answer").wait_for()
        headers = (page.locator(".headers").text_content() or "").splitlines()
        body = page.locator(".body").text_content() or ""

    with urlopen(json.loads(body)["self"]) as answer:  # noqa: S310
        assert json.loads(body) == json.load(answer)
    assert f"api-version: {API_VERSION}" in headers
    assert_is_sound(watched, root)


def test_an_operation_is_run_without_a_network_and_by_keyboard(root: str, browser: Browser) -> None:
    with open_page(browser, f"{root}/vi{OPERATION}") as watched:
        assert watched.problems == []
        page = watched.page
        page.context.set_offline(True)
        page.get_by_role("button", name="Chạy getApp").click()
        page.get_by_text("Không tải được. Hãy kiểm tra kết nối mạng rồi thử lại.").wait_for()
        assert not page.locator(".answer").is_visible()

        page.context.set_offline(False)
        page.get_by_role("button", name="Chạy getApp").focus()
        page.keyboard.press("Enter")
        page.locator(".answer").wait_for()
        assert page.evaluate("document.activeElement.textContent") == "Chạy getApp"
        scrolling = page.locator(".answer pre").evaluate_all("all => all.map(e => e.tabIndex)")
        assert scrolling == [0, 0]


def test_one_program_is_open_and_its_button_copies_it_unchanged(
    root: str, browser: Browser
) -> None:
    permissions = {"permissions": ["clipboard-read", "clipboard-write"]}
    with open_page(browser, f"{root}/docs/api/examples", **permissions) as watched:
        programs = watched.page.locator(".programs")
        programs.get_by_text("Python", exact=True).last.click()
        shown = programs.locator("[open] > summary")
        expect(shown).to_have_text(["Python"] * programs.count())  # one choice for all of them
        first = programs.first
        first.get_by_role("button", name="Copy").click()
        first.get_by_role("button", name="Copied").wait_for()
        copied = watched.page.evaluate("navigator.clipboard.readText()")
        assert copied == first.locator("pre:visible code").inner_text()
        assert copied.startswith("from urllib")


@pytest.mark.parametrize("address", ["/docs/api", OPERATION, SWAGGER])
def test_without_scripts_a_page_lacks_nothing_but_its_buttons(
    root: str, browser: Browser, address: str
) -> None:
    with (
        open_page(browser, root + address) as scripted,
        open_page(browser, root + address, java_script_enabled=False) as plain,
    ):
        words = plain.page.locator("main").inner_text().split()
        buttons = plain.page.locator("main button:visible").count()
        all_words = scripted.page.locator("main").inner_text().split()
        labels = scripted.page.locator("main button:visible").all_inner_texts()

    assert buttons == 0
    assert labels
    assert sorted(words + " ".join(labels).split()) == sorted(all_words)


def test_swagger_ui_starts_and_executes_an_operation(root: str, browser: Browser) -> None:
    with open_page(browser, root + SWAGGER) as watched:
        page = watched.page
        page.context.set_offline(True)
        page.get_by_role("button", name="Start Swagger UI").click()
        page.get_by_text("Could not load it.").wait_for()
        page.context.set_offline(False)
        watched.problems.clear()
        page.get_by_role("button", name="Start Swagger UI").click()
        page.locator("#operations-Apps-getApp .opblock-summary-control").click()
        page.get_by_role("button", name="Try it out").click()
        page.locator("#operations-Apps-getApp select").first.select_option("wheria")
        page.get_by_role("button", name="Execute").click()
        page.locator(".live-responses-table").get_by_text('"Wheria"', exact=True).wait_for()
        marks = page.locator(".info pre.version").evaluate_all(
            "all => all.map(e => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor])"
        )

    assert f"{root}/api/v1/apps/wheria" in watched.requests
    assert marks == [["rgb(0, 0, 0)", "rgba(0, 0, 0, 0)"]] * 2  # on the colour of the mark
    assert_is_sound(watched, root)


def test_an_address_of_an_operation_starts_swagger_ui_there(root: str, browser: Browser) -> None:
    with open_page(browser, f"{root}/vi{SWAGGER}#/Posts/getPost") as watched:
        operation = watched.page.locator("#operations-Posts-getPost")
        operation.locator(".opblock-body").wait_for()
        language = operation.evaluate("element => element.closest('[lang]').lang")

    assert (language, watched.problems) == ("en", [])
