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
from tests import admin_rows, rows
from tests.admin_pages import act, address, as_sent, errors, save
from tests.catalogue.makers import content_models

pytestmark = pytest.mark.django_db

ROOT = settings.SITE_ROOT
NOTHING = "where nothing is published."
TRANSLATED = {"title_vi": "Bài", "excerpt_vi": "Một câu. Hai câu.", "body_vi": "Nội dung."}


def refused(editor: Client, row: Model, **typed: Any) -> dict[str, list[str]]:
    """What the form says of a save that must change nothing."""
    before = type(row)._default_manager.filter(pk=row.pk).values().get()
    page = save(editor, row, **typed)
    assert page.status_code == 200, "the form was accepted"
    assert type(row)._default_manager.filter(pk=row.pk).values().get() == before
    return errors(page)


def accepted(editor: Client, row: Model, **typed: Any) -> None:
    page = save(editor, row, **typed)
    assert page.status_code == 302, errors(page)
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
        ("[it](http://localhost/x)", "leads to a machine that no reader reaches."),
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
    rows.make_page(slug="about", body_en="## A place")
    post = rows.make_post()
    written = link.partition("\n")[0]

    found = refused(editor, post, body_en=f"A line.\r\n\r\nSee {link}")

    assert found == {"body_en": [f"Line 3: {written} {reason}"]}


def test_both_languages_and_every_link_are_named(editor: Client) -> None:
    post = rows.make_post(**TRANSLATED)

    found = refused(editor, post, body_en="[a](/a)\r\n[b](/b)", body_vi="[c](/vi/apps/c)")

    assert found == {
        "body_en": [
            f"Line 1: [a](/a) leads to /a, {NOTHING}",
            f"Line 2: [b](/b) leads to /b, {NOTHING}",
        ],
        "body_vi": [f"Line 1: [c](/vi/apps/c) leads to /vi/apps/c, {NOTHING}"],
    }


def test_a_page_and_the_address_of_the_site_in_it(editor: Client) -> None:
    page = rows.make_page(slug="about")

    found = refused(editor, page, body_en="[x]({site}/nope), [y]({site}/about)")

    assert found == {"body_en": [f"Line 1: [x]({ROOT}/nope) leads to /nope, {NOTHING}"]}


@pytest.mark.parametrize(
    ("make", "column", "text", "message"),
    [
        (
            rows.make_app,
            "tagline_en",
            f"See {ROOT}/nope.",
            f"“{ROOT}/nope” leads to /nope, {NOTHING}",
        ),
        (
            rows.make_app,
            "description_en",
            f"One.\n\nSee ({ROOT}/nope).",
            f"Line 3: “{ROOT}/nope” leads to /nope, {NOTHING}",
        ),
        (
            rows.make_app,
            "app_store",
            "http://192.168.1.4/app",
            "“http://192.168.1.4/app” leads to a machine that no reader reaches.",
        ),
        (
            rows.make_principle,
            "statement_en",
            f"{ROOT}/nope",
            f"Line 1: “{ROOT}/nope” leads to /nope, {NOTHING}",
        ),
        (rows.make_studio, "security_policy", "/nope", f"“/nope” leads to /nope, {NOTHING}"),
        (rows.make_studio, "github", f"{ROOT}/nope", f"“{ROOT}/nope” leads to /nope, {NOTHING}"),
    ],
)
def test_other_columns_with_addresses(
    editor: Client, make: Any, column: str, text: str, message: str
) -> None:
    assert refused(editor, make(), **{column: text}) == {column: [message]}


def test_the_link_of_a_milestone_is_named_at_its_field(editor: Client) -> None:
    entry = rows.make_entry()
    admin_rows.make_link(entry=entry, href="https://elsewhere.example/a")
    form = address(TimelineEntry, "change", entry.pk)
    typed = as_sent(editor.get(form)) | {"links-0-href": "/apps/nope"}

    page = editor.post(form, typed)

    inline = page.context["inline_admin_formsets"][0].formset
    assert inline.forms[0].errors == {"href": [f"“/apps/nope” leads to /apps/nope, {NOTHING}"]}
    assert entry.links.get().href == "https://elsewhere.example/a"


def test_a_new_milestone_with_a_dead_link_is_not_saved(editor: Client) -> None:
    form = address(TimelineEntry, "add")
    typed = as_sent(editor.get(form)) | {
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
    post = rows.make_post(state=State.DRAFT, publish_at=None)
    accepted(editor, post, body_en="[x](/nope)")
    accepted(editor, post, state=State.IN_REVIEW)

    assert refused(editor, post, state=State.PUBLISHED).keys() == {"body_en"}


def test_a_row_may_link_to_itself_and_to_its_own_new_address(editor: Client) -> None:
    post = rows.make_post(state=State.DRAFT)
    text = "## A place\n\n[here](#a-place), [self](/blog/b#a-place), [old](/blog/a-post), [it](b)"

    accepted(editor, post, body_en="x", state=State.PUBLISHED)
    accepted(editor, post, slug="b", body_en=text)


def test_links_are_judged_at_the_moment_at_which_the_row_appears(editor: Client) -> None:
    soon, later = timezone.now() + timedelta(days=1), timezone.now() + timedelta(days=2)
    rows.make_app(slug="x", publish_at=soon)
    post = rows.make_post(state=State.DRAFT, publish_at=None)
    moment = {"publish_at_0": later.strftime("%Y-%m-%d"), "publish_at_1": "12:00:00"}

    assert refused(editor, post, body_en="[x](/apps/x)", state=State.PUBLISHED).keys() == {
        "body_en"
    }
    accepted(editor, post, body_en="[x](/apps/x)", state=State.PUBLISHED, **moment)


def test_the_action_publishes_rows_that_link_to_each_other(editor: Client) -> None:
    one = rows.make_post(slug="one", body_en="[two](/blog/two)", state=State.DRAFT)
    two = rows.make_post(slug="two", body_en="[one](one)", state=State.DRAFT)

    assert act(editor, "publish_now", one)[0].startswith("Nothing was changed: 1 of 1")
    assert act(editor, "publish_now", one, two) == ["Published: 2 posts."]


def test_the_action_names_the_link_and_publishes_nothing(editor: Client) -> None:
    fine = rows.make_post(slug="fine", state=State.DRAFT)
    dead = rows.make_post(slug="dead", title_en="Dead", body_en="[x](/nope)", state=State.DRAFT)

    assert act(editor, "publish_now", fine, dead) == [
        "Nothing was changed: 1 of 2 cannot be saved as it is.",
        f"“Dead” is refused. Body, English, line 1: [x](/nope) leads to /nope, {NOTHING}",
    ]
    assert not Post.objects.published(at=timezone.now()).exists()


def test_every_column_of_an_address_is_known() -> None:
    patterns = (
        rules.WEB_ADDRESS,
        rules.PATH_OR_WEB_ADDRESS,
        rules.CONTACT,
        rules.PATH_OR_SECURE_ADDRESS,
    )
    told = {rules.EXPLANATIONS[pattern] for pattern in patterns}
    found = {
        constraint.field
        for model in content_models()
        for constraint in model._meta.constraints
        if isinstance(constraint, rules.Rule) and constraint.violation_error_message in told
    }

    assert found == linking.ADDRESSES
