"""The history of rows: who changed what, what it was, and how it comes back."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import Model
from django.http import HttpResponse
from django.test import Client

from catalogue.models import (
    ApiVersion,
    App,
    Image,
    Page,
    Post,
    Principle,
    ScienceTopic,
    State,
    Statistic,
    Studio,
    Tag,
    TeamMember,
    TimelineEntry,
)
from site_mirror.desk.differences import GONE, NEW, SAME, compare_words
from site_mirror.desk.models import Draft, HistoryEntry
from site_mirror.desk.roles import WRITER
from tests import factories
from tests.admin_pages import admin_address, form_address, form_data
from tests.desk.people import browser_of
from tests.desk.test_drafts import opened, send, shown
from tests.freeze.live_requests import ask
from tests.revisions import read_revision_number

pytestmark = pytest.mark.django_db

KINDS: dict[type[Model], dict[str, str]] = {
    App: {
        "name": "Another",
        "tagline_en": "It counts.",
        "tagline_vi": "Nó đếm.",
        "description_vi": "Nó đếm.",
        "on_android": "on",
        "status": "soon",
        "stack": "Swift",
    },
    Post: {
        "title_en": "Another",
        "title_vi": "Bài khác",
        "excerpt_vi": "Một. Hai.",
        "body_en": "Another body.",
        "body_vi": "Chào.",
        "app": "",
    },
    Tag: {"name_en": "Light", "name_vi": "Ánh sáng"},
    ScienceTopic: {
        "name_en": "Waves",
        "explanation_en": "It waves.",
        "symbols-0-meaning_vi": "vận tốc",
        "symbols-0-unit": "km/h",
    },
    Principle: {"title_en": "Less", "statement_vi": "Ít hơn.", "title_vi": "Ít"},
    TimelineEntry: {
        "title_en": "It began",
        "title_vi": "Mốc",
        "links-0-label_en": "See",
        "subject": "founder",
    },
    Studio: {"name": "Another Studio", "description_vi": "Xưởng."},
    TeamMember: {"role_en": "Design", "role_vi": "Thiết kế"},
    Statistic: {"label_en": "Tools", "label_vi": "Công cụ", "display": "25"},
    Page: {"title_en": "Start", "title_vi": "Đầu", "body_en": "Hello.", "body_vi": "Chào bạn."},
    ApiVersion: {"released": "2025-02-11"},
    Image: {"alt_en": "Three waves", "alt_vi": "Ba sóng"},
}
"""What is typed into the form of each kind: shared fields and both languages."""


def entries(row: Model) -> list[HistoryEntry]:
    kind = row._meta.model_name
    return list(HistoryEntry.objects.filter(kind=kind, row=row.pk))


def acts(row: Model) -> list[str]:
    return [entry.act for entry in reversed(entries(row))]


def history(client: Client, row: Model, **query: Any) -> HttpResponse:
    page = client.get(admin_address(type(row), "history", row.pk), query)
    assert page.status_code == 200
    return page


def restore(client: Client, row: Model, entry: HistoryEntry) -> HttpResponse:
    address = admin_address(type(row), "history", row.pk)
    return client.post(address, {"_restore": entry.pk})


def words(page: Any) -> dict[str, list[tuple[str, str]]]:
    """Return the words that differ, by their part."""
    return {
        each.part: [(run.kind, run.text) for run in each.runs if run.kind in (GONE, NEW)]
        for each in page.context["differences"]
    }


def in_form(client: Client, row: Model) -> dict[str, Any]:
    """Return what a form shows, without its inlines' keys, which are new after a restoration."""
    data = opened(client, form_address(row))
    return {
        name: [*map(str, value)] if isinstance(value, list) else str(value)
        for name, value in data.items()
        if not (name.startswith("_") or name.endswith(("-id", "_FORMS")))
    }


def part_of(name: str) -> str:
    return name.partition("-")[0]


@pytest.mark.parametrize("model", KINDS, ids=lambda model: model._meta.model_name)
def test_a_change_of_any_kind_is_named_and_undone(editor: Client, model: type[Model]) -> None:
    factories.make_one_of_each()
    row: Any = model._default_manager.first()
    typed, before = KINDS[model], in_form(editor, row)

    answer: Any = send(editor, row, "_publish", **typed)
    assert answer.status_code == 302, answer.context["faults"]
    now, was = entries(row)
    assert (was.act, was.author, now.act, now.author) == (
        "found",
        None,
        "changed",
        User.objects.get(),
    )
    assert {part_of(name) for name in typed} == {*now.changed}
    for page in (history(editor, row), history(editor, row, entry=was.pk)):
        assert words(page).keys() == {*now.changed}

    revision = read_revision_number()
    assert restore(editor, row, was).status_code == 302
    assert read_revision_number() == revision
    assert in_form(editor, row) == before
    send(editor, row, "_publish")
    assert words(history(editor, row, entry=was.pk)) == {}
    assert in_form(editor, row) == before


