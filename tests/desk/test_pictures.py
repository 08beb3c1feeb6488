"""The pictures of the guides of editors. `PICTURES=docs/images` writes them there anew."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browsers import running_chromium
from tests.desk.test_in_the_browser import Desk, log_in, see_preview
from tests.freeze.processes import PROJECT, freeze, open_database

pytestmark = [
    pytest.mark.browser,
    pytest.mark.server,
    pytest.mark.exhaustive("takes the pictures, each of whose screens other tests open"),
]

DOCUMENTS = PROJECT / "docs/images"
SIZE = {"width": 1100, "height": 620}
PHONE = {"width": 390, "height": 740}
ADD_DRAFTS = """
import django
django.setup()
from django.core.management import call_command
call_command("demo")
"""
WAITING = "A map that fits in fifty megabytes"
EDIT = """
UPDATE catalogue_post SET excerpt_en = replace(excerpt_en, 'streets', 'roads') WHERE title_en = ?
"""
REVIEWED = "A label that survives the cellar"


def test_the_pictures_of_the_documents_are_taken(tmp_path: Path) -> None:
    folder = Path(os.environ.get("PICTURES", tmp_path))
    desk = Desk(tmp_path)
    with desk.stack, running_chromium() as browser:
        assert desk.run(ADD_DRAFTS) == 0
        publish_and_edit(desk)
        for language, mark in (("en", ""), ("vi", ".vi")):
            page = log_in(desk, browser, viewport=SIZE, reduced_motion="reduce", locale=language)
            for name in show_pages(page):
                page.wait_for_load_state("networkidle")
                page.evaluate("document.fonts.ready")
                page.screenshot(path=folder / f"{name}{mark}.png")

    taken = {each.name for each in folder.glob("*.png")}
    assert (
        {"admin.vi.png", "desk-phone.png"} <= taken <= {each.name for each in DOCUMENTS.iterdir()}
    )


def show_pages(page: Page) -> Iterator[str]:
    """Open each page of a picture, and yield the name of the picture."""
    page.goto("/admin/catalogue/post/")
    yield "desk-list"
    page.get_by_role("link", name=REVIEWED).first.click()
    page.locator("blockquote").wait_for()
    see_preview(page, REVIEWED)
    yield "desk-review"
    page.goto("/admin/catalogue/post/1/change/")
    see_preview(page, WAITING)
    yield "admin"
    page.goto("/admin/publish/")
    yield "desk-publish"
    page.goto("/admin/catalogue/post/1/change/")
    page.set_viewport_size(PHONE)
    page.locator("summary.desk-loud").click()
    yield "desk-phone"


def publish_and_edit(desk: Desk) -> None:
    """Publish the site, and change a word of an article afterwards."""
    database, target = desk.folder / "catalogue.sqlite3", desk.folder / "snapshot"
    made = freeze(target, "--desk", "deploy", database=database, SITE_ROOT=desk.root)
    assert made.returncode == 0, made.stderr
    (desk.folder / "publish-request.timer").touch()
    with open_database(database) as connection:
        connection.execute(EDIT, [WAITING])
