"""The admin in a real browser: no page breaks its Content-Security-Policy, and the theme works."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browsers import PATIENCE_MILLISECONDS, running_chromium
from tests.freeze.processes import FAILED, PUBLISHED, freeze, open_database, run
from tests.live_origins import serve_origin
from tests.pages.published.browser_visits import (
    FIND_OVERFLOW,
    LAYOUTS,
    NARROW_AND_DARK,
    WIDE_AND_LIGHT,
    Layout,
    Visit,
    examine_page,
)
from tests.pages.published.fault_report import assert_no_faults
from tests.requirements import needs_module

pytestmark = [pytest.mark.browser, pytest.mark.server]

NAME, PASSWORD = "linh", "tám quả dọi treo nghiêng"
MAKE_ACCOUNTS = f"""
import django
django.setup()
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice
from site_mirror.desk.models import HistoryEntry
call_command("demo")
for row, title in ((2, "Was"), (2, "Is"), (999, "Gone")):
    HistoryEntry.objects.create(
        kind="post", row=row, title=title, act="changed", changed=["title_en"],
        data={{"title_en": [title]}}, made_at=timezone.now(),
    )
User.objects.create_superuser("coded", "coded@studio.example", {PASSWORD!r})
TOTPDevice.objects.create(user=User.objects.get(username="coded"))
User.objects.create_superuser({NAME!r}, "linh@studio.example", {PASSWORD!r})
User.objects.create_superuser("lan", "lan@studio.example", {PASSWORD!r})
editor = User.objects.get(username="editor")
editor.set_password({PASSWORD!r})
editor.save()
"""
VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
});
"""
LISTS = [
    "/admin/",
    "/admin/auth/user/",
    "/admin/catalogue/apiversion/",
    "/admin/catalogue/app/",
    "/admin/catalogue/image/",
    "/admin/catalogue/post/",
    "/admin/catalogue/post/?state=draft",
    "/admin/catalogue/principle/",
    "/admin/content/",
    "/admin/content/ posts no list of rows",
    "/admin/search/?q=con",
    "/admin/search/?q=nothing+like+it",
    "/admin/translations/",
]
FORMS = [
    "/admin/auth/user/1/change/",
    "/admin/auth/user/1/history/",
    "/admin/auth/user/1/password/",
    "/admin/auth/user/add/",
    "/admin/catalogue/app/1/change/",
    "/admin/catalogue/app/add/",
    "/admin/catalogue/image/add/",
    "/admin/catalogue/image/1/change/",
    "/admin/catalogue/image/1/delete/",
    "/admin/catalogue/post/add/",
    "/admin/catalogue/post/1/change/",
    "/admin/catalogue/sciencetopic/1/change/",
    "/admin/catalogue/studio/1/change/",
]
UNFINISHED = "/admin/catalogue/post/ > Why a barometer climbs stairs"
REVIEW = "/admin/catalogue/post/ > A label that survives the cellar"
DRAFTS = [
    UNFINISHED,
    REVIEW,
    "/admin/catalogue/post/1/delete/",
    "/admin/catalogue/post/10/delete/",
    "/admin/catalogue/post/1/history/",
    "/admin/catalogue/post/2/history/",
    "/admin/catalogue/post/2/history/ > With what is live",
    "/admin/catalogue/post/deleted/",
    "/admin/password-reset/",
    "/admin/password_change/",
    "/admin/publish/",
    "/admin/publish/ > Go back to this one…",
    "/admin/second-step/",
    "/admin/set-password/x/y/",
    "/admin/login/",
    "/admin/login/ as coded",
]
"""Addresses of pages; after `>`, the link that leads to a page; after `as`, who logs in.

After `posts`, the text of a file is sent by the form of the page.
"""
NEW_TAG = "/admin/content/ posts - {model: catalogue.tag, fields: {slug: rain, name_en: Rain}}"
IN_VIETNAMESE = [
    *("/admin/", "/admin/catalogue/post/", "/admin/content/", "/admin/translations/"),
    *("/admin/auth/user/1/change/", "/admin/catalogue/image/add/", "/admin/second-step/"),
    *("/admin/catalogue/post/1/change/", "/admin/catalogue/post/1/history/", "/admin/publish/"),
    *("/admin/catalogue/post/1/delete/", "/admin/search/?q=con", NEW_TAG, "/admin/login/"),
]
KINDS = ["apiversion", "app", "page", "post", "sciencetopic", "statistic", "studio"]
"""Kinds whose forms begin differently; the others begin as one of these."""
FIRST_FIELD = """() => [...document.querySelector("#content-main > form").elements]
  .find((field) => field.offsetParent && field.name && !/^_|^csrf/.test(field.name)).id"""
