"""A dead link is refused at its field; a change that breaks links of other texts is confirmed."""

from collections import defaultdict
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db.models import Model
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from catalogue import rules
from catalogue.models import App, FormerPostSlug, Post, State, Tag, TimelineEntry
from site_mirror.desk import links as linking
from tests import factories
from tests.admin_pages import admin_address, form_address, form_data, form_errors, save_form
from tests.factories import list_content_tables

pytestmark = pytest.mark.django_db

ROOT = settings.SITE_ROOT
BREAKS = "This would break a link. "
NOTHING = "where nothing is published."
NO_PLACE = "a place that is not there."
NOT_PUBLIC = "is not on the public internet."
TRANSLATED = {"title_vi": "Bài", "excerpt_vi": "Một câu. Hai câu.", "body_vi": "## Nơi này"}


def read_values(row: Model) -> Any:
    return type(row)._default_manager.filter(pk=row.pk).values().first()


def save_refused(editor: Client, row: Model, **typed: Any) -> dict[str, list[str]]:
    """Send a form that must be refused and change nothing; return its errors."""
    before = read_values(row)
    page = save_form(editor, row, **typed)
    assert page.status_code == 200, "the form was accepted"
    assert read_values(row) == before
    return form_errors(page)


def save_accepted(editor: Client, row: Model, **typed: Any) -> None:
    page = save_form(editor, row, **typed)
    assert page.status_code == 302, form_errors(page)
    row.refresh_from_db()


@pytest.mark.parametrize(
    ("link", "target", "reason"),
    [
        ("[guide](/apps/nope)", "/apps/nope", f"leads to /apps/nope, {NOTHING}"),
        ("[guide](nope)", "nope", f"leads to /blog/nope, {NOTHING}"),
        (f"<{ROOT}/nope>", f"{ROOT}/nope", f"leads to /nope, {NOTHING}"),
        ("![a](/images/echo.png)", "/images/echo.png", f"leads to /images/echo.png, {NOTHING}"),
        ("![a](/images/a%2Db.webp)", "/images/a-b.webp", f"leads to /images/a-b.webp, {NOTHING}"),
        ("![a drawing](/about)", "/about", "leads to /about, which is not an image."),
        ("[there](/about#nope)", "/about#nope", f"leads to /about#nope, {NO_PLACE}"),
        ("[below](#nope)", "#nope", f"leads to /blog/a-post#nope, {NO_PLACE}"),
        ("[it](/vi/blog/a-post)", "/vi/blog/a-post", f"leads to /vi/blog/a-post, {NOTHING}"),
        ("[it](http://localhost/x)", "http://localhost/x", f"leads to a host that {NOT_PUBLIC}"),
        (f"[it]({ROOT}\\nope)", f"{ROOT}\\nope", "has no host that can be read."),
    ],
)
def test_each_dead_link_of_an_article_is_named_with_its_line(
    editor: Client, link: str, target: str, reason: str
) -> None:
    factories.make_page(slug="about", body_en="## A place")
    factories.make_image(slug="a-b")
    text = f"[a](/a)\r\n\r\nSee {link}"

    found = save_refused(editor, factories.make_post(), body_en=text)

    first = f"Line 1: “/a” leads to /a, {NOTHING}"
    assert found == {"body_en": [first, f"Line 3: “{target}” {reason}"]}


URI = f"{ROOT}/nope"
COLUMNS = [
    (factories.make_app, "tagline_en", f"See {URI}.", f"“{URI}” leads to /nope, {NOTHING}"),
    (
        factories.make_app,
        "description_en",
        f"One.\n\nSee ({URI}).",
        f"Line 3: “{URI}” leads to /nope, {NOTHING}",
    ),
    (
        factories.make_app,
        "app_store",
        "http://192.168.1.4/app",
        "“http://192.168.1.4/app” leads to a host that is not on the public internet.",
    ),
    (factories.make_studio, "security_policy", "/nope", f"“/nope” leads to /nope, {NOTHING}"),
    (
        factories.make_translated_post,
        "body_vi",
        "Một.\n[b](/vi/apps/b)",
        f"Line 2: “/vi/apps/b” leads to /vi/apps/b, {NOTHING}",
    ),
    (factories.make_studio, "github", URI, f"“{URI}” leads to /nope, {NOTHING}"),
    (
        factories.make_page,
        "body_en",
        "[x]({site}/nope), [y]({site}/robots.txt)",
        f"Line 1: “{URI}” leads to /nope, {NOTHING}",
    ),
]