@pytest.mark.postgresql
def test_words_of_tags_symbols_and_choices_are_those_of_editors(editor: Client) -> None:
    factories.make_one_of_each()
    post, other = Post.objects.get(), factories.make_tag(slug="b", name_en="Light")
    send(editor, post, "_publish", tags=[other.pk], body_en="A body.\n\n## Its very end")

    assert words(history(editor, post)) == {
        "tags": [(GONE, Tag.objects.exclude(pk=other.pk).get().name_en), (NEW, "Light")],
        "body_en": [(NEW, "very ")],
    }
    topic, light = (
        ScienceTopic.objects.get(),
        {"symbols-1-symbol": "c", "symbols-1-meaning_en": "l", "symbols-1-position": "1"},
    )
    send(editor, topic, "_publish", **{"symbols-TOTAL_FORMS": "2", **light})
    assert acts(topic) == ["found", "changed"]
    assert words(history(editor, topic)) == {"symbols": [(NEW, "\nc · l")]}
    app = App.objects.get()
    send(editor, app, "_publish", on_ios="", on_android="on")
    page: Any = history(editor, app)
    assert [(each.label, str(each.marked)) for each in page.context["differences"]] == [
        ("iOS", "<del>Yes</del><ins>No</ins>"),
        ("Android", "<del>No</del><ins>Yes</ins>"),
    ]


@pytest.mark.postgresql
def test_symbols_that_are_gone_or_new_are_restored_in_their_order(editor: Client) -> None:
    topic = factories.make_topic()
    for place, symbol in enumerate("abc"):
        factories.make_symbol(topic, symbol=symbol, meaning_en=symbol, position=place)
    first = in_form(editor, topic)
    send(editor, topic, "_publish", **{"symbols-1-DELETE": "on"})
    send(editor, topic, "_publish", **{"symbols-0-meaning_en": "changed"})
    restore(editor, topic, entries(topic)[-1])
    send(editor, topic, "_publish")

    assert [each.symbol for each in topic.symbols.all()] == ["a", "b", "c"]
    assert {name: value for name, value in in_form(editor, topic).items() if "meaning" in name} == {
        name: value for name, value in first.items() if "meaning" in name
    }
    restore(editor, topic, entries(topic)[1])
    send(editor, topic, "_publish")
    assert [each.meaning_en for each in topic.symbols.all()] == ["changed", "c"]


def test_what_changes_nothing_leaves_no_entry(editor: Client) -> None:
    factories.make_one_of_each()
    for model in (Post, ScienceTopic):
        row: Any = model._default_manager.first()
        data = form_data(editor.get(form_address(row))) | KINDS[model]
        editor.post(admin_address(model, "preview", row.pk), data)
        send(editor, row, "_draft", **KINDS[model])
        history(editor, row)
    editor.post(admin_address(Principle, "move"), {"up": Principle.objects.get().pk})

    assert not HistoryEntry.objects.exists()


def test_a_move_says_who_has_moved_a_row_from_which_place_to_which(editor: Client) -> None:
    first, moved = factories.make_principle(slug="a"), factories.make_principle(slug="b")

    for way in ("up", "down", "up"):
        editor.post(admin_address(Principle, "move"), {way: moved.pk})

    assert acts(moved) == ["found", "moved", "moved", "moved"]
    assert entries(moved)[0].author == User.objects.get()
    page = history(editor, moved)
    assert words(page) == {"position": [(GONE, "2"), (NEW, "1")]}
    assert "Moved by admin" in " ".join(page.content.decode().split())
    assert (entries(first), page.context["line"]) == ([], "Readers see it")
    send(editor, first, "_publish", title_en="Another")
    assert [entry.changed for entry in entries(first)] == [["title_en"], []]


def test_commands_and_sql_are_seen(editor: Client) -> None:
    post = factories.make_post(state=State.DRAFT)
    send(editor, post, "_publish")
    Post.objects.update(title_en="By a command")
    send(editor, post, "_withdraw")

    assert acts(post) == ["found", "published", "found", "withdrawn"]
    assert entries(post)[1].changed == ["title_en"]


def delete(client: Client, row: Model) -> None:
    client.post(admin_address(type(row), "delete", row.pk), {"post": "yes"})
    assert not type(row)._default_manager.filter(pk=row.pk).exists()


def bring_back(client: Client, row: Model, **typed: Any) -> HttpResponse:
    """Bring a deleted row back from the list, and publish its draft."""
    address = admin_address(type(row), "deleted")
    listed = client.get(admin_address(type(row), "changelist"))
    assert f'href="{address}"' in listed.content.decode()
    [entry] = client.get(address).context["entries"]
    form = client.post(address, {"_restore": entry.pk}).url  # type: ignore[attr-defined]
    assert not type(row)._default_manager.filter(pk=row.pk).exists()
    data = opened(client, form)
    return client.post(form, data | {"_publish": ""} | typed)