UNCOVER = """() => {
  for (const bar of document.querySelectorAll(".desk-acts")) bar.style.position = "static";
  for (const frame of document.querySelectorAll("iframe")) frame.remove();
}"""
"""axe sees nothing below a bar, nor in a frame without scripts, whose pages other tests visit."""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The root of a live origin. With DEBUG, it serves static files without `collectstatic`."""
    folder = tmp_path_factory.mktemp("admin")
    with serve_origin(folder, shipped=True, DEBUG="1") as origin:
        accounts = run("-c", MAKE_ACCOUNTS, database=folder / "catalogue.sqlite3")
        assert accounts.returncode == 0, accounts.stderr
        root = f"http://127.0.0.1:{origin.port}"
        make_releases(folder, root)
        yield root


def make_releases(folder: Path, root: str) -> None:
    """Publish twice, and be refused for a dead link, which leaves what would change."""
    database, codes = folder / "catalogue.sqlite3", []
    for text in ("", "Measured twice.", "[x](/nothing)"):
        with open_database(database) as connection:
            edit = "UPDATE catalogue_post SET body_en = body_en || ? WHERE id = 3"
            connection.execute(edit, [f"\n\n{text}\n"])
        options = ("--desk", "deploy")
        made = freeze(folder / "snapshot", *options, database=database, SITE_ROOT=root)
        codes.append(made.returncode)
    assert codes == [PUBLISHED, PUBLISHED, FAILED]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_chromium() as browser:
        yield browser


def logged_in(
    browser: Browser,
    root: str,
    name: str,
    width: int = 1280,
    *,
    scripts: bool = True,
    language: str = "en",
) -> Page:
    context: BrowserContext = browser.new_context(
        base_url=root,
        viewport={"width": width, "height": 900},
        java_script_enabled=scripts,
        locale=language,
    )
    context.set_default_timeout(PATIENCE_MILLISECONDS)
    context.add_init_script(VIOLATIONS)
    page = context.new_page()
    give_password(page, name)
    page.wait_for_url(f"{root}/admin/")
    return page


def give_password(page: Page, name: str) -> None:
    page.goto("/admin/login/")
    page.fill("#id_username", name)
    page.fill("#id_password", PASSWORD)
    page.click("button[type=submit]")


def open_page(page: Page, place: str) -> None:
    """Open a page, or the one behind a link or form of it, or the one that asks for a code."""
    address, _, text = place.partition(" posts ")
    address, _, link = address.partition(" > ")
    address, _, name = address.partition(" as ")
    if address == "/admin/login/":
        page.context.clear_cookies()
    page.goto(address)
    if text:
        file = {"name": "x.yaml", "mimeType": "application/yaml", "buffer": text.encode()}
        page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
        with page.expect_navigation():
            page.locator("form:has(input[type=file]) button").click()
    if link:
        with page.expect_navigation():
            page.get_by_role("link", name=link).first.click()
    if name:
        give_password(page, name)
        page.get_by_label("Code").wait_for()


def read_violations(page: Page) -> list[str]:
    return list(page.evaluate("window.violations"))


def test_refusals_fit_the_screen(root: str, browser: Browser) -> None:
    page = logged_in(browser, root, "editor")
    wide, texts = {}, {}
    for address in ("/admin/auth/user/", "/admin/login/"):
        if address == "/admin/login/":
            fail_to_log_in(page, "nobody")
        else:
            page.goto(address)
        texts[address] = page.locator("body").inner_text()
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 900})
            wide[address, width] = page.evaluate("document.documentElement.scrollWidth") - width
    page.context.close()

    assert "does not have the permission" in texts["/admin/auth/user/"]
    assert "try again 15 minutes after the last failure" in texts["/admin/login/"]
    assert max(wide.values()) <= 0, wide


EVERY_LAYOUT = pytest.mark.exhaustive("axe examines each page of the desk in four layouts")


@pytest.mark.parametrize(
    "layouts",
    [[WIDE_AND_LIGHT, NARROW_AND_DARK], pytest.param(LAYOUTS, marks=EVERY_LAYOUT)],
    ids=["two", "all"],
)
@pytest.mark.parametrize("addresses", [LISTS, FORMS, DRAFTS], ids=["lists", "forms", "drafts"])
def test_no_page_has_a_fault_for_axe_breaks_its_policy_or_is_wider_than_its_window(
    root: str, browser: Browser, addresses: list[str], layouts: list[Layout]
) -> None:
    page = logged_in(browser, root, NAME)
    faults = find_faults(page, root, addresses, layouts)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("document.documentElement.classList.contains('dark')")
    page.context.close()

    assert_no_faults(faults)


def test_no_page_in_vietnamese_has_a_fault(root: str, browser: Browser) -> None:
    page = logged_in(browser, root, NAME, language="vi")
    spoken = page.locator("html").get_attribute("lang")
    faults = find_faults(page, root, IN_VIETNAMESE, [NARROW_AND_DARK])
    page.context.close()

    assert spoken == "vi"
    assert_no_faults(faults)


@pytest.mark.parametrize("language", ["en", "vi"])
def test_open_menus_and_lists_have_no_fault_at_any_width(
    root: str, browser: Browser, language: str
) -> None:
    page = logged_in(browser, root, NAME, language=language)
    page.goto("/admin/catalogue/post/9/change/")
    page.wait_for_load_state("networkidle")
    page.evaluate("document.querySelectorAll('iframe').forEach((frame) => frame.remove())")
    page.evaluate(needs_module("axe-core/axe.min.js").read_text())
    faults: dict[str, list[str]] = {}
    for menu in page.locator(".desk-acts summary").all():
        visit: Visit = {"axe": {}, "painted": {}, "overflow": {}}
        name = menu.inner_text()
        menu.click()
        examine_page(page, visit, [(width, "light") for width in (320, 768, 1280)])
        menu.click()
        for layout, found in visit["axe"].items():  # It cannot tell what a menu hides.
            faults[f"{name} at {layout}"] = [each for each in found if "(violations)" in each]
        faults |= {f"{name} at {width}": found for width, found in visit["overflow"].items()}
    page.set_viewport_size({"width": 768, "height": 900})
    page.goto("/admin/catalogue/post/")
    faults["list"] = page.evaluate(FIND_OVERFLOW)
    page.context.close()

    assert len(faults) == 2 * 3 * 3 + 1
    assert_no_faults(faults)


def find_faults(
    page: Page, root: str, addresses: Sequence[str], layouts: list[Layout]
) -> dict[str, list[str]]:
    """Return what axe, the policy and the width of the window find on pages."""
    axe = needs_module("axe-core/axe.min.js").read_text()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    faults = {}
    for address in addresses:
        open_page(page, address)
        if page.locator("iframe").count():
            page.wait_for_load_state("networkidle")  # The checks and the preview are shown.
        if " " not in address and page.url != root + address:
            faults[f"address of {address}"] = [page.url]
        page.evaluate(UNCOVER)
        page.evaluate(axe)
        visit: Visit = {"axe": {}, "painted": {}, "overflow": {}}
        examine_page(page, visit, layouts)
        faults[f"policy of {address}"] = read_violations(page) + errors
        errors.clear()
        for kind in ("axe", "overflow"):
            faults |= {f"{address} at {layout}": found for layout, found in visit[kind].items()}
    return faults


def test_a_text_is_translated_and_published_by_keys_in_vietnamese(
    root: str, browser: Browser
) -> None:
    page = logged_in(browser, root, "lan")

    def press(role: Any, name: str) -> None:
        page.get_by_role(role, name=name, exact=True).focus()
        page.keyboard.press("Enter")

    page.locator(".desk-head summary").focus()
    page.keyboard.press("Enter")
    press("button", "Tiếng Việt")
    press("link", "Bản dịch")
    page.get_by_role("heading", name="Tiến độ").wait_for()
    page.goto("/admin/catalogue/tag/1/change/?write=both")
    page.get_by_role("textbox", name="Tên, tiếng Việt").focus()
    page.keyboard.press("End")
    page.keyboard.type(" mới")
    page.keyboard.press("Control+s")
    page.locator(".desk-line", has_text="Bản nháp do lan lưu lúc").wait_for()
    page.locator("summary", has_text="Xuất bản…").focus()
    page.keyboard.press("Enter")
    press("button", "Xuất bản ngay")
    page.locator("#messages", has_text="Đang hiển thị: /blog/tags/").wait_for()
    name = page.locator("#id_name_vi").input_value()
    page.context.close()

    assert name.endswith(" mới")


def test_one_field_on_every_page_finds_texts_by_keys_alone(root: str, browser: Browser) -> None:
    page = logged_in(browser, root, "editor", width=390)
    page.goto("/admin/catalogue/tag/")
    page.get_by_role("searchbox", name="Search everything").fill("BAN DO")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Posts").wait_for()
    page.wait_for_load_state()
    found = page.locator("section", has=page.get_by_role("heading", name="Posts"))
    titles = found.get_by_role("link").all_inner_texts()
    typed = page.get_by_role("searchbox").input_value()
    page.context.close()

    assert any("A map that fits in fifty megabytes" in title for title in titles)
    assert typed == "BAN DO"


def test_the_first_field_is_three_tab_stops_away(root: str, browser: Browser) -> None:
    page = logged_in(browser, root, NAME)
    page.goto("/admin/catalogue/principle/")
    for key in ("Tab", "Enter", "Tab", "Tab"):
        page.keyboard.press(key)
    focused = page.evaluate("document.activeElement.closest('main') && document.activeElement.href")
    far = {}
    for place in [REVIEW, *(f"/admin/catalogue/{kind}/1/change/" for kind in KINDS)]:
        open_page(page, place)
        stops = []
        for key in ("Tab", "Enter", "Tab", "Tab"):
            page.keyboard.press(key)
            stops.append(page.evaluate("document.activeElement.id"))
        first = page.evaluate(FIRST_FIELD)
        if first not in stops:
            far[place] = (first, stops)
    page.context.close()

    assert focused == f"{root}/admin/catalogue/principle/add/"
    assert far == {}


@pytest.mark.parametrize("scripts", [True, False])
def test_rows_are_put_in_order_by_keys_with_and_without_scripts(
    root: str, browser: Browser, scripts: bool
) -> None:
    page = logged_in(browser, root, "editor", scripts=scripts)
    page.goto("/admin/catalogue/principle/")
    before = page.locator("tbody th").all_inner_texts()
    row = page.locator("tbody tr").nth(2)
    row.get_by_role("button", name="up").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/#up-*")
    focused = page.locator("button:focus")
    said = focused.get_attribute("aria-describedby")
    told = page.locator(f"#{said}").inner_text()
    page.keyboard.press("Enter")
    page.get_by_text(f"is now 1 of {len(before)}").wait_for()
    page.wait_for_load_state()
    after = page.locator("tbody th").all_inner_texts()
    page.context.close()

    assert f"is now 2 of {len(before)}" in told
    assert after == [before[2], *before[:2], *before[3:]]


def test_a_row_is_dragged_to_the_place_of_another(root: str, browser: Browser) -> None:
    page = logged_in(browser, root, "editor")
    page.goto("/admin/catalogue/sciencetopic/")
    titles = page.locator("tbody th")
    before = titles.all_inner_texts()
    page.locator(".desk-grip").first.drag_to(titles.nth(2))
    page.get_by_text("is now 3 of").wait_for()
    page.wait_for_load_state()
    after = titles.all_inner_texts()
    page.context.close()

    assert after[:4] == [before[1], before[2], before[0], before[3]]


def fail_to_log_in(page: Page, name: str) -> None:
    page.context.clear_cookies()
    for _ in range(5):
        page.goto("/admin/login/")
        page.fill("#id_username", name)
        page.fill("#id_password", "wrong")
        page.click("button[type=submit]")
        page.wait_for_load_state()
