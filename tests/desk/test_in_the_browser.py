"""The desk in a real browser: what is typed is shown, and never lost."""

import os
import re
import signal
import sys
from base64 import b64encode
from collections.abc import Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browsers import PATIENCE_MILLISECONDS, running_chromium
from tests.freeze.processes import environment, open_database, run
from tests.live_origins import run_origin, serve_origin
from tests.pages.published.browser_visits import (
    NARROW_AND_DARK,
    WIDE_AND_LIGHT,
    Visit,
    examine_page,
)
from tests.ports import free_port
from tests.requirements import needs_module

pytestmark = [pytest.mark.browser, pytest.mark.server]

NAME, OTHER, PASSWORD = "linh", "lan", "tám quả dọi treo nghiêng"
MAKE_ACCOUNT = f"""
import django
django.setup()
from django.contrib.auth.models import User
for name in {(NAME, OTHER)!r}:
    User.objects.create_superuser(name, f"{{name}}@studio.example", {PASSWORD!r})
"""
ADD_SECOND_STEP = f"""
import django
django.setup()
from django.contrib.auth.models import User
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice
user = User.objects.get(username={NAME!r})
TOTPDevice.objects.create(user=user)
StaticDevice.objects.create(user=user).token_set.create(token="abcd2345")
"""
REMOVE_SECOND_STEP = f"""
import django
django.setup()
from django.core.management import call_command
call_command("remove_second_step", {NAME!r})
"""
VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
});
"""
COPY = "Object.keys(localStorage).some((name) => name.startsWith('desk:'))"
PASTE = """(field, text) => {
  field.value = text;
  field.dispatchEvent(new Event("input", {bubbles: true}));
}"""
IS_ON_THE_SERVER = """async (text) => (await (await fetch(location)).text()).includes(text)"""
"""The last request of a closed tab may arrive after the next page was opened."""
HIDE = """() => {
  Object.defineProperty(document, "visibilityState", {value: "hidden", configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""
SPOIL_COOKIE = """() => {
  Object.defineProperty(document, "cookie", {value: "csrftoken=" + "x".repeat(32)});
}"""
"""A cookie that is removed comes back with the answer to a request that is still under way."""
SELECTED = "field => field.value.slice(field.selectionStart, field.selectionEnd)"
MAP = "A map that fits in fifty megabytes"
FRAME = "iframe:not(.desk-waiting)"
LINE = ".desk-line"
NARROW = pytest.mark.exhaustive(
    "does at another width what is done at one; a first article is at both"
)
expect.set_options(timeout=PATIENCE_MILLISECONDS)


class Desk:
    """A live origin with a database, and an account that may do everything."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stack = ExitStack()
        self.sessions = dict[str, list[Any]]()
        # With DEBUG, the origin serves static files without `collectstatic`.
        self.origin = self.stack.enter_context(serve_origin(folder, shipped=True, DEBUG="1"))
        assert self.run(MAKE_ACCOUNT) == 0

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.origin.port}"

    @property
    def database(self) -> Path:
        return self.folder / "catalogue.sqlite3"

    def run(self, program: str) -> int:
        return run("-c", program, database=self.database).returncode

    def end_sessions(self) -> None:
        with open_database(self.database) as connection:
            connection.execute("DELETE FROM django_session")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    desk = Desk(tmp_path_factory.mktemp("desk"))
    with desk.stack:
        yield desk


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_chromium() as browser:
        yield browser


@pytest.fixture
def page(desk: Desk, browser: Browser) -> Iterator[Page]:
    """A page of an editor who is logged in; errors of scripts and of the policy fail the test."""
    page = log_in(desk, browser)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    page.context.close()
    assert errors == []


def log_in(desk: Desk, browser: Browser, name: str = NAME, **options: Any) -> Page:
    """Open the desk in a browser of its own, by the log-in unless a session of before is valid."""
    defaults: dict[str, Any] = {"base_url": desk.root, "viewport": {"width": 1280, "height": 900}}
    context = browser.new_context(**defaults | options)
    context.set_default_timeout(PATIENCE_MILLISECONDS)
    context.add_init_script(VIOLATIONS)
    context.add_cookies(desk.sessions.get(name, []))
    page = context.new_page()
    page.goto("/admin/")
    if "/login/" in page.url:
        page.get_by_label("Username").fill(name)
        page.get_by_label("Password").fill(PASSWORD)
        page.locator("button[type=submit]").first.click()
        page.wait_for_url("/admin/")
        desk.sessions[name] = context.cookies()
    return page


def form_of(number: int) -> str:
    return f"/admin/catalogue/post/{number}/change/"


def title(page: Page) -> Any:
    return page.get_by_role("textbox", name="Title, English")


def reopen(page: Page, address: str) -> Page:
    """Close the tab as a person does, and open the form in another one."""
    context = page.context
    page.close(run_before_unload=True)
    if not page.is_closed():
        page.wait_for_event("close")
    page = context.new_page()
    page.goto(address)
    return page


def test_what_is_typed_is_shown_beside_it_and_can_reach_nothing(page: Page) -> None:
    page.goto(form_of(1))
    heading = page.frame_locator(FRAME).locator("h1")
    title(page).fill("Typed at first")
    expect(heading).to_have_text("Typed at first")
    scroll = f"document.querySelector('{FRAME}').contentWindow"
    page.evaluate(f"{scroll}.scrollTo({{top: 200, behavior: 'instant'}})")

    title(page).fill("Typed just now")

    expect(heading).to_have_text("Typed just now")
    assert page.evaluate(f"{scroll}.scrollY") == 200
    for button in ("left", "middle"):
        page.frame_locator(FRAME).locator("a[href='/about']").first.click(button=button)  # type: ignore[arg-type]
    expect(heading).to_have_text("Typed just now")
    sandbox = page.locator("iframe").evaluate_all(
        "frames => frames.map(each => each.sandbox.value)"
    )
    assert sandbox == ["allow-same-origin"] * 2
    title(page).fill("")
    expect(page.locator(".desk-faults")).to_have_text("Still empty: Title, English.")
    expect(heading).to_have_text("Typed just now")
    page.get_by_label("Markdown").check(force=True)
    title(page).fill("Typed again")
    expect(page.frame_locator(FRAME).locator("pre")).to_contain_text("# Typed again")
    page.get_by_label("JSON").check(force=True)
    expect(page.frame_locator(FRAME).locator("pre")).to_contain_text('\n      "en": "Typed again",')
    assert len(page.context.pages) == 1
    assert page.evaluate("window.violations") == []


@pytest.mark.parametrize("request_", ["check", "preview"])
def test_the_preview_asks_again_after_a_failure(page: Page, request_: str) -> None:
    page.goto(form_of(1))
    heading = page.frame_locator(FRAME).locator("h1")
    heading.wait_for()
    page.route(f"**/{request_}/", lambda route: route.abort(), times=1)

    title(page).fill(f"Typed while {request_} failed")

    expect(heading).to_have_text(f"Typed while {request_} failed")


def test_the_preview_has_the_colours_that_are_chosen(desk: Desk, browser: Browser) -> None:
    page = log_in(desk, browser, color_scheme="null")  # An emulated one would reach the frame.
    page.goto(form_of(1))
    page.frame_locator(FRAME).locator("h1").wait_for()
    query = "contentWindow.matchMedia('(prefers-color-scheme: dark)').matches"
    for colours in ("Dark", "Light"):
        page.get_by_label(colours).check(force=True)
        is_dark = f"document.querySelector('{FRAME}').{query} === {str(colours == 'Dark').lower()}"
        page.wait_for_function(is_dark)
    page.context.close()


def test_a_closed_tab_loses_nothing(page: Page) -> None:
    page.goto(form_of(2))
    title(page).fill("Typed in a closed tab")
    page = reopen(page, form_of(2))

    expect(title(page)).to_have_value("Typed in a closed tab")
    expect(page.locator(LINE)).to_contain_text("Draft saved")
    page.goto("/admin/catalogue/post/add/")
    title(page).fill("A new post in a closed tab")
    page = reopen(page, "/admin/catalogue/post/")
    page.wait_for_function(IS_ON_THE_SERVER, arg="A new post in a closed tab")
    page.reload()
    page.get_by_role("link", name="A new post in a closed tab").first.click()
    expect(title(page)).to_have_value("A new post in a closed tab")


def test_what_was_saved_by_its_key_is_found_after_more_was_typed(page: Page) -> None:
    page.goto("/admin/catalogue/post/add/")
    body = page.get_by_role("textbox", name="Body, English")
    for text, key in (("Half", ""), ("Saved words.", "ControlOrMeta+s"), ("Saved words. And", "")):
        with page.expect_response("**/draft/"):
            body.fill(text)
            if key:
                page.keyboard.press(key)
    page.reload()

    page.locator("summary", has_text="Earlier states of the draft (2)").click()
    page.get_by_role("button", name="Restore into the draft").first.click()
    expect(body).to_have_value("Saved words.")


def test_a_date_that_a_calendar_sets_is_saved(page: Page) -> None:
    """The calendar of the theme sets a value without an event."""
    page.goto("/admin/catalogue/sciencetopic/1/change/")
    moment = page.get_by_role("textbox", name="Date")
    page.locator("#calendarlink0").click()
    page.locator("#calendarbox0").get_by_role("link", name="17", exact=True).click()
    expect(page.locator(LINE)).to_contain_text("Draft saved")
    page.reload()

    expect(moment).to_have_value(re.compile("-17$"))
    assert page.evaluate("window.violations") == []


def test_what_is_discarded_just_after_it_was_typed_does_not_come_back(page: Page) -> None:
    page.goto(form_of(12))
    was = title(page).input_value()
    title(page).fill("Typed before")
    expect(page.locator(LINE)).to_contain_text("Draft saved")
    page.reload()
    title(page).fill("Typed by mistake")
    page.wait_for_function(COPY)
    page.locator("summary", has_text="More").click()
    page.get_by_role("button", name="Discard").click()
    expect(page.locator("#messages")).to_contain_text("discarded")

    expect(title(page)).to_have_value(was)
    page.wait_for_load_state("networkidle")
    page.reload()
    expect(title(page)).to_have_value(was)


def test_a_killed_server_loses_nothing(desk: Desk, browser: Browser) -> None:
    port = free_port()
    root = f"http://127.0.0.1:{port}"
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    surroundings = environment(desk.database, SITE_ROOT=root, DEBUG="1")
    with run_origin(command, port, surroundings) as origin:
        page = log_in(desk, browser, base_url=root)
        page.goto(form_of(3))
        title(page).fill("Typed before the kill")
        expect(page.locator(LINE)).to_contain_text("Draft saved")
        for process in (origin.process.pid, *origin.workers()):
            os.kill(process, signal.SIGKILL)
        title(page).fill("Typed after the kill")
        expect(page.locator(LINE)).to_contain_text("the server does not answer")
        expect(page.locator(LINE)).not_to_contain_text("Draft saved")
        assert page.evaluate(COPY)
    page.close()
    with run_origin(command, port, surroundings):
        page = page.context.new_page()
        page.goto(form_of(3))

        expect(title(page)).to_have_value("Typed after the kill")
        expect(page.locator(LINE)).to_contain_text("Draft saved")
        page.wait_for_function(f"!{COPY}")
        page.reload()
        expect(title(page)).to_have_value("Typed after the kill")
        page.context.close()


def test_an_ended_session_opens_a_log_in_over_the_form(page: Page, desk: Desk) -> None:
    page.goto(form_of(4))
    desk.end_sessions()
    title(page).fill("Typed after the session")
    dialog = page.get_by_role("dialog")
    expect(page.locator(LINE)).to_contain_text("your session has ended")
    dialog.get_by_label("Username").fill(NAME)
    dialog.get_by_label("Password").fill("wrong")
    dialog.locator("[type=submit]").click()
    expect(dialog.get_by_label("Password")).to_have_value("")
    dialog.get_by_label("Username").fill(NAME)
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.locator("[type=submit]").click()

    expect(page.locator(LINE)).to_contain_text("Draft saved")
    expect(title(page)).to_have_value("Typed after the session")
    page.reload()
    expect(title(page)).to_have_value("Typed after the session")


@pytest.fixture
def _no_second_step(desk: Desk) -> Iterator[None]:
    """Other log-ins would have to give a code, too."""
    yield
    assert desk.run(REMOVE_SECOND_STEP) == 0


@pytest.mark.usefixtures("_no_second_step")
def test_the_log_in_over_the_form_asks_for_a_code_too(page: Page, desk: Desk) -> None:
    page.goto(form_of(11))
    assert desk.run(ADD_SECOND_STEP) == 0
    desk.end_sessions()
    title(page).fill("Typed before the code")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Username").fill(NAME)
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.locator("[type=submit]").click()
    dialog.get_by_label("Code").fill("abcd2345")
    dialog.locator("[type=submit]").click()

    expect(page.locator(LINE)).to_contain_text("Draft saved")
    expect(title(page)).to_have_value("Typed before the code")


def test_a_refused_publication_keeps_the_text_and_leads_to_the_faults(page: Page) -> None:
    page.goto(form_of(5))
    body = page.get_by_role("textbox", name="Body, English")
    body.fill("Well.\n\n[x](/nope)\n\n![](/icons/wheria.svg)")
    publish(page)

    summary = page.get_by_role("region", name=re.compile("2 things to correct"))
    expect(summary).to_be_focused()
    summary.get_by_role("link").first.click()
    expect(body).to_be_focused()
    expect(body).to_have_value("Well.\n\n[x](/nope)\n\n![](/icons/wheria.svg)")
    body.press_sequentially(" ")
    page.locator(".desk-preview .desk-faults a", has_text="/nope").click()
    assert body.evaluate(SELECTED) == "[x](/nope)"


def publish(page: Page) -> None:
    """Publish by a key: the answer to a check may move the button from below the pointer."""
    page.locator("summary", has_text="Publish").click()
    page.get_by_role("button", name="Publish now").press("Enter")


@pytest.mark.parametrize(("width", "number"), [(1280, 9), pytest.param(390, 10, marks=NARROW)])
def test_what_was_published_is_seen_word_by_word_and_restored(
    desk: Desk, browser: Browser, width: int, number: int
) -> None:
    page = log_in(desk, browser, viewport={"width": width, "height": 900})
    page.goto(form_of(number))
    was = title(page).input_value()
    title(page).fill(f"{was} {width}")
    publish(page)
    expect(page.locator("#messages")).to_contain_text("Live: /blog/")
    page.get_by_role("link", name="History").click()

    expect(page.get_by_role("insertion").last).to_have_text(str(width))
    page.get_by_role("main").get_by_role("list").last.get_by_role("link").nth(1).click()
    expect(page.get_by_role("heading", name="compared with what is live")).to_be_visible()
    page.get_by_role("button", name="Restore into the draft").click()
    expect(title(page)).to_have_value(was)
    page.context.close()


def test_four_megabytes_are_kept_in_the_browser(page: Page) -> None:
    page.goto(form_of(6))
    text = "Four megabytes of words. " * (4 * 1024 * 1024 // 25 + 1)
    page.get_by_role("textbox", name="Body, English").evaluate(PASTE, text)
    expect(page.locator(LINE)).to_contain_text("longer than the server takes")
    page = reopen(page, form_of(6))

    page.wait_for_function(
        "length => document.getElementById('id_body_en').value.length === length", arg=len(text)
    )
    expect(page.locator(LINE)).to_contain_text("Not saved")


@pytest.mark.parametrize("width", [1280, 390])
def test_a_stranger_publishes_changes_and_withdraws_a_first_article(
    desk: Desk, browser: Browser, width: int
) -> None:
    page = log_in(desk, browser, viewport={"width": width, "height": 900})
    word = token_hex(4)
    page.get_by_role("link", name="Posts").first.click()
    page.get_by_role("link", name="New post", exact=True).click()
    title(page).press_sequentially(f"Hello {word}")
    page.get_by_label("Excerpt, English").fill("One. Two.")
    page.get_by_role("textbox", name="Body, English").fill("The first words.")
    expect(page.get_by_role("textbox", name=re.compile("^Address"))).to_have_value(f"hello-{word}")
    see_preview(page, f"Hello {word}")
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_role("status").filter(has_text="Draft saved").first).to_be_visible()
    page.get_by_role("link", name="Posts").first.click()
    page.get_by_role("link", name=f"Hello {word}").first.click()
    expect(title(page)).to_have_value(f"Hello {word}")
    assert page.request.get(f"/blog/hello-{word}").status == 404
    publish(page)
    expect(page.locator("#messages")).to_contain_text(f"Live: /blog/hello-{word} · EN")
    assert page.request.get(f"/blog/hello-{word}").ok

    page.get_by_role("textbox", name=re.compile("^Address")).fill(f"welcome-{word}")
    publish(page)
    expect(page.locator("#messages")).to_contain_text(f"Live: /blog/welcome-{word} · EN")
    assert page.request.get(f"/blog/hello-{word}").url.endswith(f"/blog/welcome-{word}")
    page.locator("summary", has_text="More").click()
    page.get_by_role("button", name="Withdraw from the site").click()
    expect(page.locator("#messages")).to_contain_text("Withdrawn")
    assert page.request.get(f"/blog/welcome-{word}").status == 404
    page.context.close()


def see_preview(page: Page, heading: str) -> None:
    """See a heading in the preview; a narrow screen shows the text or the preview."""
    frame, screen = page.locator(FRAME), page.viewport_size
    is_narrow = screen is not None and screen["width"] < 500
    if is_narrow:
        expect(frame).not_to_be_visible()
        page.get_by_role("radio", name="Preview").check(force=True)
        expect(title(page)).not_to_be_visible()
    expect(frame).to_be_visible()
    expect(page.frame_locator(FRAME).locator("h1")).to_have_text(heading)
    if is_narrow:
        assert page.evaluate("document.documentElement.scrollWidth") <= screen["width"]
        page.get_by_role("radio", name="Write").check(force=True)


def test_a_form_works_without_scripts(desk: Desk, browser: Browser) -> None:
    page = log_in(desk, browser, java_script_enabled=False)
    page.goto(form_of(7))
    title(page).fill("Typed without scripts")
    page.get_by_role("button", name="Save draft").last.click()
    expect(page.locator("#messages")).to_contain_text("Draft saved")
    expect(title(page)).to_have_value("Typed without scripts")
    page.get_by_role("button", name="Show").click()
    expect(page.frame_locator(FRAME).locator("h1")).to_have_text("Typed without scripts")
    page.locator("summary", has_text="Publish").click()
    page.get_by_role("button", name="Publish now").click()
    expect(page.locator("#messages")).to_contain_text("Live: /blog/")
    page.context.close()


def test_a_form_counts_words_says_the_day_and_is_opened_by_a_phone(page: Page) -> None:
    page.goto("/admin/catalogue/post/add/")
    page.get_by_role("textbox", name="Body, English").fill("Salt water comes\nup.")
    tools = page.get_by_role("toolbar", name="Insert into Body, English")
    expect(tools).to_contain_text("4 words")
    page.locator("#id_publish_at_0").fill("2031-02-03")
    expect(page.get_by_text("Monday, 3 February 2031")).to_be_visible()
    page.locator("summary", has_text="More").click()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()


def test_the_preview_is_one_stop_of_the_tab_key(page: Page) -> None:
    page.goto(form_of(1))
    page.frame_locator(FRAME).locator("h1").wait_for()
    page.locator("summary", has_text="More").focus()
    page.keyboard.press("Shift+Tab")
    expect(page.locator(FRAME)).to_be_focused()
    page.keyboard.press("PageDown")
    page.wait_for_function(f"document.querySelector('{FRAME}').contentWindow.scrollY > 0")
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_label("As of")).to_be_focused()


@pytest.mark.parametrize("by", ["keys", "mouse"])
def test_rows_of_a_table_in_a_form_are_put_in_order(page: Page, by: str) -> None:
    page.goto("/admin/catalogue/sciencetopic/2/change/")
    signs = page.locator("#symbols-group .original .field-symbol input")
    handles = page.get_by_role("button", name="Move this row")
    before = signs.evaluate_all("fields => fields.map((field) => field.value)")
    if by == "keys":
        handles.first.focus()
        page.keyboard.press("ArrowDown")
        expect(handles.nth(1)).to_be_focused()
    else:
        handles.first.drag_to(handles.nth(1))
    expect(page.locator(LINE)).to_contain_text("Draft saved")
    page.reload()

    expect(signs.first).to_have_value(before[1])
    page.locator("summary", has_text="More").click()
    page.get_by_role("button", name="Discard").click()
    expect(signs.first).to_have_value(before[0])


def test_tools_write_markdown_that_can_be_taken_back_and_slugs_have_no_marks(page: Page) -> None:
    page.goto(form_of(1))
    body = page.get_by_role("textbox", name="Body, English")
    before = body.input_value()
    tools = page.get_by_role("toolbar", name="Insert into Body, English")
    body.press("ControlOrMeta+End")
    tools.get_by_role("button", name="Heading").click()
    page.keyboard.insert_text("Tides")
    expect(body).to_have_value(re.compile(r"\n\n## Tides\n\n$"))
    for _ in range(2):
        body.press("ControlOrMeta+z")
    expect(body).to_have_value(before)
    tools.get_by_role("button", name="Heading").press("ArrowRight")
    expect(tools.get_by_role("button", name="Bold")).to_be_focused()

    page.goto("/admin/catalogue/post/add/")
    title(page).press_sequentially("Ở Đà Nẵng: 48 kHz!")
    expect(page.get_by_role("textbox", name=re.compile("^Address"))).to_have_value(
        "o-da-nang-48-khz"
    )


def test_a_link_is_chosen_by_keys_alone_and_can_be_taken_back(page: Page) -> None:
    page.goto("/admin/catalogue/post/add/")
    body = page.get_by_role("textbox", name="Body, English")
    body.fill("See the map")
    dialog = page.get_by_role("dialog", name="Link")

    def open_the_dialog(*arrows: str) -> None:
        body.press("ControlOrMeta+a")
        for key in ("Shift+Tab", *arrows, "Enter"):
            page.keyboard.press(key)
        expect(dialog.get_by_role("textbox")).to_be_focused()

    open_the_dialog("ArrowRight", "ArrowRight")
    page.keyboard.type("BAN DO TRONG")
    expect(dialog.get_by_role("button").first).to_have_text(MAP)
    page.keyboard.press("Enter")
    expect(body).to_have_value("[See the map](/blog/a-map-that-fits-in-fifty-megabytes)")
    expect(body).to_be_focused()
    page.keyboard.press("ControlOrMeta+z")
    expect(body).to_have_value("See the map")
    open_the_dialog()
    page.keyboard.type("https://maps.example")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(body).to_have_value("[See the map](https://maps.example)")
    page.keyboard.press("ControlOrMeta+z")
    open_the_dialog()
    page.keyboard.press("Escape")
    expect(dialog).not_to_be_visible()
    expect(body).to_have_value("See the map")


def says(page: Page, text: str) -> None:
    expect(page.locator(LINE)).to_contain_text(text)


def excerpt(page: Page) -> Any:
    return page.get_by_role("textbox", name="Excerpt, English")


def question(page: Page) -> Any:
    return page.get_by_role("region", name="The same text was changed")


def open_a_post(page: Page, word: str) -> str:
    """Publish a post of its own for a test; return the address of its form, which is open."""
    page.goto("/admin/catalogue/post/add/")
    title(page).fill(f"Tides {word}")
    excerpt(page).fill("One. Two.")
    page.get_by_role("textbox", name="Body, English").fill("The first words.")
    page.get_by_role("textbox", name=re.compile("^Address")).fill(f"tides-{word}")
    publish(page)
    expect(page.locator("#messages")).to_contain_text(f"Live: /blog/tides-{word}")
    return page.url


@pytest.mark.parametrize(
    ("width", "choice"), [(1280, "Yours"), pytest.param(390, "The other text", marks=NARROW)]
)
def test_two_people_type_into_one_post_and_no_word_is_lost(
    desk: Desk, browser: Browser, width: int, choice: str
) -> None:
    screen = {"viewport": {"width": width, "height": 900}}
    linh, lan = log_in(desk, browser, **screen), log_in(desk, browser, OTHER, **screen)
    address = open_a_post(linh, token_hex(4))
    lan.goto(address)
    title(linh).fill("Tides of Linh")
    linh.locator("summary", has_text="Ask for review").click()
    linh.get_by_label("Note for the reviewer").fill("Is it right?")
    linh.get_by_role("button", name="Ask for review").click()
    expect(linh.get_by_role("heading", name="linh asks for a review")).to_be_visible()

    excerpt(lan).fill("Lan. Writes.")
    says(lan, "Somebody else has changed Title, English.")
    linh.reload()
    expect(linh.get_by_role("heading", name="A note from linh")).to_be_visible()
    expect(excerpt(linh)).to_have_value("Lan. Writes.")
    expect(title(linh)).to_have_value("Tides of Linh")

    title(lan).fill("Tides of Lan")
    says(lan, "Not saved: somebody else has changed Title, English, too.")
    lan.get_by_role("button", name="Save draft").last.click()
    expect(question(lan)).to_be_focused()
    for _ in range(2):  # A question without an answer comes again in another tab.
        lan = reopen(lan, address)
        expect(question(lan)).to_contain_text("Tides of Lan", use_inner_text=True)
        expect(question(lan)).to_contain_text("Tides of Linh", use_inner_text=True)
    question(lan).get_by_label(choice).check()
    lan.get_by_role("button", name="Save draft").last.click()
    expect(lan.locator("#messages")).to_contain_text("Draft saved")
    lan.wait_for_load_state("networkidle")
    chosen = {"Yours": "Tides of Lan", "The other text": "Tides of Linh"}[choice]
    expect(title(lan)).to_have_value(chosen)
    expect(excerpt(lan)).to_have_value("Lan. Writes.")
    lan.wait_for_function(f"!{COPY}")
    linh.reload()
    expect(title(linh)).to_have_value(chosen)
    for page in (linh, lan):
        page.context.close()


def test_what_one_person_typed_is_not_saved_by_another_at_the_same_computer(
    desk: Desk, browser: Browser
) -> None:
    log_in(desk, browser, OTHER).context.close()
    page = log_in(desk, browser)
    context, address = page.context, open_a_post(page, token_hex(4))
    was = title(page).input_value()
    context.set_offline(offline=True)
    title(page).fill("Typed by Linh")
    says(page, "the server does not answer")
    page.close()
    context.set_offline(offline=False)
    for name, text in ((OTHER, was), (NAME, "Typed by Linh")):
        context.clear_cookies()
        context.add_cookies(desk.sessions[name])
        page = context.new_page()
        page.goto(address)
        page.wait_for_load_state("networkidle")
        expect(title(page)).to_have_value(text)
    context.close()


def test_a_glance_at_another_tab_is_no_change_of_somebody_else(page: Page) -> None:
    page.goto(form_of(1))
    for text in ("Before a glance", "After a glance"):
        with page.expect_response("**/draft/"):
            title(page).fill(text)
            page.evaluate(HIDE)

    says(page, "Draft saved")
    page.reload()
    expect(title(page)).to_have_value("After a glance")


def test_a_page_that_was_made_while_a_save_was_on_its_way_shows_what_was_saved(page: Page) -> None:
    address = open_a_post(page, token_hex(4))
    older = page.context.request.get(address).body()
    title(page).fill("Saved meanwhile")
    says(page, "Draft saved")
    body = {"body": older, "content_type": "text/html; charset=utf-8"}
    page.route(f"**{address}", lambda route: route.fulfill(**body), times=1)
    page.reload()

    expect(title(page)).to_have_value("Saved meanwhile")


@pytest.mark.exhaustive("asks one person in two tabs what two people are asked")
def test_two_tabs_of_one_person_are_like_two_people(page: Page) -> None:
    address = open_a_post(page, token_hex(4))
    other = page.context.new_page()
    other.goto(address)
    title(page).fill("In one tab")
    says(page, "Draft saved")
    excerpt(other).fill("Another. Tab.")
    says(other, "Somebody else has changed Title, English.")
    title(other).fill("In another tab")
    says(other, "Not saved: somebody else has changed Title, English, too.")
    other.close(run_before_unload=True)
    page = reopen(page, address)

    expect(question(page)).to_contain_text("In one tab", use_inner_text=True)
    expect(question(page)).to_contain_text("In another tab", use_inner_text=True)
    question(page).get_by_label("Yours").check()
    page.get_by_role("button", name="Save draft").last.click()
    expect(page.locator("#messages")).to_contain_text("Draft saved")
    expect(title(page)).to_have_value("In another tab")
    expect(excerpt(page)).to_have_value("Another. Tab.")


GIVE = """(field, [name, data, type = "image/png", text = ""]) => {
  const files = new DataTransfer();
  for (const one of data.split(" ")) {
    const bytes = Uint8Array.from(atob(one), (sign) => sign.charCodeAt(0));
    files.items.add(new File([bytes], "Cảng Đà Nẵng.png", { type }));
  }
  if (text) files.setData("text/plain", text);
  const options = { bubbles: true, cancelable: true };
  return field.dispatchEvent(name === "drop"
    ? new DragEvent(name, { dataTransfer: files, ...options })
    : new ClipboardEvent(name, { clipboardData: files, ...options }));
}"""


def test_an_image_is_dropped_pasted_or_chosen_and_can_be_taken_back(page: Page) -> None:
    file = BytesIO()
    Image.new("RGB", (900, 500), (200, 20, 20)).save(file, "PNG")
    data = b64encode(file.getvalue()).decode()
    page.goto(form_of(3))
    body = page.get_by_role("textbox", name="Body, English")
    before = body.input_value()
    dialog = page.get_by_role("dialog", name="Image")
    body.press("ControlOrMeta+End")

    body.evaluate(GIVE, ["drop", data])
    expect(dialog.get_by_label("Name", exact=True)).to_have_value("cang-da-nang")
    expect(dialog.get_by_label("What it shows, English")).to_be_focused()
    page.evaluate(needs_module("axe-core/axe.min.js").read_text())
    visit: Visit = {"axe": {}, "painted": {}, "overflow": {}}
    examine_page(page, visit, [WIDE_AND_LIGHT, NARROW_AND_DARK])
    layouts = [*visit["axe"].values(), *visit["overflow"].values()]
    faults = [fault for layout in layouts for fault in layout]
    assert [fault for fault in faults if not fault.startswith("frame-tested")] == []
    page.set_viewport_size({"width": 1280, "height": 900})
    page.keyboard.type("The harbour [east] *")
    dialog.get_by_label("What it shows, Vietnamese").fill("Bến cảng")
    page.keyboard.press("Enter")
    written = "\n\n![The harbour \\[east\\] \\*](/images/cang-da-nang.webp)\n\n"
    expect(body).to_have_value(before + written)
    shown = page.frame_locator(FRAME).locator("img[alt='The harbour [east] *']")
    shown.scroll_into_view_if_needed()
    expect(shown).to_have_js_property("complete", value=True)
    assert shown.evaluate("image => image.naturalWidth") > 0
    body.press("ControlOrMeta+z")
    expect(body).to_have_value(before)

    page.get_by_role("toolbar", name="Insert into Body, English").get_by_text("Image").click()
    chosen = {"name": "walk.png", "mimeType": "image/png", "buffer": b"x"}
    dialog.get_by_label("File").set_input_files(chosen)  # type: ignore[arg-type]
    expect(dialog.get_by_label("Name", exact=True)).to_have_value("walk")
    expect(dialog.get_by_label("What it shows, English")).to_have_value("")
    dialog.get_by_role("searchbox").fill("cang da")
    dialog.locator("li").get_by_role("button", name="cang-da-nang").click()
    expect(body).to_have_value(before + written)
    assert page.evaluate("window.violations") == []

    body.evaluate(GIVE, ["paste", data])
    dialog.get_by_label("What it shows, English").fill("Red")
    dialog.get_by_label("What it shows, Vietnamese").fill("Đỏ")
    dialog.get_by_role("button", name="Upload").click()
    expect(dialog.get_by_role("alert")).to_contain_text("already exists")
    dialog.get_by_label("Name", exact=True).fill("red")
    page.keyboard.press("Enter")
    expect(body).to_have_value(f"{before}{written}\n![Red](/images/red.webp)\n\n")


def test_each_dropped_file_is_asked_for_and_copied_cells_are_pasted_as_text(page: Page) -> None:
    file = BytesIO()
    Image.new("RGB", (20, 20)).save(file, "PNG")
    files = [b64encode(data).decode() for data in (b"%PDF-1.7", file.getvalue())]
    page.goto("/admin/catalogue/post/add/")
    body = page.get_by_role("textbox", name="Body, English")
    body.fill("Seen.")
    body.press("ControlOrMeta+End")
    dialog = page.get_by_role("dialog", name="Image")

    assert body.evaluate(GIVE, ["paste", files[1], "image/png", "cells of a table"])
    assert not title(page).evaluate(GIVE, ["drop", files[1]]), "it takes the place of the page"
    expect(dialog).not_to_be_visible()
    body.evaluate(GIVE, ["drop", " ".join(files), ""])
    new = f"black-{token_hex(4)}"
    for name in ("no-image", new):
        dialog.get_by_label("What it shows, English").fill(name)
        dialog.get_by_label("What it shows, Vietnamese").fill(name)
        dialog.get_by_label("Name", exact=True).fill(name)
        page.keyboard.press("Enter")
        if name == "no-image":
            expect(dialog.get_by_role("alert")).to_contain_text("The file is no image in PNG")
            dialog.get_by_role("button", name="Cancel").click()
    expect(body).to_have_value(f"Seen.\n\n![{new}](/images/{new}.webp)\n\n")

    body.evaluate(GIVE, ["drop", files[1]])
    dialog.get_by_label("What it shows, English").fill("Lost")
    expect(dialog.locator("li").first).to_be_visible()
    page.evaluate(SPOIL_COOKIE)
    dialog.get_by_label("What it shows, Vietnamese").fill("Mất")
    page.keyboard.press("Enter")
    said = "The form was opened before your last log-in"
    expect(dialog.get_by_role("alert")).to_contain_text(said)
