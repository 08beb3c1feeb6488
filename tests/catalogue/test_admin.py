"""Every page of the admin opens and saves what is typed."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.db import models
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalogue.models import ApiVersion, App, AppPicture, PostPicture, Revision, Studio, TagPicture
from site_mirror.desk.models import HistoryEntry
from tests import factories
from tests.admin_pages import admin_address, form_address, form_data, model_label, save_form
from tests.freeze import processes

pytestmark = pytest.mark.django_db

admin.autodiscover()
MODELS = sorted(admin.site._registry, key=model_label)
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>'


@pytest.mark.parametrize("model", MODELS, ids=model_label)
def test_every_list_and_form_opens_and_a_form_saved_as_it_was_changes_no_field(
    editor: Client, model: type[models.Model]
) -> None:
    assert editor.get(admin_address(model, "add")).status_code == 200
    factories.make_one_of_each()
    listed = editor.get(admin_address(model, "changelist"), follow=True)
    row = model._default_manager.first()
    assert row
    form = editor.get(form_address(row))

    assert (listed.status_code, form.status_code) == (200, 200)
    if model not in (Group, User):
        assert editor.post(form_address(row), form_data(form)).status_code == 302
        assert not HistoryEntry.objects.exists(), "nothing has changed"


def test_every_model_that_editors_write_has_a_form() -> None:
    edited = {model for model in MODELS if model._meta.app_label == "catalogue"}
    inlines = {inline.model for model in edited for inline in admin.site._registry[model].inlines}
    config = App._meta.app_config

    drawn = {AppPicture, PostPicture, TagPicture}

    assert edited | inlines == set(config.get_models()) - {Revision} - drawn


def test_the_front_page_lists_scheduled_rows(editor: Client) -> None:
    factories.make_post()
    later = timezone.now() + timedelta(days=3)
    factories.make_post(slug="later", title_en="Later", publish_at=later)
    context = editor.get(reverse("admin:index")).context

    assert {row["title"] for row in context["waiting"]} == {"Later"}


def test_there_is_one_studio(editor: Client) -> None:
    listed, add = admin_address(Studio, "changelist"), admin_address(Studio, "add")
    assert editor.get(listed).url == add
    studio = factories.make_studio()
    delete = admin_address(Studio, "delete", studio.pk)

    assert editor.get(listed).url == form_address(studio)
    assert editor.get(add).status_code == 403
    assert editor.post(delete, {"post": "yes"}).status_code == 403


class TestTexts:
    @pytest.mark.parametrize(
        ("typed", "stack"),
        [("Kotlin\r\n\r\n Swift \r\n", ["Kotlin", "Swift"]), ("Swift", ["Swift"]), ("", [])],
    )
    def test_a_list_of_lines_is_typed_as_one_item_on_each_line(
        self, editor: Client, typed: str, stack: list[str]
    ) -> None:
        app = factories.make_app(stack=["Swift", "Kotlin"])
        form = editor.get(form_address(app)).context["adminform"].form
        save_form(editor, app, stack=typed)
        app.refresh_from_db()

        assert form["stack"].value() == "Swift\nKotlin"
        assert app.stack == stack

    def test_a_saved_icon_is_shown_as_an_image_and_never_inline(self, editor: Client) -> None:
        text = editor.get(form_address(factories.make_app(icon_svg=DRAWING))).content.decode()

        assert 'src="data:image/svg+xml;base64,' in text
        assert "<circle" not in text


def test_a_version_can_neither_be_deleted_nor_renamed(editor: Client) -> None:
    version = factories.make_version()

    assert editor.get(admin_address(ApiVersion, "delete", version.pk)).status_code == 403
    assert b'name="version"' not in editor.get(form_address(version)).content


@pytest.mark.parametrize("backwards", [False, True])
def test_the_forms_pass_their_checks_in_whatever_order_these_run(
    tmp_path: Path, *, backwards: bool
) -> None:
    """Django runs checks in the order of a set of functions, and some import a few forms."""
    run_all = (
        "import django; django.setup(); "
        "from django.core.checks.registry import registry as found; "
        f"each = sorted(found.get_checks(), key=lambda one: one.__module__, reverse={backwards}); "
        "faults = [fault for one in each for fault in one(app_configs=None)]; "
        "print([fault for fault in faults if not fault.is_silenced()])"
    )
    done = processes.run("-c", run_all, database=tmp_path / "none")

    assert (done.stdout, done.stderr) == ("[]\n", "")
