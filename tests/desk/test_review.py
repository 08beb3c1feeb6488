"""Review: somebody asks, somebody who may publish sees the differences and decides."""

from typing import Any

import pytest
from django.test import Client

from site_mirror.desk.models import Draft
from site_mirror.desk.roles import EDITOR, WRITER
from tests import factories
from tests.admin_pages import admin_address, form_address, form_data
from tests.desk.people import browser_of


def send(client: Client, post: Any, act: str, **typed: str) -> Any:
    data = form_data(client.get(form_address(post))) | typed | {act: ""}
    return client.post(form_address(post), data, follow=True)


@pytest.fixture
def post(db: None) -> Any:
    return factories.make_post(title_en="A long wait", body_en="One.\n\nTwo.\n\nThree.\n\nFour.")


def test_a_review_shows_the_note_and_each_changed_word_and_ends_by_publication(post: Any) -> None:
    writer, editor = browser_of(WRITER), browser_of(EDITOR)
    tag = factories.make_tag()
    typed = {
        "title_en": "A short wait",
        "body_en": "One.\n\nTwo.\n\nThree.\n\nFive <b>.",
        "tags": tag.pk,
    }

    asked = send(writer, post, "_review", _note="Is the title right?\n<i>", **typed)
    page = editor.get(form_address(post))

    assert Draft.objects.get().in_review
    assert "It waits for a review now." in asked.content.decode()
    text = page.content.decode()
    assert "writer asks for a review" in " ".join(text.split())
    assert "Is the title right?<br>&lt;i&gt;" in text
    for shown in ("<del>long</del><ins>short</ins>", "<ins>Five &lt;b&gt;", "<ins>A tag</ins>"):
        assert shown in text
    send(editor, post, "_publish")
    post.refresh_from_db()
    draft = Draft.objects.get()
    assert (post.title_en, draft.is_open, draft.in_review, draft.note) == (
        *("A short wait", False, False, ""),
    )


def test_a_draft_is_sent_back_with_a_note_by_those_who_may_publish(post: Any) -> None:
    writer, editor = browser_of(WRITER), browser_of(EDITOR)
    send(writer, post, "_review", title_en="Another")

    assert send(writer, post, "_send_back", _note="Fine").status_code == 403
    assert Draft.objects.get().in_review
    send(editor, post, "_send_back", _note="Shorter, please.")

    draft = Draft.objects.get()
    assert (draft.in_review, draft.is_open, draft.author.username) == (False, True, "writer")
    text = " ".join(writer.get(form_address(post)).content.decode().split())
    assert "A note from editor" in text
    assert "Shorter, please." in text


@pytest.mark.parametrize("act", ["_draft", "typing"])
def test_a_new_save_ends_the_review_and_an_unchanged_form_does_not(post: Any, act: str) -> None:
    writer, editor = browser_of(WRITER), browser_of(EDITOR)
    send(writer, post, "_review", title_en="Another")
    data = form_data(editor.get(form_address(post)))
    autosave = admin_address(type(post), "draft", post.pk)

    editor.post(autosave, data)
    assert Draft.objects.get().in_review
    if act == "_draft":
        send(editor, post, "_draft", title_en="A third")
    else:
        editor.post(autosave, data | {"title_en": "A third"})

    assert not Draft.objects.get().in_review


def test_there_is_no_review_without_a_change(post: Any) -> None:
    answer = send(browser_of(WRITER), post, "_review", _note="?")

    assert "no change that could be reviewed" in answer.content.decode()
    assert not Draft.objects.exists()


def test_a_change_of_a_public_row_is_not_said_to_be_a_row_that_is_not_public(post: Any) -> None:
    writer = browser_of(WRITER)
    send(writer, post, "_draft", title_en="Another")
    type(post).objects.update(state="draft")
    withdrawn = writer.get(form_address(post)).content.decode()
    type(post).objects.update(state="published")
    public = writer.get(form_address(post)).content.decode()

    assert ">Not public yet<" in withdrawn
    assert ">Changes that readers do not see yet<" in public
    assert ">Not public yet<" not in public
