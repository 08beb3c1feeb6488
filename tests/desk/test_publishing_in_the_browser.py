"""An editor changes a text, publishes the site, is refused, corrects and goes back, by keys."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection

import pytest
from playwright.sync_api import Page, expect

from tests.browsers import PATIENCE_MILLISECONDS, running_chromium
from tests.freeze.processes import open_database, run, small_database
from tests.live_origins import serve_origin

pytestmark = [pytest.mark.browser, pytest.mark.server]

NAME, PASSWORD = "linh", "tám quả dọi treo nghiêng"
MAKE_ACCOUNT = f"""
import django
django.setup()
from django.contrib.auth.models import User
User.objects.create_superuser({NAME!r}, "linh@studio.example", {PASSWORD!r})
"""
FORM = "/admin/catalogue/post/1/change/"
VERIFIED = "documents verified."
expect.set_options(timeout=PATIENCE_MILLISECONDS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("publishing")


@pytest.fixture(scope="module")
def editor_page(folder: Path) -> Iterator[Page]:
    with editing(folder) as page:
        yield page


@pytest.fixture
def page(editor_page: Page) -> Page:
    """Publish what earlier tests have left, so that each one begins with a verified release."""
    publish_site(editor_page)
    return editor_page


@contextmanager
def editing(folder: Path, **variables: str) -> Iterator[Page]:
    """Yield a page of an editor; nothing but the live origin is started, as by `make run`."""
    with (
        serve_origin(
            folder, "--publish", filled=small_database("make_site"), DEBUG="1", **variables
        ) as origin,
        running_chromium() as browser,
    ):
        assert run("-c", MAKE_ACCOUNT, database=folder / "catalogue.sqlite3").returncode == 0
        context = browser.new_context(base_url=f"http://127.0.0.1:{origin.port}")
        context.set_default_timeout(PATIENCE_MILLISECONDS)
        page = context.new_page()
        page.goto("/admin/login/")
        page.get_by_label("Username").fill(NAME)
        page.get_by_label("Password").fill(PASSWORD)
        page.locator("button[type=submit]").first.click()
        page.wait_for_url("/admin/")
        yield page


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Enter")


def read_article(folder: Path) -> str:
    """Return the published Markdown of the article of the form."""
    with open_database(folder / "catalogue.sqlite3") as database:
        [(slug,)] = database.execute("SELECT slug FROM catalogue_post WHERE id = 1")
    return (folder / f"snapshot/current/public/blog/{slug}.md").read_text()


def publish_site(page: Page) -> None:
    page.goto("/admin/publish/")
    press(page, "Publish site")
    expect(page.locator(".desk-phase")).to_contain_text(VERIFIED)


def publish_a_title(page: Page, title: str) -> None:
    page.goto(FORM)
    page.get_by_role("textbox", name="Title, English").fill(title)
    page.get_by_text("Publish…").click()
    press(page, "Publish now")
    page.get_by_text("Live: ").wait_for()


def test_a_text_is_edited_and_the_site_is_published_and_verified(page: Page, folder: Path) -> None:
    publish_a_title(page, "Echoes of a lift shaft")
    page.goto("/admin/")
    expect(page.locator(".desk-phase")).to_contain_text(VERIFIED)
    press(page, "Publish site")
    expect(page.locator(".desk-phase")).to_contain_text(VERIFIED)
    expect(page.get_by_text("Nothing: readers see the same.")).to_be_visible()
    assert read_article(folder).startswith("# Echoes of a lift shaft\n")
    page.goto(FORM)
    expect(page.get_by_text("In the snapshot since")).to_be_visible()


def test_a_refusal_leads_to_the_line_of_a_text_and_readers_see_the_last_release(
    page: Page, folder: Path
) -> None:
    with dead_link(folder):
        page.reload()
        expect(page.get_by_text("It would be refused")).to_be_visible()
        press(page, "Publish site")
        expect(page.locator(".desk-phase")).to_contain_text("Not published.")
        assert "nothing" not in read_article(folder)
        page.locator(".desk-faults a").click()
        body = page.get_by_role("textbox", name="Body, English")
        expect(body).to_be_focused()
        selected = body.evaluate("f => f.value.slice(f.selectionStart, f.selectionEnd)")
        assert selected == "[x](/nothing)"
        page.goto("/admin/publish/")
        page.wait_for_load_state("networkidle")  # The form that was left may still be writing.


@contextmanager
def dead_link(folder: Path) -> Iterator[None]:
    """Begin the article with a link that leads nowhere, as no form of the desk accepts it."""
    with open_database(folder / "catalogue.sqlite3") as database:
        [(body,)] = database.execute("SELECT body_en FROM catalogue_post WHERE id = 1")
        write_body(database, f"[x](/nothing)\n\n{body}")
    try:
        yield
    finally:
        with open_database(folder / "catalogue.sqlite3") as database:
            write_body(database, body)


def write_body(database: Connection, body: str) -> None:
    database.execute("UPDATE catalogue_post SET body_en = ? WHERE id = 1", [body])


def test_the_site_goes_back_to_an_earlier_release(page: Page, folder: Path) -> None:
    publish_a_title(page, "Echoes of a stairwell")
    page.goto("/admin/publish/")
    expect(page.locator(".desk-phase")).to_contain_text(VERIFIED)
    page.get_by_role("link", name="Go back to this one…").last.click()
    expect(page.locator("del").first).to_be_visible()
    press(page, "Go back to this one")
    expect(page.locator(".desk-phase")).to_contain_text(VERIFIED)
    expect(page.get_by_text("went back to this release")).to_be_visible()
    assert "stairwell" not in read_article(folder).partition("\n")[0]
    press(page, "Publish site")
    expect(page.get_by_text("went back to this release")).to_have_count(0)
    expect(page.locator(".desk-phase")).to_contain_text(VERIFIED)
    assert read_article(folder).startswith("# Echoes of a stairwell\n")
