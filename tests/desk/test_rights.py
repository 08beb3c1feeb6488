"""What each role may do: the server checks it at every route, whatever is posted."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalogue.models import App, TimelineLink
from site_mirror.desk.models import Draft, EarlierState, HistoryEntry
from site_mirror.desk.roles import ADMINISTRATOR, EDITOR, WRITER
from tests import factories
from tests.admin_pages import admin_address, form_address, form_data, save_form
from tests.desk.people import EVERYBODY, browser_of, make_person
from tests.revisions import read_revision_number

pytestmark = pytest.mark.django_db

KEY = str(uuid4())
FORM = {"name_en": "Another name"}
NEW = FORM | {"_key": KEY, "_base": "{}", "title_en": "Half"}

ALL = (302, 200, 200, 200)
WRITERS_ALLOWED = (302, 302, 302, 302)
PUBLISHERS = (302, 403, 302, 302)
PEOPLE = (302, 403, 403, 200)

ROUTES: list[tuple[str, dict[str, Any] | None, tuple[int, ...]]] = [
    ("changelist", None, ALL),
    ("add", None, ALL),
    ("change", None, ALL),
    ("history", None, ALL),
    ("history", {"_restore": "ENTRY"}, WRITERS_ALLOWED),
    ("deleted", None, ALL),
    ("deleted", {"_restore": "DELETED"}, WRITERS_ALLOWED),
    ("preview", None, ALL),
    ("preview_new", None, ALL),
    ("preview", FORM, ALL),
    ("preview_new", NEW, (302, 204, 204, 204)),
    ("check", FORM, ALL),
    ("check_new", NEW, ALL),
    ("draft", FORM, ALL),
    ("draft_new", NEW, ALL),
    ("add", NEW | {"_draft": ""}, WRITERS_ALLOWED),
    ("add", NEW | {"_publish": ""}, (302, 403, 200, 200)),
    ("add", NEW, (302, 403, 200, 200)),
    ("change", FORM | {"_draft": ""}, WRITERS_ALLOWED),
    ("change", FORM | {"_discard": ""}, WRITERS_ALLOWED),
    ("change", FORM | {"_restore": "STATE"}, WRITERS_ALLOWED),
    ("change", FORM | {"_review": ""}, WRITERS_ALLOWED),
    ("change", FORM | {"_send_back": ""}, PUBLISHERS),
    ("change", FORM | {"_publish": ""}, PUBLISHERS),
    ("change", FORM | {"_publish": "", "_draft": ""}, WRITERS_ALLOWED),
    ("change", FORM | {"_popup": "1"}, PUBLISHERS),
    ("change", FORM | {"_withdraw": ""}, PUBLISHERS),
    ("change", FORM, PUBLISHERS),
    ("change", FORM | {"_saveasnew": "1"}, PUBLISHERS),
    ("move", {"up": "SECOND"}, PUBLISHERS),
    ("delete", None, (302, 403, 200, 200)),
    ("delete", {"post": "yes"}, PUBLISHERS),
]
"""Routes of a form, what is posted (a page is opened if nothing is), and the answers to roles."""

MAY_MOVE = {"add", "change", "move", "delete"}


@pytest.fixture
def app(db: None) -> Any:
    """A public app with a draft, and another one after it."""
    factories.make_one_of_each()
    TimelineLink.objects.all().delete()  # Its link would break.
    app = App.objects.get()
    factories.make_app(slug="second", position=1)
    client = browser_of(ADMINISTRATOR, "first")
    for name in ("One", "Two"):
        save_form(client, app, _draft="", name_en=name)
    assert EarlierState.objects.exists()
    for row in (app.pk, app.pk + 1000):
        HistoryEntry.objects.create(
            kind="app", row=row, act="found", data={}, made_at=timezone.now()
        )
    return app


def open_form(client: Client, app: Any) -> dict[str, Any]:
    """Return what the form of a row posts, or nothing for those who may not open it."""
    page = client.get(form_address(app))
    return form_data(page) if page.status_code == 200 else {}


def complete(form: dict[str, Any], app: Any, data: dict[str, Any]) -> dict[str, Any]:
    """Return what is posted, with the fields of the form of a row, and with keys of rows."""
    filled = {
        name: {
            "STATE": EarlierState.objects.values_list("pk", flat=True)[0],
            "ENTRY": HistoryEntry.objects.filter(row=app.pk).values_list("pk", flat=True)[0],
            "DELETED": HistoryEntry.objects.exclude(row=app.pk).values_list("pk", flat=True)[0],
            "SECOND": App.objects.get(slug="second").pk,
        }.get(value, value)
        for name, value in data.items()
    }
    return filled if "name_en" not in data or "_key" in data else form | filled


def test_each_route_of_a_form_answers_each_role(app: Any) -> None:
    people = [browser_of(role) for role in EVERYBODY]
    forms = [open_form(client, app) for client in people]
    found, public = [], set()
    for route, data, _ in ROUTES:
        of_row = route in ("change", "history", "delete", "preview", "check", "draft")
        address = admin_address(App, route, *([app.pk] if of_row else []))
        codes, moved = [], []
        for client, form in zip(people, forms, strict=True):
            before = read_revision_number()
            with transaction.atomic():
                if data is None:
                    answer = client.get(address)
                else:
                    answer = client.post(address, complete(form, app, data))
                codes.append(answer.status_code)
                moved.append(read_revision_number() > before)
                transaction.set_rollback(True)
        found.append((route, data, tuple(codes)))
        if any(moved):
            public.add((route, *moved))

    assert found == ROUTES
    assert public
    assert public <= {(route, False, False, True, True) for route in MAY_MOVE}


def test_the_table_has_every_route_and_act_of_a_form() -> None:
    prefix = "catalogue_app_"
    names = {each.name.removeprefix(prefix) for each in form_routes(App) if each.name}

    assert names == {route for route, _, _ in ROUTES}
    acts: Any = admin.site._registry[App]
    assert {*acts.acts} <= {name for _, data, _ in ROUTES for name in data or ()}


def form_routes(model: type[Any]) -> Iterator[Any]:
    yield from admin.site._registry[model].get_urls()


def test_a_writer_uses_no_action_of_a_list(app: Any) -> None:
    chosen = {"action": "delete_selected", "_selected_action": [app.pk], "post": "yes"}
    before, listed = read_revision_number(), admin_address(App, "changelist")

    browser_of(WRITER).post(listed, chosen)
    assert read_revision_number() == before
    browser_of(EDITOR).post(listed, chosen)
    assert read_revision_number() > before


def test_a_writer_writes_rows_of_every_kind_and_makes_nothing_public(app: Any) -> None:
    client, before = browser_of(WRITER), read_revision_number()
    models = [model for model in admin.site._registry if model._meta.app_label == "catalogue"]
    for model in models:
        row: Any = model._default_manager.first()
        page = client.get(form_address(row))
        form, data = form_address(row), form_data(page)

        assert page.context["has_change_permission"], model
        assert b'name="_publish"' not in page.content
        assert client.post(form, data | {"_publish": ""}).status_code == 403, model
        assert client.post(form, data).status_code == 403, model
        assert client.post(admin_address(model, "delete", row.pk), {"post": "yes"}).status_code
        assert client.post(form, data | {"_draft": ""}).status_code == 302, model

    assert len(models) == 12
    assert read_revision_number() == before


def test_a_draft_of_a_writer_changes_parts_of_a_row_and_an_editor_publishes_it() -> None:
    symbol = factories.make_symbol(symbol="v", meaning_en="speed")
    topic, writer, editor = symbol.topic, browser_of(WRITER), browser_of(EDITOR)

    typed = {"symbols-0-DELETE": "on", "_draft": ""}
    assert save_form(writer, topic, **typed).status_code == 302
    assert topic.symbols.count() == 1
    assert save_form(editor, topic, _publish="").status_code == 302

    assert topic.symbols.count() == 0
    assert not Draft.objects.get().is_open


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/admin/", ALL),
        ("/admin/search/?q=app", ALL),
        ("/admin/addresses/?q=app", ALL),
        ("/admin/publish/", ALL),
        ("/admin/publish/?release=20260101T000000Z-00000000-1", (302, 404, 404, 404)),
        ("/admin/catalogue/", ALL),
        ("/admin/password_change/", ALL),
        ("/admin/second-step/", ALL),
        ("/admin/jsi18n/", ALL),
        ("/admin/auth/", (302, 404, 404, 200)),
        ("/admin/auth/user/", PEOPLE),
        ("/admin/auth/user/add/", PEOPLE),
        ("/admin/auth/user/{pk}/change/", PEOPLE),
        ("/admin/auth/user/{pk}/password/", PEOPLE),
        ("/admin/auth/user/{pk}/delete/", PEOPLE),
        ("/admin/auth/user/{pk}/history/", PEOPLE),
    ],
)
def test_people_are_the_administrators(address: str, expected: tuple[int, ...]) -> None:
    page = address.format(pk=make_person(WRITER, "another").pk)

    assert tuple(browser_of(role).get(page).status_code for role in EVERYBODY) == expected


def test_migrate_sets_the_rights_of_roles_again() -> None:
    Group.objects.all().delete()
    call_command("migrate", verbosity=0)
    roles = {group.name: set(group.permissions.all()) for group in Group.objects.all()}

    assert [*roles] == [WRITER, EDITOR, ADMINISTRATOR]
    assert roles[WRITER] < roles[EDITOR] < roles[ADMINISTRATOR] < {*Permission.objects.all()}
    Group.objects.get(name=WRITER).permissions.set(roles[ADMINISTRATOR])
    call_command("migrate", verbosity=0)
    assert {*Group.objects.get(name=WRITER).permissions.all()} == roles[WRITER]


@pytest.mark.parametrize("role", [WRITER, EDITOR])
def test_nobody_has_buttons_that_open_windows_of_related_rows(role: str) -> None:
    page = browser_of(role).get(reverse("admin:catalogue_post_add"))
    assert b"add-related" not in page.content
