"""Drafts: what is typed is kept beside the row, merged, published by language, and never lost."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.db.models import Model
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from selectolax.lexbor import LexborHTMLParser

from catalogue.models import (
    ApiVersion,
    Image,
    Page,
    Post,
    ScienceTopic,
    State,
    Statistic,
    Studio,
    Symbol,
    Tag,
    TeamMember,
    TimelineEntry,
)
from site_mirror.desk import drafts
from site_mirror.desk.models import Draft, EarlierState, HistoryEntry
from tests import factories
from tests.admin_pages import admin_address, form_address, form_data
from tests.freeze.live_requests import ask
from tests.revisions import read_revision_number

pytestmark = pytest.mark.django_db

COLUMNS = ("label_en", "label_vi", "href")
BOTH = {"title_vi": "Bài", "excerpt_vi": "Một. Hai.", "body_vi": "Chào."}
TYPED: list[tuple[type[Model], str, str]] = [
    (Post, "title_en", "Another"),
    (Tag, "name_en", "Another"),
    (ScienceTopic, "symbols-0-unit", "m/s"),
    (TimelineEntry, "links-0-label_en", "Another"),
    (Studio, "name", "Another"),
    (TeamMember, "role_en", "Another"),
    (Image, "alt_en", "Another"),
    (Statistic, "label_en", "Another"),
    (Page, "title_en", "Another"),
    (ApiVersion, "released", "2025-02-11"),
]


@pytest.fixture
def lan(db: None) -> Client:
    """The browser of another editor."""
    client = Client()
    client.force_login(User.objects.create_superuser("lan"))
    return client


def opened(client: Client, address: str) -> dict[str, Any]:
    """Return what the form at an address posts."""
    return posted_by(client.get(address))


def posted_by(page: Any) -> dict[str, Any]:
    return {name: value for name, value in form_data(page).items() if value not in ("", [])}


def send(client: Client, row: Model, act: str, **typed: Any) -> HttpResponse:
    """Open the form of a row, type into it and press a button."""
    data = opened(client, form_address(row))
    return client.post(form_address(row), data | {act: ""} | typed)


def shown(client: Client, row: Model, name: str) -> Any:
    return opened(client, form_address(row)).get(name)


def autosave(client: Client, row: Model, data: dict[str, Any], **typed: Any) -> HttpResponse:
    return client.post(admin_address(type(row), "draft", row.pk), data | typed)


@pytest.mark.parametrize(("model", "name", "text"), TYPED)
def test_a_draft_of_any_kind_is_seen_at_the_desk_alone_until_it_is_published(
    editor: Client, model: type[Model], name: str, text: str
) -> None:
    factories.make_one_of_each()
    row: Any = model._default_manager.first()
    before, values = read_revision_number(), model._default_manager.values().first()
    columns = Symbol.objects.values().first()

    assert send(editor, row, "_draft", **{name: text}).status_code == 302
    assert (read_revision_number(), model._default_manager.values().first()) == (before, values)
    assert Symbol.objects.values().first() == columns
    assert str(shown(editor, row, name)) == text

    assert send(editor, row, "_publish").status_code == 302
    assert read_revision_number() > before
    assert not Draft.objects.get().is_open
    assert str(shown(editor, row, name)) == text
    assert editor.get(form_address(row)).context["desk"]["changed"] == {}


def test_opening_and_saving_a_form_without_typing_makes_no_draft(editor: Client) -> None:
    factories.make_one_of_each()
    for model in [model for model, _, _ in TYPED]:
        row: Any = model._default_manager.first()
        data = opened(editor, form_address(row))
        assert autosave(editor, row, data).status_code == 200

    assert not Draft.objects.exists()


def test_an_unfinished_new_row_is_kept_and_published_later(editor: Client) -> None:
    add, key = admin_address(Post, "add"), str(uuid4())
    typed = {"_key": key, "_base": "{}", "title_en": "Half a th"}

    saved = editor.post(admin_address(Post, "draft_new"), typed)

    assert saved.status_code == 200
    assert saved.json()["line"].endswith("not public yet")
    assert not Post.objects.exists()
    listed = admin_address(Post, "changelist")
    assert f'href="{add}?draft={key}"' in editor.get(listed).content.decode()
    page = editor.get(f"{add}?draft={key}").content.decode()
    assert "<h1>Unfinished post: “Half a th”</h1>" in page
    data = opened(editor, f"{add}?draft={key}")
    assert data["title_en"] == "Half a th"
    whole = {"slug": "half", "excerpt_en": "One. Two.", "body_en": "Words."}
    response = editor.post(add, data | whole | {"_publish": ""})
    post = Post.objects.get()
    assert response.headers["Location"] == form_address(post)
    assert ask("/blog/half").status_code == 200
    assert Draft.objects.get().row == post.pk
    assert "?draft=" not in editor.get(listed).content.decode()


def test_an_older_tab_of_a_new_row_is_one_of_the_row_that_was_published(editor: Client) -> None:
    add = admin_address(Post, "add")
    tab = opened(editor, add)
    tab |= {"title_en": "Echoes", "slug": "echoes", "excerpt_en": "One. Two.", "body_en": "Words."}
    tab["_base"] = editor.post(admin_address(Post, "draft_new"), tab).json()["base"]
    for _ in range(2):
        answer = editor.post(add, tab | {"_publish": ""})
        assert answer.status_code == 302
    post = Post.objects.get()
    assert answer.headers["Location"] == form_address(post)

    saved = editor.post(admin_address(Post, "draft_new"), tab | {"title_en": "Echoes and delays"})

    assert saved.json()["changed"] == {"en": ["Title, English"]}
    assert shown(editor, post, "title_en") == "Echoes and delays"
    assert opened(editor, f"{add}?draft={tab['_key']}")["body_en"] == "Words."


@pytest.mark.postgresql
def test_a_character_that_a_database_refuses_is_left_out(editor: Client) -> None:
    post = factories.make_post()
    data = opened(editor, form_address(post))

    assert autosave(editor, post, data, title_en="A \0pendulum").status_code == 200

    assert shown(editor, post, "title_en") == "A pendulum"


def test_only_the_chosen_language_is_published(editor: Client) -> None:
    post = factories.make_post(**BOTH)
    typed = {"title_en": "Mended", "body_vi": "Một câu dở d", "slug": "moved"}

    send(editor, post, "_publish", _sides_asked="1", _sides=["en"], **typed)

    post.refresh_from_db()
    assert (post.title_en, post.body_vi, post.slug) == ("Mended", "Chào.", "a-post")
    data = opened(editor, form_address(post))
    assert (data["title_en"], data["body_vi"], data["slug"]) == (*typed.values(),)
    changed = editor.get(form_address(post)).context["desk"]["changed"]
    assert changed == {"shared": ["Address"], "vi": ["Body, Vietnamese"]}
    send(editor, post, "_publish")
    post.refresh_from_db()
    assert (post.body_vi, post.slug) == ("Một câu dở d", "moved")


def test_a_published_row_of_an_inline_is_not_added_again_with_the_rest(editor: Client) -> None:
    topic = factories.make_symbol().topic
    added = {
        "symbols-TOTAL_FORMS": "2",
        "symbols-1-symbol": "λ",
        "symbols-1-meaning_en": "length",
        "symbols-1-position": "1",
    }
    rest = {"explanation_vi": "Đúng.", "name_vi": "Sóng"}

    sides = {"_sides_asked": "1", "_sides": ["en", "shared"]}
    send(editor, topic, "_publish", **sides, **added, **rest)
    changed = editor.get(form_address(topic)).context["desk"]["changed"]
    assert changed.keys() == {"vi"}
    send(editor, topic, "_publish")

    assert [symbol.symbol for symbol in topic.symbols.all()] == ["f", "λ"]
    topic.refresh_from_db()
    assert topic.explanation_vi == "Đúng."


MAP, SEA, SKY = (
    (name, vietnamese, f"https://a.example/{name}")
    for name, vietnamese in (("map", "Bản đồ"), ("sea", "Biển"), ("sky", "Trời"))
)
NEW = {f"links-2-{name}": value for name, value in zip(COLUMNS, SKY, strict=True)}
NEW |= {"links-TOTAL_FORMS": "3", "links-2-position": "2"}
CHANGES_OF_LINKS: dict[str, tuple[Any, ...]] = {
    "a label of each language": (
        *({"links-0-label_en": "maps", "links-0-label_vi": "Bản"}, ["en", "shared"]),
        *([("maps", *MAP[1:]), SEA], {"vi"}, [("maps", "Bản", MAP[2]), SEA]),
    ),
    "an order and a label": (
        *({"links-0-position": "1", "links-1-position": "0", "links-0-label_vi": "Bản"},),
        *(["en", "shared"], [SEA, MAP], {"vi"}, [SEA, ("map", "Bản", MAP[2])]),
    ),
    "a new row": (
        *({"links-0-label_en": "maps", **NEW}, ["en", "shared"]),
        *([("maps", *MAP[1:]), SEA], {"en", "vi", "shared"}, [("maps", *MAP[1:]), SEA, SKY]),
    ),
    "what has no language": (
        *({"links-0-label_en": "maps", "links-0-href": SKY[2], "links-1-DELETE": "on"}, ["en"]),
        *([("maps", *MAP[1:]), SEA], {"shared"}, [("maps", MAP[1], SKY[2])]),
    ),
}


@pytest.mark.parametrize(
    ("typed", "sides", "published", "left", "at_last"),
    CHANGES_OF_LINKS.values(),
    ids=CHANGES_OF_LINKS,
)
def test_only_the_chosen_language_of_an_inline_is_published(
    editor: Client, typed: Any, sides: Any, published: Any, left: Any, at_last: Any
) -> None:
    entry = factories.make_entry()
    for place, values in enumerate((MAP, SEA)):
        columns = dict(zip(COLUMNS, values, strict=True))
        factories.make_link(entry=entry, position=place, **columns)

    send(editor, entry, "_publish", _sides_asked="1", _sides=sides, **typed)

    links = entry.links.order_by("position").values_list(*COLUMNS)
    assert [*links] == published
    changed = editor.get(form_address(entry)).context["desk"]["changed"]
    assert changed == {side: ["Timeline links"] for side in left}
    send(editor, entry, "_publish")
    assert [*links.all()] == at_last
    assert not Draft.objects.get().is_open


def test_a_translation_is_outdated_until_it_is_published_unless_the_correction_is_small(
    editor: Client,
) -> None:
    post = factories.make_post(**BOTH)

    def publish(**typed: str) -> bool:
        send(editor, post, "_publish", **typed)
        return bool(editor.get(form_address(post)).context["desk"]["is_outdated"])

    assert not publish(body_en="A bodi.", body_vi="Thân.")
    assert not publish(body_en="A body.", _small="on")
    assert publish(body_en="Another body.")
    assert publish(body_en="Another bodi.", _small="on")
    assert not publish(body_vi="Thân khác.")
    assert publish(title_en="Another")
    assert not publish(title_vi="", excerpt_vi="", body_vi="")


@pytest.mark.parametrize(
    ("make", "one", "label", "other"),
    [
        (factories.make_post, "title_en", "Title, English", "body_en"),
        (factories.make_image, "alt_en", "What it shows, English", "alt_vi"),
    ],
)
def test_different_fields_of_two_editors_merge(
    editor: Client, lan: Client, make: Any, one: str, label: str, other: str
) -> None:
    row = make()
    mine, hers = (opened(client, form_address(row)) for client in (editor, lan))

    autosave(editor, row, mine, **{one: "Mine"})
    saved = autosave(lan, row, hers, **{other: "Hers."}).json()
    again = autosave(lan, row, hers | {"_base": saved["base"]}, **{other: "Hers, too."}).json()

    assert (saved["taken"], again["taken"]) == ([label], [label])
    data = opened(editor, form_address(row))
    assert (data[one], data[other]) == ("Mine", "Hers, too.")


def test_the_question_names_who_wrote_the_text_and_not_who_saved_the_draft_last(
    editor: Client, lan: Client
) -> None:
    post = factories.make_post()
    mine, hers = (opened(client, form_address(post)) for client in (editor, lan))
    autosave(editor, post, mine, title_en="Mine")
    autosave(lan, post, hers, body_en="Hers.")

    asked = lan.post(form_address(post), hers | {"title_en": "Hers", "_draft": ""})

    assert str(asked.context["desk"]["who"]) == "admin"
    assert "The same text was changed by admin" in asked.content.decode()


@pytest.mark.parametrize("decision", ["here", "there"])
def test_the_same_field_of_two_editors_is_asked_with_both_texts(
    editor: Client, lan: Client, decision: str
) -> None:
    post = factories.make_post()
    mine, hers = (opened(client, form_address(post)) for client in (editor, lan))
    autosave(editor, post, mine, title_en="Mine", excerpt_en="Also. Mine.")

    refused = autosave(lan, post, hers, title_en="Hers", body_en="Hers.")

    assert (refused.status_code, refused.json()) == (409, {"asked": ["Title, English"]})
    assert shown(editor, post, "title_en") == "Mine"
    asked = lan.post(
        form_address(post), hers | {"title_en": "Hers", "body_en": "Hers.", "_draft": ""}
    )
    assert asked.status_code == 200
    [(difference, seen)] = asked.context["desk"]["questions"]
    assert difference.marked == "<del>Mine</del><ins>Hers</ins>"
    kept = posted_by(asked)
    assert kept["body_en"] == "Hers."
    decided = kept | {"_decide-title_en": f"{decision}:{seen}", "_draft": ""}
    assert lan.post(form_address(post), decided).status_code == 302
    data = opened(editor, form_address(post))
    title = {"here": "Hers", "there": "Mine"}[decision]
    assert (data["title_en"], data["body_en"], data["excerpt_en"]) == (
        *(title, "Hers.", "Also. Mine."),
    )


def test_a_text_that_has_changed_since_it_was_asked_about_is_asked_about_again(
    editor: Client, lan: Client
) -> None:
    post = factories.make_post()
    hers = opened(lan, form_address(post)) | {"title_en": "Hers", "_draft": ""}
    send(editor, post, "_draft", title_en="Mine")
    asked = lan.post(form_address(post), hers)
    [(_, seen)] = asked.context["desk"]["questions"]
    send(editor, post, "_draft", title_en="Mine, later")

    decided = hers | posted_by(asked) | {"_decide-title_en": f"here:{seen}"}
    asked = lan.post(form_address(post), decided)

    [(difference, _)] = asked.context["desk"]["questions"]
    assert difference.marked == "<del>Mine, later</del><ins>Hers</ins>"
    assert shown(editor, post, "title_en") == "Mine, later"


def test_nobody_publishes_a_text_of_another_editor_without_having_seen_it(
    editor: Client, lan: Client
) -> None:
    post = factories.make_post()
    hers = opened(lan, form_address(post)) | {"body_en": "Hers.", "_publish": ""}
    send(editor, post, "_draft", title_en="Half a ti")

    answer = lan.post(form_address(post), hers, follow=True)

    assert "Not published yet: somebody else has changed Title, English." in answer.content.decode()
    post.refresh_from_db()
    assert (post.title_en, post.body_en) == ("A post", "A body.")
    send(lan, post, "_publish", title_en="Half a title")
    post.refresh_from_db()
    assert (post.title_en, post.body_en) == ("Half a title", "Hers.")


@pytest.mark.parametrize(("decision", "title"), [("here", "Mine"), ("there", "Theirs")])
def test_a_row_that_was_saved_under_a_draft_is_asked_about(
    editor: Client, decision: str, title: str
) -> None:
    post = factories.make_post()
    send(editor, post, "_draft", title_en="Mine", body_en="Mine.")
    Post.objects.update(title_en="Theirs", excerpt_en="Theirs. Too.")

    asked = send(editor, post, "_publish")

    [(difference, seen)] = asked.context["desk"]["questions"]
    assert difference.label == "Title, English"
    post.refresh_from_db()
    assert post.title_en == "Theirs"
    send(editor, post, "_publish", **{"_decide-title_en": f"{decision}:{seen}"})
    post.refresh_from_db()
    assert (post.title_en, post.body_en, post.excerpt_en) == (title, "Mine.", "Theirs. Too.")


def test_earlier_states_undo_a_cut_and_a_discard(editor: Client) -> None:
    post = factories.make_post()
    send(editor, post, "_draft", body_en="A long text.")
    send(editor, post, "_draft", body_en="x")
    send(editor, post, "_discard")
    assert shown(editor, post, "body_en") == "A body."

    cut, whole = EarlierState.objects.all()
    assert (cut.before, whole.before) == ("discard", "save")
    send(editor, post, "_restore", _restore=cut.pk)
    assert shown(editor, post, "body_en") == "x"
    send(editor, post, "_restore", _restore=whole.pk)
    assert shown(editor, post, "body_en") == "A long text."


def test_a_discarded_text_that_is_no_row_yet_comes_back_from_what_was_deleted(
    editor: Client,
) -> None:
    data = opened(editor, admin_address(Post, "add")) | {"title_en": "Zebras", "body_en": "Long."}
    data["_base"] = editor.post(admin_address(Post, "draft_new"), data).json()["base"]
    editor.post(admin_address(Post, "add"), data | {"_discard": ""})
    assert not Draft.objects.get().is_open

    page = LexborHTMLParser(editor.get(admin_address(Post, "deleted")).content.decode())
    [row] = page.css("main li")
    assert "Zebras" in row.text()
    attributes = row.css("button")[0].attributes
    answer = editor.post(str(attributes["formaction"]), {"_restore": attributes["value"]})

    back = opened(editor, answer.headers["Location"])
    assert (back["title_en"], back["body_en"]) == ("Zebras", "Long.")
    assert "Zebras" not in editor.get(admin_address(Post, "deleted")).content.decode()
    assert EarlierState.objects.count() == 1


@pytest.mark.parametrize("act", ["_discard", "_restore"])
def test_what_was_typed_since_the_last_save_is_an_earlier_state(editor: Client, act: str) -> None:
    post = factories.make_post()
    send(editor, post, "_draft", body_en="Kept.")
    send(editor, post, "_draft", body_en="Kept again.")
    [state] = EarlierState.objects.all()
    typed = {"body_en": "Just typed."} | ({"_restore": state.pk} if act == "_restore" else {})
    send(editor, post, act, **typed)

    assert EarlierState.objects.all()[0].data["body_en"] == ["Just typed."]


def test_an_earlier_state_brings_back_a_row_of_an_inline_that_was_deleted(editor: Client) -> None:
    topic = factories.make_symbol(symbol="f").topic
    send(editor, topic, "_draft", name_en="With its symbol")
    send(editor, topic, "_draft", name_en="Another")
    topic.symbols.all().delete()

    send(editor, topic, "_restore", _restore=EarlierState.objects.get().pk)
    assert send(editor, topic, "_publish").status_code == 302
    topic.refresh_from_db()
    assert (topic.name_en, [each.symbol for each in topic.symbols.all()]) == (
        *("With its symbol", ["f"]),
    )


LONG = "A long text of four minutes."


@pytest.mark.parametrize(
    ("typed", "act", "later"),
    [(LONG, "_draft", f"{LONG} And a word."), (LONG, "", ""), (LONG, "", "Other words, as long.")],
    ids=["saved by its key", "emptied", "replaced"],
)
def test_a_text_that_was_saved_or_of_which_most_is_gone_stays_an_earlier_state(
    editor: Client, typed: str, act: str, later: str
) -> None:
    post = factories.make_post()
    data = opened(editor, form_address(post))
    for text, pressed in (("A", ""), ("A lo", ""), (typed, act), (later, "")):
        buttons = {pressed: ""} if pressed else {}
        answer = autosave(editor, post, data, body_en=text, **buttons)
        data["_base"] = answer.json()["base"]

    assert EarlierState.objects.all()[0].data["body_en"] == [LONG]
    assert shown(editor, post, "body_en") == (later or None)


def test_a_text_that_grows_and_is_mended_for_a_moment_is_one_earlier_state(editor: Client) -> None:
    post = factories.make_post()
    data = opened(editor, form_address(post))
    for text in ("A lonk", "A long", "A long text", "The long text", "The long text of a day"):
        answer = autosave(editor, post, data, body_en=text, title_en=text)
        data["_base"] = answer.json()["base"]

    assert EarlierState.objects.count() == 1


def test_what_is_typed_back_leaves_no_draft(editor: Client) -> None:
    post = factories.make_post()
    send(editor, post, "_draft", title_en="Mine")
    send(editor, post, "_draft", title_en="A post")

    assert not Draft.objects.get().is_open
    assert EarlierState.objects.get().data["title_en"] == ["Mine"]


def test_the_last_states_are_kept(
    editor: Client, lan: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts, "MAX_EARLIER_STATES", 3)
    post = factories.make_post()
    for number in range(6):
        send(editor, post, "_draft", title_en=f"Title {number}")
    states = EarlierState.objects.all()
    titles = [state.data["title_en"] for state in states.all()]
    assert titles == [["Title 4"], ["Title 3"], ["Title 2"]]

    autosave(lan, post, opened(lan, form_address(post)), title_en="Another author")
    assert states[0].before == "another author"
    before = states.values_list("pk", flat=True)[0]
    autosave(lan, post, opened(lan, form_address(post)), title_en="Another author.")
    assert states.values_list("pk", flat=True)[0] == before
    Draft.objects.update(saved_at=timezone.now() - timedelta(minutes=6))
    states.update(saved_at=timezone.now() - timedelta(minutes=6))
    autosave(lan, post, opened(lan, form_address(post)), title_en="Six minutes later")
    assert states.values_list("pk", flat=True)[0] > before


def test_a_refused_publication_keeps_the_draft_and_names_all_faults(editor: Client) -> None:
    post = factories.make_post()
    typed = {"title_en": " ", "slug": "No Slug", "body_en": "[x](/nope) ![](y)", "excerpt_vi": "V"}

    refused = send(editor, post, "_publish", **typed)

    assert refused.status_code == 200
    page = refused.content.decode()
    named = {fault["id"] for fault in refused.context["faults"]}
    assert named >= {"id_title_en", "id_slug", "id_body_en"}
    assert all(f'href="#{name}"' in page for name in named)
    assert f"{len(refused.context['faults'])} things to correct" in page
    assert 'tabindex="-1" autofocus' in page
    assert shown(editor, post, "body_en") == typed["body_en"]
    post.refresh_from_db()
    assert post.body_en == "A body."


def test_an_opened_draft_shows_no_faults_before_somebody_publishes(editor: Client) -> None:
    topic = factories.make_symbol().topic
    send(editor, topic, "_draft", **{"name_en": "", "symbols-0-symbol": ""})

    page = editor.get(form_address(topic))

    assert not page.context["errors"]
    assert page.context["faults"] == []
    assert "This field is required" not in page.content.decode()
    assert page.context["adminform"].form["explanation_en"].value()


def test_withdrawing_is_refused_while_a_text_links_and_publishing_brings_the_row_back(
    editor: Client,
) -> None:
    post = factories.make_post(slug="x")
    linking = factories.make_post(slug="linking", title_en="Linking", body_en="[x](/blog/x)")

    asked = send(editor, post, "_withdraw", title_en="Draft")

    assert [fault["label"] for fault in asked.context["faults"]] == ["Linking"]
    assert ask("/blog/x").status_code == 200
    linking.delete()
    send(editor, post, "_withdraw", title_en="Draft")
    post.refresh_from_db()
    assert (post.state, post.title_en) == (State.DRAFT, "A post")
    assert ask("/blog/x").status_code == 404
    send(editor, post, "_publish")
    assert b"<h1>Draft</h1>" in ask("/blog/x").content


CHANGES_OF_RELATIONS = {
    "tags": lambda: (factories.make_post(), {"tags": [factories.make_tag().pk]}),
    "author": lambda: (factories.make_post(), {"author": factories.make_team_member().pk}),
    "app": lambda: (factories.make_post(), {"app": factories.make_app().pk}),
    "inlines": lambda: (factories.make_symbol().topic, {"symbols-0-unit": "m/s"}),
    "a statistic": lambda: (factories.make_statistic(), {"label_en": "Tools"}),
}


@pytest.mark.parametrize("make", CHANGES_OF_RELATIONS.values(), ids=CHANGES_OF_RELATIONS)
def test_the_line_names_the_day_of_what_readers_see(editor: Client, make: Any) -> None:
    row, typed = make()

    live = editor.post(form_address(row), opened(editor, form_address(row)) | typed, follow=True)

    today = date_format(timezone.localtime(HistoryEntry.objects.all()[0].made_at), "j F Y")
    assert editor.get(form_address(row)).context["desk"]["line"] == (
        f"Readers see the version of {today}"
    )
    assert [str(each).startswith("Live") for each in live.context["messages"]] == [True]
    name = "name_en" if isinstance(row, ScienceTopic) else "label_en"
    name = "title_en" if isinstance(row, Post) else name
    saved = autosave(editor, row, opened(editor, form_address(row)), **{name: "Half"})
    assert saved.json()["line"].endswith(f" · readers see the version of {today}")


def test_readers_see_a_tag_with_its_posts(editor: Client) -> None:
    tag = factories.make_tag()
    for unseen in (tag, factories.make_image()):
        assert editor.get(form_address(unseen)).context["desk"]["line"] == "Readers do not see it"
    factories.make_post().tags.add(tag)
    saved = editor.post(form_address(tag), opened(editor, form_address(tag)), follow=True)

    assert [*map(str, saved.context["messages"])] == [f"Live: /blog/tags/{tag.slug} · EN"]


def test_a_later_moment_of_a_public_row_is_refused(editor: Client) -> None:
    post = factories.make_post()
    later = timezone.localtime() + timedelta(days=2)
    typed = {"publish_at_0": f"{later:%Y-%m-%d}", "publish_at_1": f"{later:%H:%M:%S}"}

    refused = send(editor, post, "_publish", **typed)

    assert "would take it off the site" in str(refused.context["adminform"].form.errors)
    assert ask("/blog/a-post").status_code == 200
    Post.objects.update(state=State.DRAFT)
    assert send(editor, post, "_publish").status_code == 302
    assert editor.get(form_address(post)).context["desk"]["may_withdraw"]


@pytest.mark.parametrize(
    ("model", "typed", "title"),
    [
        (TeamMember, {"handle": "thao", "name": "Thảo", "role_en": "Design"}, "Thảo"),
        (TeamMember, {"handle": "thao", "name": ""}, "thao"),
        (Statistic, {"label_en": "Tools", "slug": "tools", "display": "25"}, "Tools"),
        (ApiVersion, {"version": "v2", "api_version": "2.0.0"}, "v2"),
        (Tag, {"name_en": "", "slug": "sound"}, "sound"),
        (TeamMember, {"role_en": "Design"}, "Untitled"),
    ],
)
def test_a_draft_is_known_by_what_its_kind_is_known_by(
    editor: Client, model: type[Model], typed: dict[str, str], title: str
) -> None:
    new = {"_key": str(uuid4()), "_base": "{}"} | typed
    assert editor.post(admin_address(model, "draft_new"), new).status_code == 200

    listed = editor.get(admin_address(model, "changelist"))

    assert [*map(str, listed.context["cl"].unfinished)] == [title]
    assert title in listed.content.decode()


def test_colleagues_see_the_saved_draft(editor: Client, lan: Client) -> None:
    post, page = factories.make_post(), factories.make_page(slug="blog")
    send(editor, post, "_draft", title_en="Mine")

    assert b"<h1>Mine</h1>" in lan.get(admin_address(Post, "preview", post.pk)).content
    assert b"Welcome." in lan.get(admin_address(Page, "preview", page.pk)).content
    send(editor, post, "_draft", title_en="")
    assert b"has faults" in lan.get(admin_address(Post, "preview", post.pk)).content


def test_a_draft_shows_texts_that_have_no_field_any_more(editor: Client) -> None:
    post = factories.make_post()
    send(editor, post, "_draft", title_en="Mine")
    assert "no field any more" not in editor.get(form_address(post)).content.decode()
    draft = Draft.objects.get()
    draft.data["subtitle"] = ["Words of a field that is gone"]
    draft.save()

    text = editor.get(form_address(post)).content.decode()
    assert "no field any more" in text
    assert "Words of a field that is gone" in text


@pytest.mark.parametrize(
    ("name", "typed"), [("slug", "2026/echoes"), ("tags", "sound"), ("symbols-²-unit", "m")]
)
def test_a_draft_of_what_no_row_can_have_is_shown_and_can_be_discarded(
    editor: Client, name: str, typed: str
) -> None:
    row: Any = factories.make_topic() if name[:3] == "sym" else factories.make_post()
    send(editor, row, "_draft", **{name: typed})

    page = editor.get(form_address(row)).content.decode()
    file = reverse("admin:content_file", args=[row._meta.model_name, row.slug])
    assert f'href="{file}"' in page
    assert editor.get(admin_address(type(row), "history", row.pk)).status_code == 200
    assert send(editor, row, "_discard").status_code == 302
    assert not Draft.objects.get().is_open


def list_refusals(client: Client, post: Post) -> Iterator[int]:
    data = {"_key": str(uuid4()), "title_en": "Taken over"}
    for row, end in (([post.pk], ""), ([], "_new")):
        for route in ("draft", "preview", "check"):
            yield client.post(admin_address(Post, f"{route}{end}", *row), data).status_code
        yield client.get(admin_address(Post, f"preview{end}", *row)).status_code
    for act in admin.site._registry[Post].acts:  # type: ignore[attr-defined]
        yield client.post(form_address(post), data | {act: "1"}).status_code


@pytest.mark.parametrize("permissions", [[], ["view_post"]])
def test_only_those_who_may_write_a_row_see_and_change_its_draft(
    editor: Client, client: Client, permissions: list[str]
) -> None:
    post = factories.make_post()
    send(editor, post, "_draft", title_en="Mine")
    reader = User.objects.create_user("reader", is_staff=True)
    reader.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client.force_login(reader)

    assert {*list_refusals(client, post)} == {403}
    if permissions:
        assert "Mine" not in client.get(form_address(post)).content.decode()
    client.logout()
    assert {*list_refusals(client, post)} == {302}
    assert json.dumps(Draft.objects.get().data).count("Mine") == 1
    post.refresh_from_db()
    assert (post.title_en, post.state) == ("A post", State.PUBLISHED)
