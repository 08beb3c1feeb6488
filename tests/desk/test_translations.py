"""The screen of translations: what lacks Vietnamese, what is outdated, and what counts as right."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib import admin

from catalogue.models import State, Studio, Symbol, Tag
from site_mirror.desk.models import Draft
from site_mirror.desk.roles import EDITOR, WRITER
from site_mirror.desk.translation_screen import SHOWN
from tests import factories
from tests.admin_pages import form_address, form_data
from tests.desk.people import ANONYMOUS, browser_of
from tests.revisions import read_revision_number

pytestmark = pytest.mark.django_db

PAGE = "/admin/translations/"
IN_BOTH = {"title_vi": "Bài", "excerpt_vi": "Một. Hai.", "body_vi": "Chào."}


def publish(client: Any, row: Any, **typed: str) -> None:
    page = client.get(form_address(row))
    data = form_data(page) | {"_base": page.context["desk"]["base"], "_publish": ""}
    assert client.post(form_address(row), data | typed).status_code == 302


def outdated(client: Any) -> list[Any]:
    found: list[Any] = client.get(PAGE).context["outdated"]
    return found


def test_it_counts_the_texts_of_every_kind_and_of_inlines() -> None:
    factories.make_one_of_each()
    Tag.objects.all().delete()
    factories.make_tag(slug="a", name_en="Tides", name_vi="Thủy triều")
    factories.make_tag(slug="b", name_en="Sound")
    Studio.objects.update(tagline_en="Apps")
    Symbol.objects.update(symbol="T", meaning_en="period", meaning_vi="")

    kinds = {each.name: each for each in browser_of(WRITER).get(PAGE).context["kinds"]}

    pages = {
        str(each.opts.verbose_name_plural)
        for each in admin.site._registry.values()
        if any(field.name.endswith("_vi") for field in each.model._meta.fields)
    }
    assert {name.lower() for name in kinds} == pages
    tags = kinds["Tags"]
    assert (tags.texts, tags.translated, tags.list) == (2, 1, "")
    assert [(title, parts) for title, _, parts in tags.rows] == [("Sound", ["Name"])]
    ((_, _, parts),) = kinds["Science topics"].rows
    assert "Meaning: T" in parts


def test_a_long_list_leads_to_the_rest() -> None:
    for number in range(SHOWN + 1):
        factories.make_post(slug=f"post-{number}")

    (posts,) = (each for each in browser_of(WRITER).get(PAGE).context["kinds"] if each.rows)

    assert (len(posts.rows), posts.list) == (SHOWN, "/admin/catalogue/post/?languages=en")
    assert posts.list.encode() in browser_of(WRITER, "lan").get(PAGE).content


def test_it_marks_what_has_changed_in_the_english_until_it_counts_as_right() -> None:
    editor, writer = browser_of(EDITOR), browser_of(WRITER)
    post = factories.make_post(state=State.PUBLISHED, body_en="The tide rises.", **IN_BOTH)
    publish(editor, post, body_en="The tide falls.")
    publish(editor, post, title_en="Tides")

    (found,) = outdated(writer)
    marked = {each.part: str(each.marked) for each in found.differences}
    assert marked.keys() == {"title_en", "body_en"}
    assert "<del>rises</del><ins>falls</ins>" in marked["body_en"]

    before = read_revision_number()
    assert writer.post(PAGE, {"still_right": found.draft.pk}).status_code == 302
    assert (outdated(writer), read_revision_number()) == ([], before)

    publish(editor, post, title_en="Ebb")
    assert len(outdated(writer)) == 1
    post.delete()
    assert outdated(writer) == []


def test_a_changed_meaning_of_a_symbol_makes_its_topic_outdated() -> None:
    editor = browser_of(EDITOR)
    topic = factories.make_topic(explanation_vi="Giải thích.")
    Symbol.objects.create(topic=topic, symbol="T", meaning_en="time", meaning_vi="thời gian")
    publish(editor, topic, **{"symbols-0-unit": "s"})
    assert outdated(editor) == []

    publish(editor, topic, **{"symbols-0-meaning_en": "period"})

    (found,) = outdated(editor)
    assert [each.part for each in found.differences] == ["symbols"]


def test_only_people_of_the_desk_say_that_a_translation_is_right() -> None:
    editor, post = browser_of(EDITOR), factories.make_post(**IN_BOTH)
    publish(editor, post, title_en="Tides")
    draft = Draft.objects.get(row=post.pk)

    answer = browser_of(ANONYMOUS).post(PAGE, {"still_right": draft.pk})

    assert (answer.status_code, len(outdated(editor))) == (302, 1)
    for unknown in ("", "nothing", str(uuid4())):
        assert editor.post(PAGE, {"still_right": unknown}).status_code == 302
    assert len(outdated(editor)) == 1
