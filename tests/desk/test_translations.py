"""The screen of translations: what lacks Vietnamese, what is outdated, and what counts as right."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib import admin

from catalogue.models import Post, ScienceTopic, State, Studio, Symbol, Tag
from site_mirror.desk.models import OlderText
from site_mirror.desk.roles import EDITOR, WRITER
from site_mirror.desk.translation_screen import SHOWN
from tests import factories
from tests.admin_pages import admin_address, form_data, save_form
from tests.desk.people import ANONYMOUS, browser_of
from tests.revisions import read_revision_number

pytestmark = pytest.mark.django_db

PAGE = "/admin/translations/"
IN_BOTH = {"title_vi": "Bài", "excerpt_vi": "Một. Hai.", "body_vi": "Chào."}


def publish(client: Any, row: Any, **typed: str) -> None:
    assert save_form(client, row, _publish="", **typed).status_code == 302


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
    tags, topics = kinds["Tags"], kinds["Science topics"]
    assert (tags.rows, tags.translated) == (2, 1)
    assert (topics.rows, topics.translated) == (1, 0)


def listed(client: Any, address: str) -> list[str]:
    return [str(row) for row in client.get(address).context["cl"].result_list]


def test_it_leads_to_the_texts_that_lack_vietnamese_of_which_parts_of_inlines_are_some() -> None:
    factories.make_post(slug="half", title_en="Half")
    factories.make_post(slug="whole", title_en="Whole", **IN_BOTH)
    topic = factories.make_topic(slug="t", name_en="T", name_vi="T", explanation_vi="Một.")
    symbol = Symbol.objects.create(topic=topic, symbol="T", meaning_en="time")
    client = browser_of(WRITER)
    kinds = {each.name: each for each in client.get(PAGE).context["kinds"]}

    assert listed(client, kinds["Posts"].list) == ["Half"]
    assert listed(client, "/admin/catalogue/post/?languages=both") == ["Whole"]
    assert listed(client, kinds["Science topics"].list) == ["T"]
    symbol.meaning_vi = "thời gian"
    symbol.save()
    assert listed(client, kinds["Science topics"].list) == []


def test_it_marks_what_has_changed_in_the_english_until_it_counts_as_right() -> None:
    editor, writer = browser_of(EDITOR), browser_of(WRITER)
    post = factories.make_post(state=State.PUBLISHED, body_en="The tide rises.", **IN_BOTH)
    publish(editor, post, body_en="The tide falls.")
    publish(editor, post, title_en="Tides")

    (found,) = outdated(writer)
    marked = {each.part: str(each.marked) for each in found.differences()}
    assert [*marked] == ["title_en", "body_en"]
    assert "<del>rises</del><ins>falls</ins>" in marked["body_en"]

    publish(editor, post, body_en="The tide turns.")
    refused = writer.post(PAGE, {"still_right": found.seen}, follow=True).content.decode()
    assert "The English of “Tides” has changed again. Read it first." in refused
    assert "<del>rises</del><ins>turns</ins>" in refused

    (found,), before = outdated(writer), read_revision_number()
    assert writer.post(PAGE, {"still_right": found.seen}).status_code == 302
    assert (outdated(writer), read_revision_number()) == ([], before)

    publish(editor, post, title_en="Ebb")
    assert len(outdated(writer)) == 1
    post.delete()
    assert outdated(writer) == []


def test_what_a_command_or_sql_has_changed_is_outdated_with_the_next_change() -> None:
    editor = browser_of(EDITOR)
    post = factories.make_post(state=State.PUBLISHED, **IN_BOTH)
    publish(editor, post, title_en="Tides", title_vi="Thủy triều")
    Post.objects.update(title_en="Ebb")
    publish(editor, post, slug="ebb")

    (found,) = outdated(editor)
    assert [str(each.marked) for each in found.differences()] == ["<del>Tides</del><ins>Ebb</ins>"]


def test_a_changed_text_leaves_the_others_outdated() -> None:
    """Each Vietnamese text is made from its own English."""
    editor = browser_of(EDITOR)
    post = factories.make_post(state=State.PUBLISHED, **IN_BOTH)
    publish(editor, post, body_en="The tide falls.", excerpt_en="It falls. Here.")
    publish(editor, post, excerpt_vi="Nước xuống. Ở đây.")

    (found,) = outdated(editor)
    assert [each.part for each in found.differences()] == ["body_en"]
    publish(editor, post, body_en="A body.")
    assert outdated(editor) == [], "it says again what it said"


def test_it_says_how_many_outdated_texts_are_not_on_the_page() -> None:
    for number in range(SHOWN + 2):
        tag = factories.make_tag(slug=f"tag-{number}", name_en="A", name_vi="B")
        OlderText.objects.create(kind="tag", row=tag.pk, text="name_en", english="C")

    page = browser_of(WRITER).get(PAGE)

    assert len(page.context["outdated"]) == SHOWN
    assert "2 others appear here" in page.content.decode()


def test_a_changed_meaning_of_a_symbol_makes_its_topic_outdated() -> None:
    editor = browser_of(EDITOR)
    topic = factories.make_topic(explanation_vi="Giải thích.")
    Symbol.objects.create(topic=topic, symbol="T", meaning_en="time", meaning_vi="thời gian")
    publish(editor, topic, **{"symbols-0-unit": "s"})
    assert outdated(editor) == []

    publish(editor, topic, **{"symbols-0-meaning_en": "period"})

    (found,) = outdated(editor)
    assert [each.part for each in found.differences()] == ["symbols"]
    editor.post(admin_address(ScienceTopic, "delete", topic.pk), {"post": "yes"})
    assert outdated(editor) == []
    deleted = admin_address(ScienceTopic, "deleted")
    [entry] = editor.get(deleted).context["entries"]
    page = editor.post(deleted, {"_restore": entry.pk}, follow=True)
    assert editor.post(page.request["PATH_INFO"], form_data(page) | {"_publish": ""}).url
    [back] = outdated(editor)
    assert [str(each.marked) for each in back.differences()] == [
        str(each.marked) for each in found.differences()
    ]


def test_only_people_of_the_desk_say_that_a_translation_is_right() -> None:
    editor, post = browser_of(EDITOR), factories.make_post(**IN_BOTH)
    publish(editor, post, title_en="Tides")
    [found] = outdated(editor)

    answer = browser_of(ANONYMOUS).post(PAGE, {"still_right": found.seen})

    assert (answer.status_code, len(outdated(editor))) == (302, 1)
    for unknown in ("", "nothing", str(uuid4())):
        assert editor.post(PAGE, {"still_right": unknown}).status_code == 302
    assert len(outdated(editor)) == 1