@pytest.mark.parametrize(("make", "column", "text", "message"), COLUMNS)
def test_a_dead_link_in_any_column_is_named(
    editor: Client, make: Any, column: str, text: str, message: str
) -> None:
    assert save_refused(editor, make(), **{column: text}) == {column: [message]}


def test_every_column_for_paths_is_checked() -> None:
    patterns = (rules.PATH_OR_WEB_ADDRESS, rules.CONTACT, rules.PATH_OR_SECURE_ADDRESS)
    messages = {rules.PATTERN_MESSAGES[pattern] for pattern in patterns}
    found = {
        constraint.field
        for model in list_content_tables()
        for constraint in model._meta.constraints
        if isinstance(constraint, rules.Rule) and constraint.violation_error_message in messages
    }

    assert found == linking.ADDRESS_COLUMNS


def test_a_new_milestone_with_a_dead_link_is_refused_at_the_field_of_the_link(
    editor: Client,
) -> None:
    form = admin_address(TimelineEntry, "add")
    typed = form_data(editor.get(form)) | {
        "title_en": "T",
        "slug": "t",
        "date": "2021",
        "subject": "studio",
        "state": "published",
        "links-TOTAL_FORMS": "2",
        "links-0-position": "0",
        "links-1-position": "1",
        "links-0-label_en": "L",
        "links-0-href": "https://elsewhere.example/",
        "links-1-label_en": "L",
        "links-1-href": "/nope",
    }

    page = editor.post(form, typed)

    assert page.status_code == 200
    assert page.context["inline_admin_formsets"][0].formset.errors == [
        {},
        {"href": [f"“/nope” leads to /nope, {NOTHING}"]},
    ]
    assert not TimelineEntry.objects.exists()


def test_a_dead_link_of_an_inline_is_named_beside_other_faults(editor: Client) -> None:
    link = factories.make_link()
    typed = {"title_en": "", "links-0-href": "/nope"}

    page = save_form(editor, link.entry, **typed)

    assert {
        (fault["id"], fault["text"].rpartition("leads")[2]) for fault in page.context["faults"]
    } == {("id_title_en", "This field is required."), ("id_links-0-href", f" to /nope, {NOTHING}")}
    assert page.context["inline_admin_formsets"][0].formset.errors[0].keys() == {"href"}


def test_a_draft_may_have_dead_links_until_it_is_published(editor: Client) -> None:
    post = factories.make_post(state=State.DRAFT, publish_at=None)
    save_accepted(editor, post, body_en="[x](/nope)")

    assert save_refused(editor, post, state=State.PUBLISHED).keys() == {"body_en"}


def test_a_row_may_link_to_itself_and_to_its_own_new_address(editor: Client) -> None:
    post = factories.make_post(state=State.DRAFT)
    text = "## A place\n\n[here](#a-place), [self](/blog/b#a-place), [old](/blog/a-post), [it](b)"

    save_accepted(editor, post, body_en="x", state=State.PUBLISHED)
    save_accepted(editor, post, slug="b", body_en=text)


def test_links_are_judged_at_the_moment_at_which_the_row_appears(editor: Client) -> None:
    soon, later = timezone.now() + timedelta(days=1), timezone.now() + timedelta(days=2)
    factories.make_app(slug="x", publish_at=soon)
    post = factories.make_post(state=State.DRAFT, publish_at=None)
    moment = {"publish_at_0": later.strftime("%Y-%m-%d"), "publish_at_1": "12:00:00"}
    typed = {"body_en": "[x](/apps/x)", "state": State.PUBLISHED}

    assert save_refused(editor, post, **typed).keys() == {"body_en"}
    save_accepted(editor, post, **typed, **moment)


