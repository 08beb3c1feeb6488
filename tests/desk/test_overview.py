"""The front page: the state of the public site, what waits for the editor, and who did what."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from site_mirror.desk.models import Draft, OlderText
from site_mirror.desk.roles import EDITOR, WRITER
from tests import factories
from tests.admin_pages import form_address, save_form
from tests.desk.people import browser_of

pytestmark = pytest.mark.django_db

VIETNAMESE = {"title_vi": "Bài", "excerpt_vi": "Một câu.", "body_vi": "Một bài."}


def send(client: Client, row: Any, act: str, **typed: str) -> None:
    assert save_form(client, row, **typed, **{act: ""}).status_code == 302


def read(client: Client) -> str:
    return " ".join(client.get("/admin/").content.decode().split())


def section(page: str, name: str) -> str:
    return page.partition(f'aria-labelledby="{name}"')[2].partition("</section>")[0]


def test_an_editor_sees_drafts_with_their_age_and_what_was_sent_back() -> None:
    mine, theirs = (factories.make_post(slug=slug, title_en=slug) for slug in ("mine", "theirs"))
    writer, editor = browser_of(WRITER), browser_of(EDITOR)
    send(writer, mine, "_review", title_en="Mine, changed")
    send(editor, theirs, "_draft", title_en="Theirs, changed")
    drafts = section(read(writer), "drafts")

    assert "Mine, changed" in drafts
    assert "In review 0 minutes old" in drafts
    assert "Theirs" not in drafts
    assert "Mine, changed" in section(read(editor), "waiting")
    send(editor, mine, "_send_back", _note="Shorter, please.")
    assert "Sent back by editor" in section(read(writer), "drafts")


def test_a_review_of_any_kind_waits_there() -> None:
    writer, editor = browser_of(WRITER), browser_of(EDITOR)
    rows = (factories.make_image(), factories.make_tag(), factories.make_post())
    for row, name in zip(rows, ("alt_en", "name_en", "title_en"), strict=True):
        send(writer, row, "_review", **{name: f"Another {name}"})

    waiting = section(read(editor), "waiting")
    assert re.findall(r'href="([^"]*)">Another \w+</a> <span>(\w+)</span>', waiting) == [
        *zip(map(form_address, rows), ("Image", "Tag", "Post"), strict=True)
    ]


def test_no_draft_or_review_and_no_older_translation_is_left_out_in_silence() -> None:
    editor = browser_of(EDITOR)
    author = User.objects.get()
    for number in range(11):
        post = factories.make_post(slug=f"post-{number}", **VIETNAMESE)
        OlderText.objects.create(kind="post", row=post.pk, text="title_en", english="Before")
        Draft.objects.create(
            key=uuid4(), kind="post", author=author, saved_at=timezone.now(), in_review=True
        )
    page = read(editor)

    assert section(page, "drafts").count("Untitled") == 11
    places = re.findall(r'href="/admin/catalogue/post/add/\?draft=(.*?)"', section(page, "waiting"))
    assert {*places} == {str(draft.key) for draft in Draft.objects.all()}
    assert section(page, "waiting").count("Untitled") == 11
    assert "1 other appears here when one of these is done." in section(page, "translations")


def test_it_names_what_lacks_a_translation_and_what_has_an_older_one() -> None:
    factories.make_post(slug="untranslated")
    post = factories.make_post(slug="translated", title_en="Translated", **VIETNAMESE)
    editor = browser_of(EDITOR)
    send(editor, post, "_publish", title_en="Another title")
    translations = section(read(editor), "translations")

    assert "Another title</a> <span>The Vietnamese is older than the English.</span>" in (
        translations
    )
    assert (
        '<a href="/admin/catalogue/post/?languages=en">Posts</a> <span>1 of 2 in Vietnamese</span>'
        in (translations)
    )
    send(editor, post, "_publish", title_vi="Tựa khác")
    assert "older" not in section(read(editor), "translations")


def test_it_says_who_did_what_the_newest_first() -> None:
    first, second = (factories.make_post(slug=slug, title_en=slug) for slug in ("first", "second"))
    editor = browser_of(EDITOR)
    send(editor, first, "_publish", title_en="A first title")
    send(editor, second, "_withdraw")
    acts = section(read(editor), "acts")
    found = [acts.find(f"{text}</span> <small>editor</small>") for text in ("Withdrawn", "Changed")]

    assert found == sorted(found)
    assert found[0] > 0
    assert acts.count("<li>") == len(found)
    assert f"{timezone.localtime():%-d %B, %H:}" in acts


def test_what_was_done_leads_to_the_history_of_a_row_or_to_what_was_deleted() -> None:
    post, editor = factories.make_post(slug="gone", title_en="Gone"), browser_of(EDITOR)
    send(editor, post, "_publish", title_en="Gone soon")
    assert f'href="{form_address(post).replace("change", "history")}"' in section(
        read(editor), "acts"
    )
    editor.post(form_address(post).replace("change", "delete"), {"post": "yes"})

    acts = section(read(editor), "acts")
    assert {*re.findall('href="(.*?)"', acts)} == {"/admin/catalogue/post/deleted/"}
    assert "Gone soon" in acts


def test_only_who_may_publish_has_the_button() -> None:
    assert "Publish site" in read(browser_of(EDITOR))
    assert "Publish site" not in read(browser_of(WRITER))
    assert "Nothing is published yet." in read(browser_of(WRITER, "another"))
