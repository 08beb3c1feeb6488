"""What if a form were saved: what is rendered is what a freeze publishes, and nothing is left."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Model
from django.test import Client, RequestFactory
from django.utils import timezone

from api.headers import http_date
from catalogue.models import (
    ApiVersion,
    App,
    FormerPostSlug,
    Page,
    Post,
    Principle,
    Revision,
    ScienceTopic,
    State,
    Statistic,
    Studio,
    Tag,
    TeamMember,
    TimelineEntry,
)
from catalogue.moments import iso_moment
from catalogue.triggers import revision
from site_mirror.desk.forms import data_of, with_data
from site_mirror.desk.what_if import IN_WHAT_IF, Trial, rolled_back, what_if
from site_mirror.registry.table import FAMILIES
from tests import factories
from tests.admin_pages import admin_address, form_address, form_data
from tests.freeze import sites
from tests.freeze.live_requests import ask
from tests.freeze.target_files import read_body, read_entries

pytestmark = pytest.mark.django_db

GENERATED = f',"generatedAt":"{iso_moment(sites.MOMENT)}"'.encode()
ONLY_ENGLISH = {"a post with another address", "a post that appears tomorrow", "a tag"}
MOMENT = iso_moment(sites.MOMENT)
TOMORROW = timezone.localtime() + timedelta(days=1)
VIETNAMESE_BODY = {"title_vi": "Bài", "excerpt_vi": "Một. Hai.", "body_vi": "## Nơi này\n\nĐây."}
LATER = {
    "publish_at_0": TOMORROW.strftime("%Y-%m-%d"),
    "publish_at_1": TOMORROW.strftime("%H:%M:%S"),
}
TOMORROWS = {"title_en": "Later", "state": State.PUBLISHED, **LATER}
SYMBOLS = {
    "symbols-TOTAL_FORMS": "2",
    "symbols-1-symbol": "λ",
    "symbols-1-meaning_en": "wavelength",
    "symbols-1-meaning_vi": "bước sóng",
    "symbols-1-position": "1",
}
LINKS = {
    "links-TOTAL_FORMS": "2",
    "links-1-label_en": "It",
    "links-1-href": "/blog/newer",
    "links-1-position": "1",
}
SAVES: dict[str, tuple[type[Model], dict[str, Any]]] = {
    "an app with another name": (App, {"slug": "renamed", "name": "Renamed", "since": "2026"}),
    "a post in Vietnamese with other tags": (
        *(Post, {"body_en": "## Here\n\n$x$", "tags": "all", **VIETNAMESE_BODY}),
    ),
    "a post with another address": (Post, {"slug": "another", "title_en": "Another"}),
    "a post that appears tomorrow": (Post, TOMORROWS),
    "a tag": (Tag, {"name_en": "Another", "name_vi": "Khác", "slug": "another-tag"}),
    "a topic with symbols": (ScienceTopic, {"explanation_vi": "Đúng.", "name_vi": "T", **SYMBOLS}),
    "a milestone with links": (TimelineEntry, {"title_vi": "Mốc", **LINKS}),
    "a principle": (Principle, {"title_en": "Less"}),
    "the studio": (Studio, {"name": "Another Studio", "description_vi": "Xưởng."}),
    "a member": (TeamMember, {"role_en": "Design"}),
    "a statistic": (Statistic, {"label_en": "Tools", "display": "25"}),
    "a page": (Page, {"body_en": "See {site}/apps.", "body_vi": "Chào bạn."}),
    "a version": (ApiVersion, {"released": "2025-02-11"}),
}

ALWAYS_TRIED = {
    "an app with another name",
    "a post in Vietnamese with other tags",
    "a post that appears tomorrow",
    "a topic with symbols",
    "a page",
}
ONE_OF_EACH = pytest.mark.exhaustive("a freeze for each kind")


@pytest.fixture
def site() -> None:
    """A small site with a row of every kind, a tag and inlines."""
    sites.make_site()
    post = Post.objects.get(slug="older")
    post.tags.add(factories.make_tag(), factories.make_tag(slug="b-tag", name_en="B"))
    factories.make_symbol(topic=ScienceTopic.objects.get())
    factories.make_link(entry=TimelineEntry.objects.get(), href="/about")
    # Responses of the second of an edit have no Last-Modified.
    Revision.objects.update(changed_at=factories.NOW, public_changed_at=factories.NOW)


def posted_form(editor: Client, row: Model, typed: dict[str, Any]) -> dict[str, Any]:
    data = form_data(editor.get(form_address(row))) | typed
    if data.get("tags") == "all":
        data["tags"] = [tag.pk for tag in Tag.objects.all()]
    return data


def make_request(data: dict[str, Any]) -> Any:
    request = RequestFactory().post("/admin/", data)
    request.user = User.objects.get(username="admin")
    return with_data(request, data_of(request.POST))


def render_all(trial: Trial) -> dict[str, bytes]:
    """Return the bytes of every document, with the moment of a freeze."""
    return {
        document.address: document.body(MOMENT)
        for family in FAMILIES
        for document in family.documents(trial.site.context)
    }


def without_moments_since(start: datetime, body: bytes) -> bytes:
    """Replace the moments at which triggers date edits, which differ by the time of the test."""

    def replace(match: re.Match[bytes]) -> bytes:
        moment = datetime.fromisoformat(match[0].decode())
        return b"NOW" if start <= moment <= timezone.now() else match[0]

    return re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)", replace, body)


def list_previews(editor: Client, row: Model, data: dict[str, Any]) -> dict[str, bytes]:
    """Return all that the preview shows of a form, by name and language."""
    answers = {
        f"{shown} {language}": editor.post(
            admin_address(type(row), "preview", row.pk),
            data | {"_show": shown, "_language": language},
        )
        for shown, language in (
            *product(("page", "markdown", "list"), ("en", "vi")),
            ("json", "en"),
        )
    }
    assert {answer.status_code for answer in answers.values()} == {200}
    return {
        name: answer.content
        for name, answer in answers.items()
        if b"No page yet" not in answer.content
    }


@pytest.mark.parametrize(
    "save",
    [pytest.param(name, marks=() if name in ALWAYS_TRIED else ONE_OF_EACH) for name in SAVES],
)
def test_what_is_shown_is_what_a_freeze_publishes_after_the_same_save(
    editor: Client, pictures_are_drawn: None, site: None, tmp_path: Path, save: str
) -> None:
    model, typed = SAVES[save]
    row: Any = model._default_manager.order_by("pk").last()
    if typed is TOMORROWS:  # A public post would vanish until then.
        model._default_manager.filter(pk=row.pk).update(state=State.DRAFT)
    data = posted_form(editor, row, typed)
    start = timezone.now().replace(microsecond=0)
    previews = list_previews(editor, row, data)
    with what_if(admin.site._registry[model], make_request(data), row) as trial:
        at, rendered = trial.site.context.at, render_all(trial)

    assert editor.post(form_address(row), data).status_code == 302
    sites.freeze_into(tmp_path / "site", at=at)

    frozen = {
        address: without_moments_since(start, read_body(tmp_path / "site", entry))
        for address, entry in read_entries(tmp_path / "site").items()
    }
    assert "/blog/newer.png" in rendered
    assert rendered.keys() <= frozen.keys()
    rendered = {address: without_moments_since(start, body) for address, body in rendered.items()}
    assert {address for address, body in rendered.items() if body != frozen[address]} == set()
    published = {body.replace(GENERATED, b"") for body in frozen.values()}
    shown = {name: without_moments_since(start, body) for name, body in previews.items()}
    assert {name for name, body in shown.items() if body not in published} == set()
    assert {"page en", "markdown en", "list en", "json en"} <= shown.keys()
    assert ("page vi" in shown) == (save not in ONLY_ENGLISH)


def list_public_facts() -> dict[str, Any]:
    """Return all that anybody sees of the content, and what of the database outlives a rollback."""
    answers = {
        address: (response.content, dict(response.headers))
        for address in ("/", "/vi/blog", "/blog/older", "/blog/older.md", "/api/v1/posts", "/nope")
        for response in [ask(address)]
    }
    for _, headers in answers.values():
        headers.pop("Date", None)
    return {
        "answers": answers,
        "revision": Revision.objects.values().get(),
        "last change": http_date(revision.last_public_change(timezone.now())),
        "rows": {model: model._default_manager.count() for model in factories.list_tables()},
    }


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("nested", [False, True])
def test_nothing_is_left(editor: Client, site: None, *, nested: bool) -> None:
    post = Post.objects.get(slug="older")
    data = posted_form(editor, post, {"slug": "moved", "title_en": "Moved", "tags": []})
    before = list_public_facts()

    def try_it() -> None:
        with what_if(admin.site._registry[Post], make_request(data), post) as trial:
            assert trial.site.document("/blog/moved")
            assert FormerPostSlug.objects.filter(slug="older").exists()
            assert IN_WHAT_IF.get()

    if nested:
        with rolled_back():
            try_it()
            assert not FormerPostSlug.objects.exists()
    else:
        try_it()

    assert not IN_WHAT_IF.get()
    assert list_public_facts() == before


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "fail", [lambda: 1 / 0, lambda: connection.cursor().execute("SELECT 1 FROM nowhere")]
)
def test_nothing_is_left_by_a_block_that_fails(fail: Callable[[], Any], site: None) -> None:
    before = list_public_facts()

    with pytest.raises(Exception, match=r"division|nowhere"), rolled_back():
        Post.objects.all().delete()
        fail()

    assert list_public_facts() == before


def test_a_preview_shows_a_new_post_as_if_it_were_published(editor: Client, site: None) -> None:
    form = admin_address(Post, "add")
    typed = {
        "title_en": "New",
        "slug": "new",
        "excerpt_en": "One. Two.",
        "body_en": "Words.",
        "tags": [],
    }
    data = form_data(editor.get(form)) | typed | {"tags": []}

    page = editor.post(admin_address(Post, "preview_new"), data)

    assert b"<h1>New</h1>" in page.content
    assert not Post.objects.filter(slug="new").exists()


def test_a_preview_may_be_framed_by_the_desk_alone(editor: Client, site: None) -> None:
    post = Post.objects.get(slug="older")
    page = editor.post(admin_address(Post, "preview", post.pk), posted_form(editor, post, {}))
    public = ask("/blog/older").headers["Content-Security-Policy"]

    policy = page.headers["Content-Security-Policy"]
    assert policy == public.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
    assert page.headers["X-Frame-Options"] == "SAMEORIGIN"
    form = editor.get(form_address(post))
    assert "frame-ancestors 'none'" in form.headers["Content-Security-Policy"]


def test_the_preview_of_an_invalid_form_leaves_the_frame_as_it_is(
    editor: Client, site: None
) -> None:
    post = Post.objects.get(slug="older")
    data = posted_form(editor, post, {"title_en": "", "body_en": "[x](/nope)\n\n[y](y)"})

    assert editor.post(admin_address(Post, "preview", post.pk), data).status_code == 204
    found = editor.post(admin_address(Post, "check", post.pk), data).json()
    assert found["valid"] is False
    assert [(fault["name"], fault["line"]) for fault in found["faults"]] == [
        ("title_en", 0),
        ("body_en", 1),
        ("body_en", 3),
    ]


def test_a_preview_as_of_a_moment(editor: Client, site: None) -> None:
    factories.make_app(slug="soon", name="Soon", publish_at=TOMORROW)
    page, data = admin_address(Page, "preview", Page.objects.get(slug="apps").pk), {}
    data = posted_form(editor, Page.objects.get(slug="apps"), {})

    now = editor.post(page, data)
    later = editor.post(page, data | {"_at": (TOMORROW + timedelta(hours=1)).isoformat()})

    assert (b"Soon" in now.content, b"Soon" in later.content) == (False, True)
    for moment in ("0001-01-01T00:00", "9999-12-31T23:59:59-12:00", "2026-02-30T00:00", "soon"):
        assert editor.post(page, data | {"_at": moment}).status_code == 200
