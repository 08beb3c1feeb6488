"""Lists of the desk show what of their rows is not public yet."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from catalogue.models import Post, State, TeamMember
from site_mirror.desk.models import Draft
from tests import factories
from tests.admin_pages import admin_address
from tests.catalogue.test_admin_lists import LATER, cells, texts

pytestmark = pytest.mark.django_db


def keep_draft(kind: str, row: Any = None, **fields: Any) -> Draft:
    author = User.objects.get_or_create(username="lan", first_name="Lan")[0]
    values = {"key": uuid4(), "kind": kind, "saved_at": timezone.now(), "author": author}
    return Draft.objects.create(**values | {"row": row.pk if row else None} | fields)


@pytest.fixture
def _posts() -> None:
    """A post in each state with a draft and without one, or with one that is closed or waits."""
    for name, fields in (("a", {"state": State.DRAFT}), ("b", LATER), ("c", {})):
        factories.make_post(slug=name, title_en=name, **fields)
        for mark, draft in (("+", {}), ("?", {"in_review": True}), ("-", {"is_open": False})):
            slug = f"{name}-{'+?-'.index(mark)}"
            keep_draft(
                "post", factories.make_post(slug=slug, title_en=name + mark, **fields), **draft
            )
        keep_draft("app", Post.objects.get(slug=name))


STATES = {
    "draft": "a a+ a-",
    "in_review": "a? b? c?",
    "scheduled": "b b+ b-",
    "changed": "c+",
    "published": "c c-",
}


@pytest.mark.usefixtures("_posts")
def test_each_row_has_one_state_by_which_it_is_counted_and_filtered(editor: Client) -> None:
    address = admin_address(Post, "changelist")
    page = editor.get(address)
    stages = zip(cells(page, "title"), cells(page, "stage"), strict=True)

    assert {title: stage.lower().replace(" ", "_") for title, stage in stages} == {
        title: state for state, titles in STATES.items() for title in titles.split()
    }
    for state, titles in STATES.items():
        found = editor.get(address, {"state": state})
        assert sorted(cells(found, "title")) == titles.split(), state
    assert texts(page, ".desk-tabs a span") == ["12", "3", "3", "3", "1", "2"]
    listed = texts(editor.get("/admin/"), ".desk-rows li")
    assert len([row for row in listed if row.startswith("In review")]) == 3


def test_a_row_without_a_state_of_its_own_is_published_or_changed(editor: Client) -> None:
    same, changed = (factories.make_team_member(handle=handle) for handle in ("an", "lan"))
    keep_draft("teammember", changed)
    page = editor.get(admin_address(TeamMember, "changelist"))

    assert dict(zip(cells(page, "title"), cells(page, "stage"), strict=True)) == {
        same.handle: "Published",
        changed.handle: "Changed",
    }
    found = editor.get(admin_address(TeamMember, "changelist"), {"state": "changed"})
    assert cells(found, "title") == ["lan"]


def test_who_kept_a_draft_changed_the_row_last(editor: Client) -> None:
    keep_draft("post", factories.make_post())

    [changed] = cells(editor.get(admin_address(Post, "changelist")), "changed")
    assert changed.startswith("Lan ")


def test_a_text_without_a_row_is_above_the_list_of_its_kind(editor: Client) -> None:
    factories.make_post()
    draft = keep_draft("post", data={"title_en": ["Echoes"]})
    keep_draft("app", data={"name": ["Other"]})
    keep_draft("post", data={"title_en": ["Given up"]}, is_open=False)

    keep_draft("post", data={"title_en": ["Asked"]}, in_review=True)

    for query, shown in (
        ("", ["Draft Echoes", "In review Asked"]),
        ("?state=draft", ["Draft Echoes"]),
        ("?state=in_review", ["In review Asked"]),
        ("?state=published", []),
        ("?languages=en", []),
    ):
        page = editor.get(admin_address(Post, "changelist") + query)
        rows = texts(page, ".desk-rows li")
        assert sorted(" ".join(row.split()[:-5]) for row in rows) == shown
        assert texts(page, ".desk-tabs a span") == ["3", "1", "1", "0", "0", "1"]
    first = editor.get(admin_address(Post, "changelist")).content.decode()
    assert f'href="/admin/catalogue/post/add/?draft={draft.key}"' in first
