"""A change that breaks links of other texts lists them, and needs a confirmation."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Model
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from catalogue.admin.linking import CONFIRMATION_FIELD
from catalogue.models import App, FormerPostSlug, Page, Post, State, Tag, TimelineEntry
from tests import factories
from tests.admin_pages import admin_address, form_address, form_data, form_errors, save_form

pytestmark = pytest.mark.django_db

NOTHING = "where nothing is published."
NO_PLACE = "a place that is not there."
TRANSLATED = {"title_vi": "Bài", "excerpt_vi": "Một câu. Hai câu.", "body_vi": "## Nơi này"}


def read_breaking(page: HttpResponse) -> dict[str, list[str]]:
    """Return the broken links that a page lists, by the title of the row."""
    context: Any = page.context  # type: ignore[attr-defined]
    assert page.status_code == 200, "nothing was asked"
    return {group["title"]: group["words"] for group in context["breaking"]}


def make_confirmation(page: HttpResponse) -> dict[str, str]:
    context: Any = page.context  # type: ignore[attr-defined]
    return {CONFIRMATION_FIELD: context["breaking_seal"]}


def read_values(row: Model) -> Any:
    return type(row)._default_manager.filter(pk=row.pk).values().first()


def make_linked_post() -> Post:
    """Create a post, and rows that link to it in every possible way."""
    post = factories.make_post(slug="x", title_en="X", body_en="## Here", **TRANSLATED)
    factories.make_post(
        slug="linking",
        title_en="Linking",
        body_en="[a](/blog/x)\n\n[b](/blog/x#here)",
        **TRANSLATED | {"body_vi": "[c](/vi/blog/x) [d](/vi/blog/x#noi-nay)"},
    )
    entry = factories.make_entry(title_en="Entry")
    factories.make_link(entry=entry, href="/blog/x")
    factories.make_post(slug="draft", body_en="[a](/blog/x)", state=State.DRAFT)
    factories.make_post(slug="dead", title_en="Dead", body_en="[a](/nope)")
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


LIKE_WITHDRAWING = pytest.mark.exhaustive("the program treats it as it treats a withdrawal")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(change, marks=LIKE_WITHDRAWING if change == "review" else ())
        for change in CHANGES
    ],
)
def test_a_form_lists_broken_links_and_saves_after_a_confirmation(
    editor: Client, change: str
) -> None:
    typed, places = CHANGES[change]
    post = make_linked_post()
    before = read_values(post)

    asked = save_form(editor, post, **typed)

    assert read_breaking(asked) == places
    count = sum(map(len, places.values()))
    assert (
        f"Nothing has been saved. This change breaks {count} place"
        in form_errors(asked)["__all__"][0]
    )
    assert read_values(post) == before
    html = asked.content.decode()
    assert f'name="{CONFIRMATION_FIELD}"' in html
    assert form_address(Post.objects.get(slug="linking")) in html
    kept = asked.context["adminform"].form.data
    assert {name: kept[name] for name in typed} == typed

    assert save_form(editor, post, **typed, **make_confirmation(asked)).status_code == 302
    assert read_values(post) != before


def test_renaming_needs_no_confirmation_because_the_old_address_redirects(editor: Client) -> None:
    post = make_linked_post()

    assert save_form(editor, post, slug="y").status_code == 302


def test_links_that_are_broken_already_or_in_drafts_need_no_confirmation(
    editor: Client,
) -> None:
    make_linked_post()
    alone = factories.make_post(slug="alone")
    factories.make_post(slug="another-draft", body_en="[a](/blog/alone)", state=State.DRAFT)

    assert save_form(editor, alone, state=State.DRAFT).status_code == 302


def test_a_confirmation_of_another_list_is_not_accepted(editor: Client) -> None:
    post = make_linked_post()
    confirmation = make_confirmation(save_form(editor, post, state=State.DRAFT))
    factories.make_post(slug="more", title_en="More", body_en="[a](/blog/x)")

    asked = save_form(editor, post, state=State.DRAFT, **confirmation)

    assert read_breaking(asked).keys() == {"Linking", "Entry", "More"}
    assert Post.objects.get(slug="x").state == State.PUBLISHED


def test_deleting_a_former_slug_lists_the_links_to_it(editor: Client) -> None:
    post = make_linked_post()
    save_form(editor, post, slug="y")
    former = FormerPostSlug.objects.get(slug="x")
    form = form_address(post)
    typed = form_data(editor.get(form)) | {"former_slugs-0-DELETE": "on"}

    asked = editor.post(form, typed)

    assert read_breaking(asked) == EVERYTHING
    assert editor.post(form, typed | make_confirmation(asked)).status_code == 302
    assert not FormerPostSlug.objects.filter(pk=former.pk).exists()


def test_withdrawing_an_app_lists_its_posts_and_topics(editor: Client) -> None:
    app = factories.make_app(name="An App")
    factories.make_post(title_en="About it", app=app)
    factories.make_topic(name_en="In it").apps.add(app)
    factories.make_post(slug="b", app=app, state=State.DRAFT)

    asked = save_form(editor, app, state=State.DRAFT)

    lost = ["“An App” will no longer be shown with it."]
    assert read_breaking(asked) == {"About it": lost, "In it": lost}
    assert "a freeze publishes nothing" not in form_errors(asked)["__all__"][0]


def test_removing_a_tag_lists_the_links_to_its_page(editor: Client) -> None:
    tag = Tag.objects.create(slug="sound", name_en="Sound")
    factories.make_post(title_en="Linking", body_en="[t](/blog/tags/sound)").tags.add(tag)

    asked = save_form(editor, tag, slug="noise")

    assert read_breaking(asked) == {
        "Linking": [
            f"Body, English, line 1: [t](/blog/tags/sound) leads to /blog/tags/sound, {NOTHING}"
        ]
    }


def test_removing_the_section_of_a_problem_type_needs_a_confirmation(editor: Client) -> None:
    page = factories.make_page(slug="docs-problems", body_en="## Rate limit exceeded")

    asked = save_form(editor, page, body_en="## Too many requests")

    assert read_breaking(asked) == {
        "The site itself": [
            "Answers of the site and of the API link to /docs/problems#rate-limit-exceeded."
        ]
    }


def make_action(action: str, *posts: Model) -> dict[str, Any]:
    return {"action": action, "_selected_action": [post.pk for post in posts]}


@pytest.mark.parametrize(
    ("action", "after"),
    [
        ("withdraw_to_draft", {State.DRAFT}),
        pytest.param("send_to_review", {State.IN_REVIEW}, marks=LIKE_WITHDRAWING),
        ("delete_selected", set()),
    ],
)
def test_an_action_on_a_list_needs_a_confirmation(
    editor: Client, action: str, after: set[str]
) -> None:
    post, other = make_linked_post(), factories.make_post(slug="other")
    page, picked = admin_address(Post, "changelist"), make_action(action, post, other)

    asked = editor.post(page, picked)

    assert read_breaking(asked) == EVERYTHING
    assert set(read_states(post, other)) == {State.PUBLISHED}
    hidden = asked.context["hidden"]
    names = {name for name, _ in hidden}
    again = {name: [value for key, value in hidden if key == name] for name in names}
    assert editor.post(page, again | make_confirmation(asked)).status_code == 302
    assert set(read_states(post, other)) == after


def read_states(*posts: Model) -> list[str]:
    rows_of = Post.objects.filter(pk__in=[post.pk for post in posts])
    return list(rows_of.values_list("state", flat=True))


def test_links_between_rows_withdrawn_together_are_not_listed(editor: Client) -> None:
    one = factories.make_post(slug="one", body_en="[two](/blog/two)")
    two = factories.make_post(slug="two", body_en="[one](/blog/one)")

    page = editor.post(
        admin_address(Post, "changelist"), make_action("withdraw_to_draft", one, two)
    )

    assert page.status_code == 302
    assert read_states(one, two) == [State.DRAFT] * 2


@pytest.mark.parametrize("make", [factories.make_app, factories.make_post])
def test_a_deletion_needs_a_confirmation(editor: Client, make: Any) -> None:
    row = make(slug="x")
    english = "/apps/x" if isinstance(row, App) else "/blog/x"
    factories.make_post(slug="linking", title_en="Linking", body_en=f"[x]({english})")
    page = admin_address(type(row), "delete", row.pk)

    asked = editor.get(page)

    reason = f"Body, English, line 1: [x]({english}) leads to {english}, {NOTHING}"
    assert read_breaking(asked) == {"Linking": [reason]}
    assert read_breaking(editor.post(page, {"post": "yes"})) == {"Linking": [reason]}
    assert read_values(row)
    assert editor.post(page, {"post": "yes"} | make_confirmation(asked)).status_code == 302
    assert not read_values(row)


def test_deleting_a_standing_page_needs_a_confirmation(editor: Client) -> None:
    page = factories.make_page(slug="docs-api")
    factories.make_entry(title_en="Entry")
    factories.make_link(entry=TimelineEntry.objects.get(), href="/docs/api")

    asked = editor.get(admin_address(Page, "delete", page.pk))

    assert read_breaking(asked) == {
        "The site itself": ["Answers of the site and of the API link to /docs/api."],
        "Entry": ["Address: “/docs/api” will be left out."],
    }


def test_deleting_a_row_without_links_to_it_is_confirmed_once(editor: Client) -> None:
    post = factories.make_post()
    page = admin_address(Post, "delete", post.pk)

    assert "breaking" not in editor.get(page).context
    assert editor.post(page, {"post": "yes"}).status_code == 302


def test_listing_broken_links_of_a_deletion_changes_nothing(editor: Client) -> None:
    post = make_linked_post()
    post.tags.add(Tag.objects.create(slug="t", name_en="T"))
    before = [list(model._default_manager.values()) for model in (Post, Tag, TimelineEntry)]

    editor.get(admin_address(Post, "delete", post.pk))

    assert [list(m._default_manager.values()) for m in (Post, Tag, TimelineEntry)] == before
    assert post.tags.count() == 1
