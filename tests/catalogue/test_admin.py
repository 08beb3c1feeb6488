"""Every page of the admin opens and saves what is typed."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.db import connection, models
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

import catalogue
from catalogue.models import App, Post, Revision, State, Studio
from tests import factories
from tests.admin_pages import (
    admin_address,
    form_address,
    form_data,
    form_errors,
    model_label,
    save_form,
)

pytestmark = pytest.mark.django_db

admin.autodiscover()
MODELS = sorted(admin.site._registry, key=model_label)
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>'


@pytest.mark.parametrize("model", MODELS, ids=model_label)
def test_every_list_opens(editor: Client, model: type[models.Model]) -> None:
    factories.make_one_of_each()

    assert editor.get(admin_address(model, "changelist"), follow=True).status_code == 200


@pytest.mark.parametrize("model", MODELS, ids=model_label)
def test_every_empty_form_opens(editor: Client, model: type[models.Model]) -> None:
    assert editor.get(admin_address(model, "add")).status_code == 200


@pytest.mark.parametrize("model", [Group, User], ids=model_label)
def test_every_filled_form_of_accounts_opens(editor: Client, model: type[models.Model]) -> None:
    factories.make_one_of_each()

    assert editor.get(form_address(model._default_manager.first())).status_code == 200


@pytest.mark.parametrize(
    "model", [model for model in MODELS if model not in (Group, User)], ids=model_label
)
def test_a_form_saved_as_it_was_opened_changes_no_field(
    editor: Client, model: type[models.Model]
) -> None:
    factories.make_one_of_each()
    row = model._default_manager.first()
    editor.post(form_address(row), form_data(editor.get(form_address(row))))
    history = editor.get(admin_address(model, "history", row.pk)).context["action_list"]

    assert [entry.get_change_message() for entry in history] == ["No fields changed."]


def test_every_model_that_triggers_do_not_write_has_a_form() -> None:
    edited = {model for model in MODELS if model._meta.app_label == "catalogue"}
    inlines = {inline.model for model in edited for inline in admin.site._registry[model].inlines}
    config = App._meta.app_config

    assert edited | inlines == set(config.get_models()) - {Revision}


def test_only_forms_import_the_theme() -> None:
    sources = sorted(Path(catalogue.__file__).parent.rglob("*.py"))
    found = [path.name for path in sources if "from unfold" in path.read_text()]

    assert found == ["base.py"]


def test_the_front_page_counts_published_rows_and_lists_scheduled_ones(editor: Client) -> None:
    factories.make_post()
    factories.make_post(slug="later", publish_at=timezone.now() + timedelta(days=3))
    factories.make_post(slug="read-me", state=State.IN_REVIEW)
    context = editor.get(reverse("admin:index")).context
    posts = next(kind for kind in context["kinds"] if kind.name == "Posts")

    assert (posts.shown, posts.scheduled, posts.in_review, posts.draft) == (1, 1, 1, 0)
    assert {row.state for row in context["waiting"]} == {"Scheduled", "In review"}


class TestStudio:
    def test_its_list_leads_to_the_form_of_its_row(self, editor: Client) -> None:
        studio = factories.make_studio()

        assert editor.get(admin_address(Studio, "changelist")).url == form_address(studio)

    def test_its_list_leads_to_an_empty_form_while_there_is_no_row(self, editor: Client) -> None:
        assert editor.get(admin_address(Studio, "changelist")).url == admin_address(Studio, "add")

    def test_a_second_one_cannot_be_added(self, editor: Client) -> None:
        factories.make_studio()

        assert editor.get(admin_address(Studio, "add")).status_code == 403

    def test_it_cannot_be_deleted(self, editor: Client) -> None:
        studio = factories.make_studio()

        assert (
            editor.post(admin_address(Studio, "delete", studio.pk), {"post": "yes"}).status_code
            == 403
        )


def test_the_list_of_posts_costs_the_same_queries_for_any_number_of_posts(editor: Client) -> None:
    app, tag = factories.make_app(), factories.make_tag()

    def cost(more: range) -> int:
        for number in more:
            factories.make_post(slug=f"post-{number}", app=app).tags.add(tag)
        with CaptureQueriesContext(connection) as queries:
            editor.get(admin_address(Post, "changelist"))
        return len(queries)

    assert cost(range(2)) == cost(range(2, 20))


class TestTexts:
    def test_a_list_of_lines_is_typed_as_one_item_on_each_line(self, editor: Client) -> None:
        app = factories.make_app(stack=["Swift", "Kotlin"])
        field = editor.get(form_address(app)).context["adminform"].form["stack"]
        save_form(editor, app, stack="Swift\r\n\r\n  Vector tiles \r\n")
        app.refresh_from_db()

        assert field.value() == "Swift\nKotlin"
        assert app.stack == ["Swift", "Vector tiles"]

    @pytest.mark.parametrize(
        ("typed", "changed"),
        [
            ("Swift\r\nKotlin", False),
            ("Swift\r\n\r\n Kotlin \r\n", False),
            ("Kotlin\r\nSwift", True),
            ("Swift", True),
            ("", True),
        ],
    )
    def test_a_form_notices_a_changed_line(self, editor: Client, typed: str, changed: bool) -> None:
        app = factories.make_app(stack=["Swift", "Kotlin"])
        form = editor.get(form_address(app)).context["adminform"].form

        assert form.fields["stack"].has_changed(form["stack"].initial, typed) is changed

    def test_an_invalid_language_code_is_an_error_of_its_field(self, editor: Client) -> None:
        page = save_form(editor, factories.make_studio(), languages="en\r\nvietnamese")

        assert list(form_errors(page)) == ["languages"]

    def test_a_saved_icon_is_shown_as_an_image_and_never_inline(self, editor: Client) -> None:
        text = editor.get(form_address(factories.make_app(icon_svg=DRAWING))).content.decode()

        assert 'src="data:image/svg+xml;base64,' in text
        assert "<circle" not in text


def test_a_version_can_neither_be_deleted_nor_renamed(editor: Client) -> None:
    version = factories.make_version()
    form = reverse("admin:catalogue_apiversion_change", args=[version.pk])

    deletion = reverse("admin:catalogue_apiversion_delete", args=[version.pk])

    assert editor.get(deletion).status_code == 403
    assert b'name="version"' not in editor.get(form).content
