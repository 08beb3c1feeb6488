"""What a change takes away from other texts is listed first, and needs a second, explicit yes."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Model
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from catalogue.admin.linking import CONFIRMED
from catalogue.models import App, FormerPostSlug, Page, Post, State, Tag, TimelineEntry
from tests import admin_rows, rows
from tests.admin_pages import address, as_sent, errors, form_of, save

pytestmark = pytest.mark.django_db

NOTHING = "where nothing is published."
NO_PLACE = "a place that is not there."
TRANSLATED = {"title_vi": "Bài", "excerpt_vi": "Một câu. Hai câu.", "body_vi": "## Nơi này"}


def listed(page: HttpResponse) -> dict[str, list[str]]:
    """What an answer lists, by the title of the row."""
    context: Any = page.context  # type: ignore[attr-defined]
    assert page.status_code == 200, "nothing was asked"
    return {group["title"]: group["words"] for group in context["breaking"]}


def yes(page: HttpResponse) -> dict[str, str]:
    context: Any = page.context  # type: ignore[attr-defined]
    return {CONFIRMED: context["breaking_seal"]}


def values(row: Model) -> Any:
    return type(row)._default_manager.filter(pk=row.pk).values().first()


def make_linked() -> Post:
    """A post, and two texts that link to it in all the ways there are."""
    post = rows.make_post(slug="x", title_en="X", body_en="## Here", **TRANSLATED)
    rows.make_post(
        slug="linking",
        title_en="Linking",
        body_en="[a](/blog/x)\n\n[b](/blog/x#here)",
        **TRANSLATED | {"body_vi": "[c](/vi/blog/x) [d](/vi/blog/x#noi-nay)"},
    )
    entry = rows.make_entry(title_en="Entry")
    admin_rows.make_link(entry=entry, href="/blog/x")
    rows.make_post(slug="draft", body_en="[a](/blog/x)", state=State.DRAFT)
    rows.make_post(slug="dead", title_en="Dead", body_en="[a](/nope)")
    return post


EVERYTHING = {
    "Linking": [
        f"Body, English, line 1: [a](/blog/x) leads to /blog/x, {NOTHING}",
        f"Body, English, line 3: [b](/blog/x#here) leads to /blog/x, {NOTHING}",
        f"Body, Vietnamese, line 1: [c](/vi/blog/x) leads to /vi/blog/x, {NOTHING}",
        f"Body, Vietnamese, line 1: [d](/vi/blog/x#noi-nay) leads to /vi/blog/x, {NOTHING}",
    ],
    "Entry": ["Address: “/blog/x” will be left out."],
}
TOMORROW = timezone.now() + timedelta(days=1)
CHANGES: dict[str, tuple[dict[str, Any], dict[str, list[str]]]] = {
    "withdrawing": ({"state": State.DRAFT}, EVERYTHING),
    "review": ({"state": State.IN_REVIEW}, EVERYTHING),
    "rescheduling": (
        {"publish_at_0": TOMORROW.strftime("%Y-%m-%d"), "publish_at_1": "12:00:00"},
        EVERYTHING,
    ),
    "another heading": (
        {"body_en": "## There"},
        {
            "Linking": [
                f"Body, English, line 3: [b](/blog/x#here) leads to /blog/x#here, {NO_PLACE}",
            ]
        },
    ),
    "emptying the Vietnamese": (
        {"title_vi": "", "excerpt_vi": "", "body_vi": ""},
        {"Linking": EVERYTHING["Linking"][2:]},
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_form_lists_what_breaks_and_saves_after_a_second_yes(editor: Client, change: str) -> None:
    typed, places = CHANGES[change]
    post = make_linked()
    before = values(post)

    asked = save(editor, post, **typed)

    assert listed(asked) == places
    count = sum(map(len, places.values()))
    assert (
        f"Nothing has been saved. This change breaks {count} place" in errors(asked)["__all__"][0]
    )
    assert values(post) == before
    html = asked.content.decode()
    assert f'name="{CONFIRMED}"' in html
    assert form_of(Post.objects.get(slug="linking")) in html
    kept = asked.context["adminform"].form.data
    assert {name: kept[name] for name in typed} == typed

    assert save(editor, post, **typed, **yes(asked)).status_code == 302
    assert values(post) != before


def test_renaming_breaks_nothing_as_the_old_address_redirects(editor: Client) -> None:
    post = make_linked()

    assert save(editor, post, slug="y").status_code == 302


def test_what_was_broken_before_and_what_only_drafts_link_to_are_not_asked_for(
    editor: Client,
) -> None:
    make_linked()
    alone = rows.make_post(slug="alone")
    rows.make_post(slug="another-draft", body_en="[a](/blog/alone)", state=State.DRAFT)

    assert save(editor, alone, state=State.DRAFT).status_code == 302


def test_a_yes_to_another_list_is_no_yes(editor: Client) -> None:
    post = make_linked()
    told = yes(save(editor, post, state=State.DRAFT))
    rows.make_post(slug="more", title_en="More", body_en="[a](/blog/x)")

    asked = save(editor, post, state=State.DRAFT, **told)

    assert listed(asked).keys() == {"Linking", "Entry", "More"}
    assert Post.objects.get(slug="x").state == State.PUBLISHED


def test_an_ended_former_slug_breaks_the_links_to_it(editor: Client) -> None:
    post = make_linked()
    save(editor, post, slug="y")
    former = FormerPostSlug.objects.get(slug="x")
    form = form_of(post)
    typed = as_sent(editor.get(form)) | {"former_slugs-0-DELETE": "on"}

    asked = editor.post(form, typed)

    assert listed(asked) == EVERYTHING
    assert editor.post(form, typed | yes(asked)).status_code == 302
    assert not FormerPostSlug.objects.filter(pk=former.pk).exists()


def test_an_app_is_missed_by_its_posts_and_topics(editor: Client) -> None:
    app = rows.make_app(name="An App")
    rows.make_post(title_en="About it", app=app)
    rows.make_topic(name_en="In it").apps.add(app)
    rows.make_post(slug="b", app=app, state=State.DRAFT)

    asked = save(editor, app, state=State.DRAFT)

    lost = ["“An App” will no longer be shown with it."]
    assert listed(asked) == {"About it": lost, "In it": lost}
    assert "a freeze publishes nothing" not in errors(asked)["__all__"][0]


def test_a_topic_page_goes_with_its_tag(editor: Client) -> None:
    tag = Tag.objects.create(slug="sound", name_en="Sound")
    rows.make_post(title_en="Linking", body_en="[t](/blog/tags/sound)").tags.add(tag)

    asked = save(editor, tag, slug="noise")

    assert listed(asked) == {
        "Linking": [
            f"Body, English, line 1: [t](/blog/tags/sound) leads to /blog/tags/sound, {NOTHING}"
        ]
    }


def test_the_place_of_a_problem_type_is_needed_by_the_program(editor: Client) -> None:
    page = rows.make_page(slug="docs-problems", body_en="## Rate limit exceeded")

    asked = save(editor, page, body_en="## Too many requests")

    assert listed(asked) == {
        "The site itself": [
            "Answers of the site and of the API link to /docs/problems#rate-limit-exceeded."
        ]
    }


def chosen(action: str, *posts: Model) -> dict[str, Any]:
    return {"action": action, "_selected_action": [post.pk for post in posts]}


@pytest.mark.parametrize(
    ("action", "after"),
    [
        ("withdraw_to_draft", {State.DRAFT}),
        ("send_to_review", {State.IN_REVIEW}),
        ("delete_selected", set()),
    ],
)
def test_an_action_on_a_list_asks_first(editor: Client, action: str, after: set[str]) -> None:
    post, other = make_linked(), rows.make_post(slug="other")
    page, picked = address(Post, "changelist"), chosen(action, post, other)

    asked = editor.post(page, picked)

    assert listed(asked) == EVERYTHING
    assert set(states(post, other)) == {State.PUBLISHED}
    hidden = asked.context["hidden"]
    names = {name for name, _ in hidden}
    again = {name: [value for key, value in hidden if key == name] for name in names}
    assert editor.post(page, again | yes(asked)).status_code == 302
    assert set(states(post, other)) == after


def states(*posts: Model) -> list[str]:
    rows_of = Post.objects.filter(pk__in=[post.pk for post in posts])
    return list(rows_of.values_list("state", flat=True))


def test_rows_that_go_together_are_not_missed_by_each_other(editor: Client) -> None:
    one = rows.make_post(slug="one", body_en="[two](/blog/two)")
    two = rows.make_post(slug="two", body_en="[one](/blog/one)")

    page = editor.post(address(Post, "changelist"), chosen("withdraw_to_draft", one, two))

    assert page.status_code == 302
    assert states(one, two) == [State.DRAFT] * 2


@pytest.mark.parametrize("make", [rows.make_app, rows.make_post])
def test_deleting_asks_first(editor: Client, make: Any) -> None:
    row = make(slug="x")
    english = "/apps/x" if isinstance(row, App) else "/blog/x"
    rows.make_post(slug="linking", title_en="Linking", body_en=f"[x]({english})")
    page = address(type(row), "delete", row.pk)

    asked = editor.get(page)

    reason = f"Body, English, line 1: [x]({english}) leads to {english}, {NOTHING}"
    assert listed(asked) == {"Linking": [reason]}
    assert listed(editor.post(page, {"post": "yes"})) == {"Linking": [reason]}
    assert values(row)
    assert editor.post(page, {"post": "yes"} | yes(asked)).status_code == 302
    assert not values(row)


def test_deleting_a_standing_page_asks_first(editor: Client) -> None:
    page = rows.make_page(slug="docs-api")
    rows.make_entry(title_en="Entry")
    admin_rows.make_link(entry=TimelineEntry.objects.get(), href="/docs/api")

    asked = editor.get(address(Page, "delete", page.pk))

    assert listed(asked) == {
        "The site itself": ["Answers of the site and of the API link to /docs/api."],
        "Entry": ["Address: “/docs/api” will be left out."],
    }


def test_what_nobody_links_to_is_deleted_as_ever(editor: Client) -> None:
    post = rows.make_post()
    page = address(Post, "delete", post.pk)

    assert "breaking" not in editor.get(page).context
    assert editor.post(page, {"post": "yes"}).status_code == 302


def test_trying_a_deletion_changes_nothing(editor: Client) -> None:
    post = make_linked()
    post.tags.add(Tag.objects.create(slug="t", name_en="T"))
    before = [list(model._default_manager.values()) for model in (Post, Tag, TimelineEntry)]

    editor.get(address(Post, "delete", post.pk))

    assert [list(m._default_manager.values()) for m in (Post, Tag, TimelineEntry)] == before
    assert post.tags.count() == 1
