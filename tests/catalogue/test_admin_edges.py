"""Edge values in parameters of the admin cause neither an error page nor a change."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission, User
from django.core import serializers
from django.db.models import Model
from django.forms import Field, ModelChoiceField, ModelMultipleChoiceField, SplitDateTimeField
from django.test import Client
from django.utils import timezone

import catalogue.admin  # noqa: F401  (registers the models)
from catalogue.models import App, Post, ScienceTopic, State, Studio, Tag, TimelineEntry
from tests import factories
from tests.admin_pages import admin_address, form_address, form_data, form_errors, run_action

pytestmark = pytest.mark.django_db

HUGE = "9" * 20
KEYS = ("x", "\0", HUGE, "-" + HUGE, "9" * 5000, "1.5")
DAYS = ("x", "\0", HUGE, "0001-01-01", "0999-12-31", "1899-12-31", "9999-01-01", "9999-12-31")
LATE = (("9999-12-31", "23:59:59"), ("2026-01-01", "x"), ("2026-01-01", "\0"), ("", "00:00"))
MOMENTS = ("0001-01-01 00:00:00", "9999-12-31 23:59:59", "0001-01-01T00:00:00+14:00", "2026-13-01")
NUMBERS = ("-1", "-" + HUGE, HUGE, "201", "x", "")
MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label)


@pytest.fixture
def browser(editor: Client) -> Client:
    """An editor's browser that gets an error page instead of an exception."""
    factories.make_one_of_each()
    editor.raise_request_exception = False
    return editor


def dump_content() -> str:
    """Serialize every row that editors write, with its relations."""
    models = [*apps.get_app_config("catalogue").get_models(), *MODELS, LogEntry]
    return "\n".join(
        serializers.serialize("json", model._default_manager.order_by("pk")) for model in models
    )


def label_of(model: type[Model]) -> str:
    return model._meta.label


def with_each_model(
    *quick: type[Model], models: Sequence[type[Model]] = MODELS
) -> pytest.MarkDecorator:
    """Return a mark with each model; the short runs have only some of them."""
    others = pytest.mark.exhaustive("sends the same values to the pages of every other model")
    cases = [
        pytest.param(model, id=label_of(model), marks=() if model in quick else others)
        for model in models
    ]
    return pytest.mark.parametrize("model", cases)


def read_fields(page: Any) -> dict[str, Field]:
    return dict(page.context["adminform"].form.fields)


