"""Content in and out of the desk as files, for those who may."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from catalogue.content.writing import FILES, dump
from catalogue.models import Post, ScienceTopic, Symbol, Tag
from site_mirror.desk.models import HistoryEntry, PostText, Run
from site_mirror.desk.roles import EDITOR, WRITER
from tests import factories
from tests.admin_pages import admin_address, form_address
from tests.desk.people import EVERYBODY, browser_of

pytestmark = pytest.mark.django_db

PAGE = "/admin/content/"
TAG = b"- model: catalogue.tag\n  fields: {slug: new, name_en: New}\n"


@pytest.fixture(autouse=True)
def content(db: None) -> None:
    factories.make_one_of_each()


def send(client: Any, text: bytes, name: str = "tags.yaml") -> Any:
    return client.post(PAGE, {"file": SimpleUploadedFile(name, text)})


def test_everybody_may_download_and_publishers_may_load() -> None:
    answers = {
        role: (
            browser_of(role, f"{role}-1").get(reverse("admin:content_file")).status_code,
            send(browser_of(role, f"{role}-2"), TAG).status_code,
        )
        for role in EVERYBODY
    }
    assert [*answers.values()] == [(302, 302), (200, 403), (200, 200), (200, 200)]


def test_files_are_those_of_the_command() -> None:
    client = browser_of(WRITER)
    everything = client.get(reverse("admin:content_file"))
    assert everything.content == b"".join(dump().values())
    assert everything["Content-Disposition"] == 'attachment; filename="content.yaml"'
    for table in FILES:
        name, row = table._meta.model_name, table._default_manager.all()[0]
        page = client.get(form_address(row)).content.decode()
        place = reverse("admin:content_file", args=[name, *row.natural_key()[:1]])
        assert f'href="{place}"' in page
        [text] = dump(table, *row.natural_key()).values()
        assert client.get(place).content == text
        of_kind = client.get(reverse("admin:content_file", args=[name])).content
        assert of_kind == b"".join(dump(table).values())
    assert client.get("/admin/content/file/post/none").status_code == 404
    assert client.get("/admin/content/file/user/1").status_code == 404


def test_changes_are_shown_first_and_loaded_after() -> None:
    client = browser_of(EDITOR)
    page = send(client, TAG)
    [difference] = page.context["differences"]
    assert difference.label == "tags.yaml"
    assert "<ins>- model: catalogue.tag\n  fields:\n    slug: new\n" in page.content.decode()
    assert not Tag.objects.filter(slug="new").exists()

    sent = {name: page.context[name] for name in ("name", "text", "seen")}
    assert all(escape(value) in page.content.decode() for value in sent.values())
    client.post(PAGE, sent)

    assert Tag.objects.get(slug="new").name_en == "New"
    assert Run.objects.exists()


def test_a_change_of_somebody_else_is_shown_before_it_is_lost() -> None:
    client = browser_of(EDITOR)
    tag = Tag.objects.all()[0]
    [text] = dump(Tag, tag.slug).values()
    page = send(client, text.replace(tag.name_en.encode(), b"Mine"))
    sent = {name: page.context[name] for name in ("name", "text", "seen")}
    Tag.objects.update(name_en="Of somebody else")

    asked = client.post(PAGE, sent)

    assert Tag.objects.get().name_en == "Of somebody else"
    [difference] = asked.context["differences"]
    assert "<del>Of" in difference.marked
    assert "<ins>Mine" in difference.marked
    client.post(PAGE, sent | {"seen": asked.context["seen"]})
    assert Tag.objects.get().name_en == "Mine"


def test_a_file_that_a_freeze_would_refuse_is_not_loaded() -> None:
    client = browser_of(EDITOR)
    [text] = dump(Post, Post.objects.get().slug).values()
    dead = text.replace(b"A body.", b"[x](/blog/nowhere)")
    assert dead != text

    page = send(client, dead)

    [fault] = page.context["faults"]
    assert "Line 1: “/blog/nowhere” leads to" in fault
    assert "nowhere" not in Post.objects.get().body_en
    client.post(PAGE, {"name": "x.yaml", "text": dead.decode(), "seen": "0"})
    assert "nowhere" not in Post.objects.get().body_en


def test_who_has_no_role_reads_nothing() -> None:
    client = Client()
    client.force_login(User.objects.create_user("nobody", is_staff=True))
    for place in ("content_file", "publish"):
        assert client.get(reverse(f"admin:{place}")).status_code == 403


def test_the_limit_and_faults_are_told_in_words() -> None:
    client = browser_of(EDITOR)
    assert "at most 4.0\xa0MB" in client.get(PAGE).content.decode()
    other_encodings = [
        TAG.decode().replace("New", "Mới é").encode(name, "ignore")
        for name in ("utf-16", "latin-1")
    ]
    for text in (b"- [unclosed", b"\xff\0", *other_encodings):
        page = send(client, text, "mine.yaml").content.decode()
        assert "Nothing is loaded" in page
        assert "mine.yaml is not a file of content" in page


@pytest.mark.parametrize("by", ["page", "command"])
def test_the_history_tells_what_a_load_has_changed_and_who_has_loaded_it(
    by: str, tmp_path: Path
) -> None:
    editor = browser_of(EDITOR)
    topic = ScienceTopic.objects.get()
    Symbol.objects.filter(topic=topic).update(meaning_en="time", meaning_vi="thời gian")
    Post.objects.update(title_vi="Bài", excerpt_vi="Một. Hai.", body_vi="Chào.")
    [science] = dump(ScienceTopic).values()
    [article] = dump(Post).values()
    text = science.replace(b"meaning_en: time", b"meaning_en: period")
    text += article.replace(b"title_en: ", b"title_en: Another ")
    text = text.replace("title_vi: Bài".encode(), "title_vi: Bài khác".encode())
    text += TAG

    if by == "page":
        shown = send(editor, text)
        data = {name: shown.context[name] for name in ("name", "text", "seen")}
        assert editor.post(PAGE, data).status_code == 302
    else:
        file = tmp_path / "content.yaml"
        file.write_bytes(text)
        call_command("load_content", file, apply=True)

    told = {
        (entry.kind, entry.act): (entry.author and entry.author.username, entry.changed)
        for entry in HistoryEntry.objects.all()
    }
    who = "editor" if by == "page" else None
    assert PostText.objects.get().title.startswith("another ")
    assert told == {
        ("sciencetopic", "found"): (None, []),
        ("sciencetopic", "changed"): (who, ["symbols"]),
        ("post", "found"): (None, []),
        ("post", "changed"): (who, ["title_en", "title_vi"]),
        ("tag", "added"): (who, []),
    }
    [row] = editor.get(admin_address(Post, "changelist")).context["cl"].result_list
    assert str(row.last_entry.author) == str(who and "editor"), "as the list says"
    [outdated] = editor.get("/admin/translations/").context["outdated"]
    assert outdated.row == topic, "both titles of the article have come together"


def test_what_a_load_refuses_leaves_no_entry(tmp_path: Path) -> None:
    file = tmp_path / "content.yaml"
    file.write_bytes(TAG + TAG.replace(b"slug: new", b"slug: No"))

    with pytest.raises(CommandError):
        call_command("load_content", file, apply=True)

    assert not HistoryEntry.objects.exists()