def read_breaking(page: HttpResponse) -> dict[str, list[str]]:
    """Return the broken links that a page lists, by the title of the row."""
    context: Any = page.context  # type: ignore[attr-defined]
    assert page.status_code == 200, "nothing was asked"
    broken = defaultdict(list)
    for fault in context["faults"]:
        if fault.get("form"):
            broken[fault["label"]].append(fault["text"].removeprefix(BREAKS))
            assert fault["form"] in page.content.decode()
    return dict(broken)


def make_linked_post() -> Post:
    """Create a post, and rows that link to it in every possible way."""
    post = factories.make_post(slug="zq", title_en="X", body_en="## Here", **TRANSLATED)
    post.tags.add(Tag.objects.create(slug="sound", name_en="Sound"))
    factories.make_post(
        slug="linking",
        title_en="Linking",
        body_en="[a](/blog/zq)\n\n[b](/blog/zq#here)",
        **TRANSLATED | {"body_vi": "[c](/vi/blog/zq) [d](/vi/blog/zq#noi-nay)"},
        publish_at=factories.NOW - timedelta(days=500),
    )
    entry = factories.make_entry(title_en="Entry")
    factories.make_link(entry=entry, href="/blog/zq")
    factories.make_topic(name_en="Topic", explanation_en=f"See {ROOT}/blog/tags/sound.")
    factories.make_studio(security_policy=f"/blog/years/{post.publish_at.year}")
    factories.make_post(slug="draft", body_en="[a](/blog/zq)", state=State.DRAFT)
    factories.make_post(
        slug="dead",
        title_en="Dead",
        body_en="[a](/nope) [x](/blog/zq/nope)",
        publish_at=factories.NOW - timedelta(days=500),
    )
    return post


