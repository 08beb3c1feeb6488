"""Hidden rows are in no body, page, list, count, redirect or snapshot."""

from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.core.management import call_command
from django.db.models import CharField, Model, TextField
from django.utils import timezone

from catalogue import addresses
from catalogue.addresses import Site
from catalogue.models import App, Page, Post, ScienceTopic
from site_mirror.registry.contexts import context_at
from tests import factories
from tests.api import full_content
from tests.api.conftest import Get
from tests.api.endpoints import ADDRESSES, BASE, EXAMPLES, OPENAPI
from tests.pages.page_reader import render_documents

pytestmark = pytest.mark.usefixtures("content")

MARK = "zzhidden"
COMPANION = "companion"
OWN_ADDRESSES = (
    *("/api/v1/apps/{0}", "/apps/{0}", "/apps/{0}.md", "/vi/apps/{0}", "/icons/{0}.svg"),
    *("/api/v1/posts/{0}", "/blog/{0}", "/blog/{0}.md", "/vi/blog/{0}"),
)
"""Addresses of apps and posts; other rows have none of their own."""
FREE_TEXT_SUFFIXES = ("_en", "_vi", "name", "downloads", "formula_text", "formula_latex")


def make_hidden_row(kind: str, state: str) -> Model:
    """Make a hidden row with the mark in all texts, and relate visible rows to it."""
    row = full_content.PUBLISHABLE[kind](slug=f"{MARK}-{state}-old", **factories.SHOWN)
    type(row)._default_manager.filter(pk=row.pk).update(
        **mark_texts(row) | {"slug": f"{MARK}-{state}-new"} | factories.HIDDEN[state]
    )
    row.refresh_from_db()
    relate_row(kind, row)
    return row


def make_hidden_rows(kind: str) -> None:
    if kind == "app":
        make_companions()
    for state in factories.HIDDEN:
        make_hidden_row(kind, state)


def mark_texts(row: Model) -> dict[str, Any]:
    texts = [field for field in row._meta.fields if isinstance(field, CharField | TextField)]
    return {
        field.name: f"{MARK} {field.name}"
        for field in texts
        if field.editable and field.name.endswith(FREE_TEXT_SUFFIXES)
    }


def relate_row(kind: str, row: Any) -> None:
    """Relate a row to visible ones: an app to the next post without an app, for example."""
    if kind == "app":
        row.science_topics.add(ScienceTopic.objects.get(slug="bare-topic"))
        post = Post.objects.filter(app=None, slug__startswith=COMPANION).first()
        assert post, "make_companions() makes a post for each state"
        post.app = row
        post.save()
    elif kind == "post":
        row.tags.add(full_content.find_or_make_tag(f"{MARK}-tag"))
        row.app = App.objects.get(slug="full-app")
        row.save()
    elif kind == "topic":
        factories.make_symbol(row, meaning_en=MARK)
        row.apps.set(App.objects.filter(slug="full-app"))
    elif kind == "entry":
        factories.make_link(entry=row, href=f"/{MARK}")


def make_companions() -> None:
    """Make a visible post for each hidden app, because a post has only one app."""
    for state in factories.HIDDEN:
        full_content.make_full_post(slug=f"{COMPANION}-{state}")


def test_a_hidden_row_is_in_no_response_and_has_no_address(get: Get) -> None:
    for kind in full_content.PUBLISHABLE:
        make_hidden_rows(kind)
    published = render_documents(context_at(Site(settings.SITE_ROOT), timezone.now()))
    # Pages of the reference are many, and made alike; the snapshot below has all of them.
    pages = (each.address for each in published if "/docs/api/" not in each.address)
    seen = {*ADDRESSES, *pages}
    found = {address: get(address).content for address in seen}
    own = [
        template.format(f"{MARK}-{state}-{slug}")
        for template in OWN_ADDRESSES
        for state in factories.HIDDEN
        for slug in ("old", "new")
    ]

    assert [address for address, body in found.items() if MARK.encode() in body] == []
    assert {address: get(address).status_code for address in own} == dict.fromkeys(own, 404)


def test_a_hidden_row_changes_no_count(get: Get) -> None:
    def counts() -> list[Any]:
        lists = ("apps", "posts", "principles", "timeline")
        studio = get(f"{BASE}/studio").json()["data"]
        statistics = get(f"{BASE}/stats").json()["data"]
        return [
            *(get(f"{BASE}/{name}").json()["meta"]["count"] for name in lists),
            (studio["appCount"], studio["postCount"]),
            [statistic["value"] for statistic in statistics],
        ]

    before = counts()
    for kind in full_content.PUBLISHABLE:
        make_hidden_rows(kind)
    Post.objects.filter(slug__startswith=COMPANION).delete()

    assert counts() == before


@pytest.mark.parametrize("kind", full_content.PUBLISHABLE)
def test_the_mark_of_a_published_row_is_found(get: Get, kind: str) -> None:
    make_companions()
    row = make_hidden_row(kind, "draft")
    type(row)._default_manager.filter(pk=row.pk).update(**factories.SHOWN)
    lists = [address for address in EXAMPLES if MARK in get(address).content.decode()]

    assert lists
    assert kind != "app" or f"{MARK}-draft-new" in get(OPENAPI).content.decode()


def test_hidden_rows_are_not_in_a_snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    for kind in full_content.PUBLISHABLE:
        make_hidden_rows(kind)
    # A freeze refuses broken links.
    factories.make_app(slug="x")
    written = set(Page.objects.values_list("slug", flat=True))
    for slug in addresses.STANDING_PAGES.keys() - written:
        factories.make_page(slug=slug)
    Page.objects.filter(slug="docs-problems").update(body_en="## Rate limit exceeded")
    call_command("freeze", tmp_path, "--json")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    texts = {path: path.read_bytes() for path in files if path.suffix not in (".br", ".gz")}

    assert len(texts) > len(ADDRESSES) // 2
    assert [path for path in files if MARK in str(path)] == []
    assert [path for path, text in texts.items() if MARK.encode() in text] == []


LISTS = {
    "app": "apps",
    "post": "posts",
    "topic": "science",
    "principle": "principles",
    "entry": "timeline",
}


@pytest.mark.parametrize("kind", full_content.PUBLISHABLE)
def test_a_scheduled_row_appears_at_its_moment(get: Get, kind: str) -> None:
    listed = f"{BASE}/{LISTS[kind]}"
    address = f"{listed}/of-tomorrow" if kind in ("app", "post") else listed
    full_content.PUBLISHABLE[kind](slug="of-tomorrow", publish_at="2027-01-01T00:00:00Z")

    with time_machine.travel("2026-12-31T23:59:59Z", tick=False):
        before = get(address).status_code, get(listed).json()["meta"]["count"]
    with time_machine.travel("2027-01-01T00:00:00Z", tick=False):
        after = get(address).status_code, get(listed).json()["meta"]["count"]
    with time_machine.travel("2027-01-01T00:00:01Z", tick=False):
        changed = get(address)["Last-Modified"]

    assert (before, after) == ((404 if address != listed else 200, 2), (200, 3))
    assert changed == "Fri, 01 Jan 2027 00:00:00 GMT"