DELETABLE: dict[type[Model], str] = {
    App: "/apps/{}",
    Post: "/blog/{}",
    Tag: "/blog/tags/{}",
    ScienceTopic: "",
    Principle: "",
    TimelineEntry: "",
    TeamMember: "",
    Statistic: "",
}


@pytest.mark.parametrize("model", DELETABLE, ids=lambda model: model._meta.model_name)
def test_a_deleted_row_of_any_kind_comes_back(editor: Client, model: type[Model]) -> None:
    factories.make_one_of_each()
    row: Any = model._default_manager.first()
    before = in_form(editor, row)
    delete(editor, row)
    assert bring_back(editor, row).status_code == 302

    assert in_form(editor, row) == before
    assert acts(row) == ["deleted", "brought_back"]
    assert not editor.get(admin_address(model, "deleted")).context["entries"]
    if DELETABLE[model]:
        former = f"an-older-{model._meta.model_name}"
        if model is Tag:
            Post.objects.get().tags.add(row)
        answer: Any = ask(DELETABLE[model].format(former))
        assert answer.status_code == 308
        assert answer["Location"].endswith(DELETABLE[model].format(row.slug))


@pytest.mark.postgresql
def test_a_row_comes_back_with_what_it_had_but_takes_nothing_from_others(editor: Client) -> None:
    post, tag = factories.make_post(slug="echoes"), factories.make_tag()
    post.tags.add(tag)
    for slug in ("first", "second"):
        factories.make_former_post_slug(post, slug)
    send(editor, post, "_draft", title_en="Half a thought")
    assert b"A post" not in editor.get("/admin/search/?q=voices").content
    delete(editor, post)
    other = factories.make_post(slug="second", title_en="Other")
    assert ask("/blog/echoes").status_code == 404

    assert bring_back(editor, post, slug="voices").status_code == 302
    post.refresh_from_db()
    assert ([*post.tags.all()], post.title_en) == ([tag], "A post")
    assert b"A post" in editor.get("/admin/search/?q=voices").content
    for former in ("first", "echoes"):
        assert ask(f"/blog/{former}")["Location"].endswith("/blog/voices")
    assert ask("/blog/second").status_code == 200
    assert ask(f"/blog/{other.slug}").status_code == 200
    states = [state.data["title_en"] for state in Draft.objects.get().earlier.all()]
    assert ["Half a thought"] in states


@pytest.mark.postgresql
def test_rows_refer_again_to_a_row_that_comes_back(editor: Client) -> None:
    app, other, tag = factories.make_app(), factories.make_app(slug="other"), factories.make_tag()
    post, moved = (factories.make_post(slug=slug, app=app) for slug in ("a", "b"))
    topic = factories.make_topic()
    topic.apps.add(app)
    for each in (post, moved):
        each.tags.add(tag)
    delete(editor, tag)
    delete(editor, app)
    Post.objects.filter(pk=moved.pk).update(app=other)

    assert bring_back(editor, tag).status_code == 302
    assert bring_back(editor, app).status_code == 302
    assert {*tag.posts.all()} == {post, moved}
    assert ([*app.posts.all()], [*app.science_topics.all()]) == ([post], [topic])


def test_a_deleted_tag_keeps_its_name_in_the_history_of_posts(editor: Client) -> None:
    post, tag = factories.make_post(), factories.make_tag(name_en="Sound")
    post.tags.add(tag)
    send(editor, post, "_publish", title_en="Another")
    delete(editor, tag)
    send(editor, post, "_publish", title_en="A third")

    page = history(editor, post, entry=entries(post)[-1].pk)
    assert words(page)["tags"] == [(GONE, "Sound (deleted)")]


def test_a_writer_restores_into_drafts_and_publishes_nothing(editor: Client) -> None:
    post, gone = factories.make_post(), factories.make_post(slug="gone", title_en="Gone")
    send(editor, post, "_publish", title_en="Another")
    delete(editor, gone)
    revision, writer = read_revision_number(), browser_of(WRITER)

    assert restore(writer, post, entries(post)[-1]).status_code == 302
    assert shown(writer, post, "title_en") == "A post"
    assert bring_back(writer, gone).status_code == 403
    assert {draft.is_open for draft in Draft.objects.all()} == {True}
    assert read_revision_number() == revision


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("", "One", "[+One]"),
        ("One two three.", "One 2 three!", "One [-two][+2] three[-.][+!]"),
        ("bản đồ cũ", "bản đồ rất mới", "bản đồ [-cũ][+rất mới]"),
        ("a\n\nb\nc", "a\n\nc", "a\n\n[-b\n]c"),
        ("one two three", "un deux three", "[-one two][+un deux] three"),
    ],
)
def test_words_are_compared(before: str, after: str, shown: str) -> None:
    marks = {SAME: "{}", GONE: "[-{}]", NEW: "[+{}]"}
    runs = compare_words(before, after)

    assert "".join(marks[run.kind].format(run.text) for run in runs) == shown
