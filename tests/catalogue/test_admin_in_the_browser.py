"""The admin in a real browser: no page breaks its Content-Security-Policy, and the theme works."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browsers import PATIENCE_MILLISECONDS, running_chromium
from tests.freeze.processes import PROJECT, PYTHON, environment, fill_database, run
from tests.ports import free_port, wait_for

pytestmark = [pytest.mark.browser, pytest.mark.server]

EVERY_PAGE = pytest.mark.exhaustive("opens fifty pages and drags rows in a browser")
NAME, PASSWORD = "linh", "tám quả dọi treo nghiêng"
MAKE_ACCOUNTS = f"""
import django
django.setup()
from django.contrib.auth.models import Group, User
from django.core.management import call_command
call_command("demo_editor")
User.objects.create_superuser({NAME!r}, "linh@studio.example", {PASSWORD!r})
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
PAGES = """
import django
django.setup()
from django.contrib import admin
from django.urls import reverse
admin.autodiscover()
for model in admin.site._registry:
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    first = model._default_manager.first()
    print(reverse(f"{name}_changelist"))
    print(reverse(f"{name}_add"))
    if first:
        for page in ("change", "delete", "history"):
            print(reverse(f"{name}_{page}", args=[first.pk]))
        if model._meta.model_name == "user":
            print(reverse("admin:auth_user_password_change", args=[first.pk]))
"""
OTHERS = [
    "/admin/",
    "/admin/password_change/",
    "/admin/nothing-here/",
    "/admin/password-reset/",
    "/admin/set-password/x/y/",
    "/admin/catalogue/post/?q=nothing",
]


class Origin:
    """A live origin with the shipped content and its database."""

    def __init__(self, folder: Path) -> None:
        self.database = folder / "catalogue.sqlite3"
        self.root = f"http://127.0.0.1:{free_port()}"
        fill_database(self.database, shipped=True)
        self.run(MAKE_ACCOUNTS)

    def run(self, program: str) -> str:
        done = run("-c", program, database=self.database)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self) -> "subprocess.Popen[bytes]":
        """Start the origin with DEBUG, which serves static files without `collectstatic`."""
        port = self.root.rpartition(":")[2]
        variables = environment(self.database, SITE_ROOT=self.root, DEBUG="1")
        command = [*PYTHON, "manage.py", "serve", "--port", port]
        return subprocess.Popen(command, cwd=PROJECT, env=variables)


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Origin]:
    origin = Origin(tmp_path_factory.mktemp("admin"))
    with origin.start() as server:
        try:
            wait_for(int(origin.root.rpartition(":")[2]))
            yield origin
        finally:
            server.terminate()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_chromium() as browser:
        yield browser


def logged_in(browser: Browser, origin: Origin, name: str, width: int = 1280) -> Page:
    context: BrowserContext = browser.new_context(
        base_url=origin.root, viewport={"width": width, "height": 900}
    )
    context.set_default_timeout(PATIENCE_MILLISECONDS)
    context.add_init_script(VIOLATIONS)
    page = context.new_page()
    page.goto("/admin/login/")
    page.fill("#id_username", name)
    page.fill("#id_password", PASSWORD)
    page.click("button[type=submit]")
    page.wait_for_url(f"{origin.root}/admin/")
    return page


def read_violations(page: Page) -> list[str]:
    return list(page.evaluate("window.violations"))


@EVERY_PAGE
def test_no_page_of_the_admin_breaks_its_policy(origin: Origin, browser: Browser) -> None:
    page = logged_in(browser, origin, NAME)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(f"{page.url}: {error}"))
    broken, opened = {}, origin.run(PAGES).split()
    for address in [*opened, *OTHERS]:
        page.goto(address)
        page.wait_for_timeout(100)
        if found := read_violations(page):
            broken[address] = found
    page.context.close()

    assert len(opened) > 40
    assert (broken, errors) == ({}, [])


def test_the_theme_works_under_the_policy(origin: Origin, browser: Browser) -> None:
    page = logged_in(browser, origin, "editor")
    page.get_by_text("unfold_more", exact=True).click()
    page.get_by_text("Dark", exact=True).click()
    page.wait_for_function("document.documentElement.classList.contains('dark')")
    page.goto("/admin/catalogue/post/add/")
    page.locator("#id_title_en").press_sequentially("Echoes and delays")
    slug = page.input_value("#id_slug")
    page.locator("#calendarlink0").click()
    page.locator("#calendarbox0 td a").first.click()
    day = page.input_value("#id_publish_at_0")
    page.locator(".field-app .select2-selection").first.click()
    page.locator(".select2-results__option", has_text="Phyzix").first.click()
    chosen = page.locator(".field-app .select2-selection__rendered").first.inner_text()
    found = read_violations(page)
    page.context.close()

    assert slug == "echoes-and-delays"
    assert day
    assert "Phyzix" in chosen
    assert found == []


@EVERY_PAGE
def test_a_list_is_dragged_and_saved_under_the_policy(origin: Origin, browser: Browser) -> None:
    page = logged_in(browser, origin, "editor")
    page.goto("/admin/catalogue/principle/")
    before = page.locator("#result_list tbody th a").all_inner_texts()
    drag(page, 0, 2)
    with page.expect_navigation():
        page.locator("[name=_save]").first.click()
    after = page.locator("#result_list tbody th a").all_inner_texts()
    found = read_violations(page)
    page.context.close()

    assert sorted(after) == sorted(before)
    assert after != before
    assert found == []


def drag(page: Page, row: int, onto: int) -> None:
    """Drag a row of a list by its handle, in steps as a hand does."""
    handles = page.locator("#result_list tbody td[x-sort\\:handle]")
    start, end = handles.nth(row).bounding_box(), handles.nth(onto).bounding_box()
    assert start
    assert end
    across = start["x"] + start["width"] / 2
    page.mouse.move(across, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(across, end["y"] + end["height"] * 0.8, steps=20)
    page.wait_for_timeout(300)
    page.mouse.up()
    page.wait_for_timeout(300)


@pytest.mark.parametrize("width", [390, 1280])
def test_forms_and_refusals_fit_the_screen(origin: Origin, browser: Browser, width: int) -> None:
    page = logged_in(browser, origin, "editor", width)
    wide, texts = {}, {}
    for address in ("/admin/catalogue/post/add/", "/admin/auth/user/", "/admin/login/"):
        if address == "/admin/login/":
            fail_to_log_in(page, f"nobody-{width}")
        else:
            page.goto(address)
        wide[address] = page.evaluate("document.documentElement.scrollWidth")
        texts[address] = page.locator("body").inner_text()
    page.context.close()

    assert "does not have the permission" in texts["/admin/auth/user/"]
    assert "try again 15 minutes after the last failure" in texts["/admin/login/"]
    assert max(wide.values()) <= width, wide


def fail_to_log_in(page: Page, name: str) -> None:
    page.context.clear_cookies()
    for _ in range(5):
        page.goto("/admin/login/")
        page.fill("#id_username", name)
        page.fill("#id_password", "wrong")
        page.click("button[type=submit]")
        page.wait_for_load_state()