YEAR = f"/blog/years/{factories.PAST.year}"
FROM_ARTICLES = {
    "Linking": [
        f"Body, English. Line 1: “/blog/zq” leads to /blog/zq, {NOTHING}",
        f"Body, English. Line 3: “/blog/zq#here” leads to /blog/zq, {NOTHING}",
        f"Body, Vietnamese. Line 1: “/vi/blog/zq” leads to /vi/blog/zq, {NOTHING}",
        f"Body, Vietnamese. Line 1: “/vi/blog/zq#noi-nay” leads to /vi/blog/zq, {NOTHING}",
    ]
}
"""The milestone is not among them: it is shown without its link."""
EVERYTHING = FROM_ARTICLES | {
    "Topic": [
        (
            f"Explanation, English. Line 1: “{ROOT}/blog/tags/sound” leads to /blog/tags/sound, "
            f"{NOTHING}"
        )
    ],
    "A Studio": [f"Security policy. “{YEAR}” leads to {YEAR}, {NOTHING}"],
}
TOMORROW = timezone.now() + timedelta(days=1)
CHANGES: dict[str, tuple[dict[str, Any], dict[str, list[str]]]] = {
    "withdrawing": ({"state": State.DRAFT}, EVERYTHING),
    "rescheduling": (
        {"publish_at_0": TOMORROW.strftime("%Y-%m-%d"), "publish_at_1": "12:00:00"},
        EVERYTHING,
    ),
    "another heading": (
        {"body_en": "## There"},
        {"Linking": [f"Body, English. Line 3: “/blog/zq#here” leads to /blog/zq#here, {NO_PLACE}"]},
    ),
    "emptying the Vietnamese": (
        {"title_vi": "", "excerpt_vi": "", "body_vi": ""},
        {"Linking": FROM_ARTICLES["Linking"][2:]},
    ),
    "another tag": ({"tags": []}, {"Topic": EVERYTHING["Topic"]}),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_form_that_breaks_links_is_refused_and_lists_them(editor: Client, change: str) -> None:
    typed, broken = CHANGES[change]
    post = make_linked_post()
    before = read_values(post)

    asked = save_form(editor, post, **typed)

    assert read_breaking(asked) == broken
    assert (read_values(post), post.tags.count()) == (before, 1)
    kept = asked.context["adminform"].form.data
    assert {name: kept.getlist(name) for name in typed} == {
        name: value if isinstance(value, list) else [value] for name, value in typed.items()
    }


def test_renaming_is_saved_because_the_old_address_redirects(editor: Client) -> None:
    post = make_linked_post()

    save_accepted(editor, post, slug="y")
    form = form_address(post)
    typed = form_data(editor.get(form)) | {"former_slugs-0-DELETE": "on"}
    asked = editor.post(form, typed)

    assert read_breaking(asked) == FROM_ARTICLES, "nothing redirects any more"
    assert FormerPostSlug.objects.get().owner == post


def test_a_change_that_breaks_no_link_is_saved(editor: Client) -> None:
    make_linked_post()
    alone = factories.make_post(slug="alone")
    factories.make_post(slug="another-draft", body_en="[a](/blog/alone)", state=State.DRAFT)

    save_accepted(editor, alone, state=State.DRAFT)


def test_links_between_rows_that_are_deleted_together_are_not_listed(editor: Client) -> None:
    one = factories.make_post(slug="one", body_en="[two](/blog/two)")
    two = factories.make_post(slug="two", body_en="[one](/blog/one)")
    chosen = {"action": "delete_selected", "_selected_action": [one.pk, two.pk], "post": "yes"}

    assert editor.post(admin_address(Post, "changelist"), chosen).status_code == 302
    assert not Post.objects.exists()


def test_the_pages_that_confirm_a_deletion_say_where_readers_find_the_row(editor: Client) -> None:
    post = factories.make_translated_post(slug="x")
    picked = {"action": "delete_selected", "_selected_action": post.pk}

    for asked in (
        editor.get(admin_address(Post, "delete", post.pk)),
        editor.post(admin_address(Post, "changelist"), picked),
    ):
        assert "Live: /blog/x · EN, VI" in asked.content.decode()
    draft = factories.make_post(slug="draft", state=State.DRAFT)
    asked = editor.get(admin_address(Post, "delete", draft.pk))
    assert "Readers do not see it." in asked.content.decode()


@pytest.mark.parametrize("make", [factories.make_app, factories.make_post])
def test_a_deletion_that_breaks_links_is_refused_and_lists_them(editor: Client, make: Any) -> None:
    row = make(slug="x")
    english = "/apps/x" if isinstance(row, App) else "/blog/x"
    factories.make_post(slug="linking", title_en="Linking", body_en=f"[x]({english})")
    page, before = admin_address(type(row), "delete", row.pk), read_values(row)
    picked = {"action": "delete_selected", "_selected_action": row.pk}
    broken = (
        f"“Linking” has a link. Body, English. Line 1: “{english}” leads to {english}, {NOTHING}"
    )

    picked_from, confirmed = admin_address(type(row), "changelist"), {"post": "yes"}
    for asked in (editor.get(page), editor.post(picked_from, picked)):
        link = form_address(Post.objects.get(slug="linking"))
        assert f'<a href="{link}">{escape(broken)}</a>' in asked.content.decode()
    for sent in (editor.post(page, {"post": "yes"}), editor.post(picked_from, picked | confirmed)):
        assert escape(broken) in sent.content.decode()
    assert read_values(row) == before

    Post.objects.get(slug="linking").delete()
    done = editor.post(page, {"post": "yes"}, follow=True)
    assert "Readers do not see it any more" in str(next(iter(done.context["messages"])))
    assert not read_values(row)


@pytest.mark.parametrize("route", ["delete", "changelist"])
def test_an_author_is_not_deleted_while_an_article_names_them(editor: Client, route: str) -> None:
    author = factories.make_team_member(handle="thao")
    factories.make_page(slug="about")
    article = factories.make_post(author=author)
    linking = factories.make_post(slug="linking", body_en="[x](/about#person_thao)")
    page = admin_address(type(author), route, *([author.pk] if route == "delete" else []))
    chosen = {"action": "delete_selected", "_selected_action": [author.pk], "post": "yes"}

    refused = editor.post(page, chosen)

    assert refused.status_code == 200
    for needed in (article, linking):
        assert f'href="{form_address(needed)}"' in refused.content.decode()
    article.delete()
    linking.delete()
    assert editor.post(page, chosen).status_code == 302
    assert not read_values(author)


def test_what_another_short_name_would_break_is_told_while_it_is_written(editor: Client) -> None:
    member = factories.make_team_member(handle="thao")
    factories.make_page(slug="about")
    linking = factories.make_post(title_en="Linking", body_en="[x](/about#person_thao)")
    data = form_data(editor.get(form_address(member))) | {"handle": "thao2"}

    found = editor.post(admin_address(type(member), "check", member.pk), data).json()

    [fault] = found["faults"]
    assert "This would break a link." in fault["text"]
    assert (fault["label"], fault["form"]) == ("Linking", form_address(linking))


@pytest.mark.parametrize(
    ("invalid", "named"),
    [
        ({"slug": "No Slug"}, ["slug"]),
        ({"title_en": "", "excerpt_en": ""}, ["title_en", "excerpt_en"]),
        ({"title_vi": "Bài", "excerpt_vi": "Một."}, ["body_vi"]),
    ],
)
def test_one_answer_names_the_faults_of_a_form_and_what_its_other_parts_break(
    editor: Client, invalid: dict[str, str], named: list[str]
) -> None:
    post = factories.make_post(slug="zq", title_en="X", body_en="## Here")
    post.tags.add(Tag.objects.create(slug="sound", name_en="Sound"))
    text = "[a](/blog/zq#here) [b](/blog/tags/sound)"
    factories.make_post(slug="linking", title_en="Linking", body_en=text)

    typed = {"body_en": "[here](#here)", "tags": []} | invalid
    page = save_form(editor, post, **typed)

    own = [(fault["name"], fault["text"].endswith(NO_PLACE)) for fault in page.context["faults"]]
    assert own[:-2] == [*((name, False) for name in named), ("body_en", True)]
    assert len(read_breaking(page)["Linking"]) == 2


def test_a_new_article_with_a_fault_hears_of_dead_places_of_its_own(editor: Client) -> None:
    address = admin_address(Post, "add")
    text = "[x](#here) [y](#nowhere)\n\n## Here"
    data = form_data(editor.get(address)) | {"slug": "no slug", "body_en": text, "_publish": "1"}

    faults = editor.post(address, data).context["faults"]

    named = {fault["name"]: fault["text"] for fault in faults}
    assert {"slug", "title_en", "excerpt_en", "body_en"} <= named.keys()
    assert [each["text"] for each in faults if "#here" in each["text"]] == []
    assert named["body_en"].endswith(NO_PLACE)


def test_a_section_that_an_article_leaves_is_told(editor: Client) -> None:
    post = factories.make_post(app=factories.make_app(slug="zapp"))
    factories.make_post(slug="b", title_en="Linking", body_en="[x](/apps/zapp#articles_)")

    page = save_form(editor, post, app="")

    assert [*read_breaking(page)] == ["Linking"]


def test_a_year_is_that_of_the_time_zone_of_the_studio(editor: Client) -> None:
    new_year = datetime.fromisoformat("2015-01-01T01:00:00+07:00")
    post = factories.make_post(publish_at=new_year)
    factories.make_post(slug="b", title_en="Linking", body_en="[x](/blog/years/2015)")

    page = save_form(editor, post, publish_at_0="2014-12-01", publish_at_1="12:00:00")

    assert [*read_breaking(page)] == ["Linking"]


def test_a_new_row_that_moves_another_off_a_list_is_told(editor: Client) -> None:
    factories.make_studio()
    factories.make_page(slug="home")
    for day in (1, 2, 3):
        factories.make_entry(slug=f"day-{day}", date=f"2026-01-0{day}")
    factories.make_post(title_en="Linking", body_en="[x](/#day-1)")
    address = admin_address(TimelineEntry, "add")
    data = form_data(editor.get(address)) | {
        "title_en": "Later",
        "slug": "later",
        "date": "2026-02-01",
        "subject": "studio",
        "_publish": "1",
    }

    page = editor.post(address, data)

    assert [*read_breaking(page)] == ["Linking"]
    assert not TimelineEntry.objects.filter(slug="later").exists()


def test_a_standing_page_cannot_be_deleted(editor: Client) -> None:
    page = factories.make_page(slug="docs-api")

    assert editor.post(form_address(page).replace("change", "delete"), {}).status_code == 403
