"""A link that leads nowhere is refused at its field when its row becomes public."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db.models import Model
from django.test import Client
from django.utils import timezone

from catalogue import linking, rules
from catalogue.models import Post, State, TimelineEntry
from tests import factories
from tests.admin_pages import admin_address, form_data, form_errors, run_action, save_form
from tests.catalogue.every_model import list_content_tables

pytestmark = pytest.mark.django_db

ROOT = settings.SITE_ROOT
NOTHING = "where nothing is published."
TRANSLATED = {"title_vi": "Bài", "excerpt_vi": "Một câu. Hai câu.", "body_vi": "Nội dung."}


def save_refused(editor: Client, row: Model, **typed: Any) -> dict[str, list[str]]:
    """Send a form that must be refused and change nothing; return its errors."""
    before = type(row)._default_manager.filter(pk=row.pk).values().get()
    page = save_form(editor, row, **typed)
    assert page.status_code == 200, "the form was accepted"
    assert type(row)._default_manager.filter(pk=row.pk).values().get() == before
    return form_errors(page)


def save_accepted(editor: Client, row: Model, **typed: Any) -> None:
    page = save_form(editor, row, **typed)
    assert page.status_code == 302, form_errors(page)
    row.refresh_from_db()


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("[guide](/apps/nope)", f"leads to /apps/nope, {NOTHING}"),
        ("[guide](nope)", f"leads to /blog/nope, {NOTHING}"),
        (f"<{ROOT}/nope>", f"leads to /nope, {NOTHING}"),
        ("![a drawing](/images/echo.png)", f"leads to /images/echo.png, {NOTHING}"),
        ("![a drawing](/about)", "leads to /about, which is not an image."),
        ("[there](/about#nope)", "leads to /about#nope, a place that is not there."),
        ("[below](#nope)", "leads to /blog/a-post#nope, a place that is not there."),
        ("[it](/vi/blog/a-post)", f"leads to /vi/blog/a-post, {NOTHING}"),
        ("[it](http://localhost/x)", "leads to a host that is not on the public internet."),
        ("[it](https:/apps/nope)", "has no host that can be read."),
        ("[it](https://256.1.1.1/)", "has no host that can be read."),
        ("[it](https://elsewhere.example:99999/)", "has no host that can be read."),
        (f"[it]({ROOT}\\nope)", "has no host that can be read."),
        ("[it][x]\n\n[x]: /nope", f"leads to /nope, {NOTHING}"),
    ],
)
def test_a_dead_link_of_an_article_is_named_with_its_line(
    editor: Client, link: str, reason: str
) -> None:
    factories.make_page(slug="about", body_en="## A place")
    post = factories.make_post()
    written = link.partition("\n")[0]

    found = save_refused(editor, post, body_en=f"A line.\r\n\r\nSee {link}")

    assert found == {"body_en": [f"Line 3: {written} {reason}"]}


def test_both_languages_and_every_link_are_named(editor: Client) -> None:
    post = factories.make_post(**TRANSLATED)

    found = save_refused(editor, post, body_en="[a](/a)\r\n[b](/b)", body_vi="[c](/vi/apps/c)")

    assert found == {
        "body_en": [
            f"Line 1: [a](/a) leads to /a, {NOTHING}",
            f"Line 2: [b](/b) leads to /b, {NOTHING}",
        ],
        "body_vi": [f"Line 1: [c](/vi/apps/c) leads to /vi/apps/c, {NOTHING}"],
    }


def test_a_dead_absolute_link_of_a_standing_page_is_named(editor: Client) -> None:
    page = factories.make_page(slug="about")

    found = save_refused(editor, page, body_en="[x]({site}/nope), [y]({site}/about)")

    assert found == {"body_en": [f"Line 1: [x]({ROOT}/nope) leads to /nope, {NOTHING}"]}


@pytest.mark.parametrize(
    ("make", "column", "text", "message"),
    [
        (
            factories.make_app,
            "tagline_en",
            f"See {ROOT}/nope.",
            f"“{ROOT}/nope” leads to /nope, {NOTHING}",
        ),
        (
            factories.make_app,
            "description_en",
            f"One.\n\nSee ({ROOT}/nope).",
            f"Line 3: “{ROOT}/nope” leads to /nope, {NOTHING}",
        ),
        (
            factories.make_app,
            "app_store",
            "http://192.168.1.4/app",
            "“http://192.168.1.4/app” leads to a host that is not on the public internet.",
        ),
        (
            factories.make_principle,
            "statement_en",
            f"{ROOT}/nope",
            f"Line 1: “{ROOT}/nope” leads to /nope, {NOTHING}",
        ),
        (factories.make_studio, "security_policy", "/nope", f"“/nope” leads to /nope, {NOTHING}"),
        (
            factories.make_studio,
            "github",
            f"{ROOT}/nope",
            f"“{ROOT}/nope” leads to /nope, {NOTHING}",
        ),
    ],
)
def test_a_dead_link_in_a_column_of_addresses_is_named(
    editor: Client, make: Any, column: str, text: str, message: str
) -> None:
    assert save_refused(editor, make(), **{column: text}) == {column: [message]}


def test_the_link_of_a_milestone_is_named_at_its_field(editor: Client) -> None:
    entry = factories.make_entry()
    factories.make_link(entry=entry, href="https://elsewhere.example/a")
    form = admin_address(TimelineEntry, "change", entry.pk)
    typed = form_data(editor.get(form)) | {"links-0-href": "/apps/nope"}

    page = editor.post(form, typed)

    inline = page.context["inline_admin_formsets"][0].formset
    assert inline.forms[0].errors == {"href": [f"“/apps/nope” leads to /apps/nope, {NOTHING}"]}
    assert entry.links.get().href == "https://elsewhere.example/a"


def test_a_new_milestone_with_a_dead_link_is_not_saved(editor: Client) -> None:
    form = admin_address(TimelineEntry, "add")
    typed = form_data(editor.get(form)) | {
        "title_en": "T",
        "slug": "t",
        "date": "2021",
        "subject": "studio",
        "state": "published",
        "links-TOTAL_FORMS": "1",
        "links-0-label_en": "L",
        "links-0-href": "/nope",
        "links-0-position": "0",
    }

    page = editor.post(form, typed)

    assert page.status_code == 200
    assert page.context["inline_admin_formsets"][0].formset.forms[0].errors["href"]
    assert not TimelineEntry.objects.exists()


def test_a_draft_may_have_dead_links_until_it_is_published(editor: Client) -> None:
    post = factories.make_post(state=State.DRAFT, publish_at=None)
    save_accepted(editor, post, body_en="[x](/nope)")
    save_accepted(editor, post, state=State.IN_REVIEW)

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

    assert save_refused(editor, post, body_en="[x](/apps/x)", state=State.PUBLISHED).keys() == {
        "body_en"
    }
    save_accepted(editor, post, body_en="[x](/apps/x)", state=State.PUBLISHED, **moment)


def test_the_action_publishes_rows_that_link_to_each_other(editor: Client) -> None:
    one = factories.make_post(slug="one", body_en="[two](/blog/two)", state=State.DRAFT)
    two = factories.make_post(slug="two", body_en="[one](one)", state=State.DRAFT)

    assert run_action(editor, "publish_now", one)[0].startswith("Nothing was changed: 1 of 1")
    assert run_action(editor, "publish_now", one, two) == ["Published: 2 posts."]


def test_the_action_names_the_link_and_publishes_nothing(editor: Client) -> None:
    fine = factories.make_post(slug="fine", state=State.DRAFT)
    dead = factories.make_post(
        slug="dead", title_en="Dead", body_en="[x](/nope)", state=State.DRAFT
    )

    assert run_action(editor, "publish_now", fine, dead) == [
        "Nothing was changed: 1 of 2 cannot be saved as it is.",
        f"“Dead” is refused. Body, English, line 1: [x](/nope) leads to /nope, {NOTHING}",
    ]
    assert not Post.objects.published(at=timezone.now()).exists()


def test_every_column_of_addresses_is_checked() -> None:
    patterns = (
        rules.WEB_ADDRESS,
        rules.PATH_OR_WEB_ADDRESS,
        rules.CONTACT,
        rules.PATH_OR_SECURE_ADDRESS,
    )
    messages = {rules.PATTERN_MESSAGES[pattern] for pattern in patterns}
    found = {
        constraint.field
        for model in list_content_tables()
        for constraint in model._meta.constraints
        if isinstance(constraint, rules.Rule) and constraint.violation_error_message in messages
    }

    assert found == linking.ADDRESS_COLUMNS