def list_hostile_values(fields: dict[str, Field]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield invalid values of each relation and each moment of a form."""
    for name, field in fields.items():
        if isinstance(field, ModelMultipleChoiceField):
            yield from ((name, {name: [key]}) for key in KEYS)
        elif isinstance(field, ModelChoiceField):
            yield from ((name, {name: key}) for key in KEYS)
        elif isinstance(field, SplitDateTimeField):
            for day, hour in [*((day, "00:00:00") for day in DAYS), *LATE]:
                yield name, {f"{name}_0": day, f"{name}_1": hour}


@with_each_model(Post)
def test_an_add_form_ignores_invalid_initial_values(browser: Client, model: type[Model]) -> None:
    model._default_manager.filter(pk__gt=0, **find_blocking_rows(model)).delete()
    page = browser.get(admin_address(model, "add"))
    names, before = read_fields(page), dump_content()
    found = {
        value: browser.get(admin_address(model, "add"), dict.fromkeys(names, value)).status_code
        for value in (*KEYS, *DAYS, *MOMENTS, "", "0", "a,b", "1," + HUGE)
    }

    assert found == dict.fromkeys(found, 200)
    assert dump_content() == before


def find_blocking_rows(model: type[Model]) -> dict[str, Any]:
    """Return a filter of the rows that prevent an empty form: there is one studio."""
    return {} if model._meta.model_name == "studio" else {"pk": 0}


def test_an_add_form_keeps_valid_initial_values(browser: Client) -> None:
    app, tag = App.objects.get(), Tag.objects.get()
    asked = {"app": app.pk, "tags": tag.pk, "publish_at": "2026-05-06 07:08", "slug": "a-slug"}
    form = browser.get(admin_address(Post, "add"), asked | {"state": "x"}).context["adminform"].form
    moment = timezone.localtime(form.initial["publish_at"])

    assert form["app"].value() == app.pk
    assert form["tags"].value() == [tag.pk]
    assert form["slug"].value() == "a-slug"
    assert f"{moment:%Y-%m-%d %H:%M}" == "2026-05-06 07:08"
    assert "state" not in form.initial


@with_each_model(Post, Group)
def test_an_invalid_relation_or_moment_is_an_error_of_its_field(
    browser: Client, model: type[Model]
) -> None:
    row = model._default_manager.order_by("pk").first()
    assert row is not None
    page = browser.get(form_address(row))
    typed, before = form_data(page), dump_content()
    for name, values in list_hostile_values(read_fields(page)):
        answer = browser.post(form_address(row), typed | values)

        assert answer.status_code == 200, values
        assert name in form_errors(answer), values
    assert dump_content() == before


def test_the_error_of_a_moment_names_the_allowed_years_and_keeps_the_typed_value(
    browser: Client,
) -> None:
    post = Post.objects.get()
    moment = {"publish_at_0": "0001-01-01", "publish_at_1": "00:00:00"}
    page = browser.post(form_address(post), form_data(browser.get(form_address(post))) | moment)

    assert form_errors(page)["publish_at"] == [
        "The year is 1; years from 1900 to 9998 are allowed."
    ]
    assert 'value="0001-01-01"' in page.content.decode()


def test_the_error_of_a_relation_names_the_invalid_key(browser: Client) -> None:
    post = Post.objects.get()
    tag = Tag.objects.get()
    typed = form_data(browser.get(form_address(post))) | {"app": HUGE, "tags": [tag.pk, "x"]}
    page = browser.post(form_address(post), typed)

    assert form_errors(page) == {
        "app": [f"“{HUGE}” is not one of the choices."],
        "tags": ["“x” is not one of the choices."],
    }
    assert page.context["adminform"].form["tags"].value() == [str(tag.pk)]


@with_each_model(Post, Tag, User)
def test_an_action_on_an_invalid_key_changes_nothing(browser: Client, model: type[Model]) -> None:
    listed, before = admin_address(model, "changelist"), dump_content()
    first = model._default_manager.order_by("pk").values_list("pk", flat=True)[0]
    for action in admin.site._registry[model].actions or ["delete_selected"]:
        for key in KEYS:
            for extra in ({}, {"index": "0", "post": "yes"}):
                typed = {"action": action, "_selected_action": [first, key], **extra}
                answer = browser.post(listed, typed)

                assert answer.status_code in {200, 302, 403}, (action, key, extra)
    assert dump_content() == before


def test_the_list_names_the_invalid_key_of_an_action(browser: Client) -> None:
    typed = {"action": "delete_selected", "_selected_action": "\0"}
    page = browser.post(admin_address(Post, "changelist"), typed, follow=True)

    assert [str(message) for message in page.context["messages"]] == [
        r"Nothing was changed: '\x00' is not a key of this list."
    ]


def test_an_action_on_valid_keys_is_done(browser: Client) -> None:
    assert run_action(browser, "withdraw_to_draft", TimelineEntry.objects.get()) == [
        "Withdrawn to draft: 1 timeline entry."
    ]
    assert TimelineEntry.objects.get().state == State.DRAFT


@with_each_model(App, Tag)
def test_a_reordered_list_with_invalid_keys_is_refused_without_an_error_page(
    browser: Client, model: type[Model]
) -> None:
    listed, before = admin_address(model, "changelist"), dump_content()
    rows = {"form-TOTAL_FORMS": "1", "form-INITIAL_FORMS": "1", "form-0-position": "7"}
    for key in KEYS:
        answer = browser.post(listed, rows | {"_save": "Save", "form-0-id": key})

        assert answer.status_code < 500, key
    for number in NUMBERS:
        for name in ("form-TOTAL_FORMS", "form-INITIAL_FORMS"):
            answer = browser.post(listed, rows | {"_save": "Save", name: number})

            assert answer.status_code < 500, (name, number)
    assert dump_content() == before


@with_each_model(ScienceTopic)
def test_an_invalid_number_of_rows_is_an_error_of_the_form(
    browser: Client, model: type[Model]
) -> None:
    row = model._default_manager.order_by("pk").first()
    assert row is not None
    page = browser.get(form_address(row))
    typed, before = form_data(page), dump_content()
    for inline in page.context["inline_admin_formsets"]:
        prefix = inline.formset.prefix
        for name in (f"{prefix}-TOTAL_FORMS", f"{prefix}-INITIAL_FORMS"):
            for number in NUMBERS:
                answer = browser.post(form_address(row), typed | {name: number})

                assert answer.status_code == 200, (name, number)
                assert name in str(answer.context["errors"]), number
    assert dump_content() == before


@with_each_model(ScienceTopic, models=[ScienceTopic, TimelineEntry, Post, App])
def test_an_invalid_key_of_an_inline_changes_no_row(browser: Client, model: type[Model]) -> None:
    form = form_address(model._default_manager.get())
    page = browser.get(form)
    typed, inline = form_data(page), page.context["inline_admin_formsets"][0].formset
    before = list(inline.model.objects.values())
    for key in KEYS:
        for part in ("id", inline.fk.name):
            typed_key = {f"{inline.prefix}-0-{part}": key}

            assert browser.post(form, typed | typed_key).status_code < 500, typed_key
    assert list(inline.model.objects.values()) == before


def test_existing_inline_rows_sent_as_new_are_refused(browser: Client) -> None:
    topic = ScienceTopic.objects.get()
    typed, before = form_data(browser.get(form_address(topic))), dump_content()
    page = browser.post(form_address(topic), typed | {"symbols-INITIAL_FORMS": "0"})

    assert "explains the symbol already" in str(page.context["errors"])
    assert dump_content() == before


def test_a_row_takes_the_name_of_one_that_is_deleted_in_the_same_save(browser: Client) -> None:
    topic = ScienceTopic.objects.get()
    typed = form_data(browser.get(form_address(topic)))
    rows = int(typed["symbols-TOTAL_FORMS"])
    first = {
        name.replace("symbols-0-", f"symbols-{rows}-"): value
        for name, value in typed.items()
        if name.startswith("symbols-0-")
    }
    again = first | {f"symbols-{rows}-id": "", "symbols-TOTAL_FORMS": str(rows + 1)}
    before = set(topic.symbols.values_list("pk", flat=True))

    answer = browser.post(form_address(topic), typed | again | {"symbols-0-DELETE": "on"})

    assert answer.status_code == 302
    after = set(topic.symbols.values_list("pk", flat=True))
    assert (len(before - after), len(after - before)) == (1, 1)


def test_an_excessive_number_of_rows_makes_no_form(browser: Client) -> None:
    """A number of rows beyond what is allowed makes no form."""
    topic = ScienceTopic.objects.get()
    typed = form_data(browser.get(form_address(topic))) | {"symbols-TOTAL_FORMS": HUGE}
    page = browser.post(form_address(topic), typed)
    symbols = page.context["inline_admin_formsets"][0].formset

    assert symbols.forms == []
    assert symbols.non_form_errors() == [
        (
            "The number of rows in symbols-TOTAL_FORMS is missing or impossible; "
            "numbers from 0 to 200 are allowed. Load the page again."
        )
    ]


def test_permissions_are_set_only_by_valid_keys(browser: Client) -> None:
    """Permissions are chosen in two columns; these forms also refuse invalid keys."""
    permission = Permission.objects.order_by("pk")[0]
    typed = {"name": "Readers", "permissions": [permission.pk, HUGE]}
    page = browser.post("/admin/auth/group/add/", typed)

    assert form_errors(page) == {"permissions": [f"“{HUGE}” is not one of the choices."]}


@pytest.mark.parametrize(
    "value",
    [
        "[",
        *(
            pytest.param(value, marks=pytest.mark.exhaustive("sends more values in all lookups"))
            for value in ("3,4", "\0", HUGE, "")
        ),
    ],
    ids=ascii,
)
@with_each_model(Post)
def test_every_lookup_of_a_list_is_answered_without_an_error_page(
    browser: Client, model: type[Model], value: str
) -> None:
    """The lookups include those that no list offers."""
    listed = admin_address(model, "changelist")
    names = [
        f"{column.name}__{lookup}"
        for column in model._meta.fields
        for lookup in column.get_lookups()  # type: ignore[no-untyped-call]
    ]

    statuses = {name: browser.get(listed, {name: value}).status_code for name in names}

    assert {name: status for name, status in statuses.items() if status >= 500} == {}


@with_each_model(Post, Studio, User)
def test_a_form_ignores_empty_parameters_of_the_admin(browser: Client, model: type[Model]) -> None:
    row = model._default_manager.order_by("pk").first()
    assert row is not None
    names = ("_to_field", "_popup", "_changelist_filters", "_saveasnew", "e")
    empty = "&".join(f"{name}=" for name in names)
    for page in (
        form_address(row),
        admin_address(model, "changelist"),
        admin_address(model, "add"),
    ):
        found = browser.get(f"{page}?{empty}")

        assert found.status_code in {200, 302, 403}, page
    typed = form_data(browser.get(form_address(row))) | dict.fromkeys(names, "")
    assert browser.post(form_address(row), typed).status_code < 500


@pytest.mark.parametrize("page", ["abc", "0", "-1", "99", "9" * 5000, "1.5", "\0"])
def test_autocompletion_has_no_invalid_page(browser: Client, page: str) -> None:
    answer = browser.get("/admin/search/", {"s": "a", "page": page})

    assert answer.status_code == 404


def test_autocompletion_has_a_first_page(browser: Client) -> None:
    for page in ({}, {"page": "1"}, {"extended": "", "page": "1"}):
        assert "Apps" in browser.get("/admin/search/", {"s": "app", **page}).content.decode()
