"""A failure in the admin is a page of the admin that keeps the typed text."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib import admin
from django.db import DataError, IntegrityError, InterfaceError, OperationalError, connection
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from catalogue.models import Image, Post
from tests import factories
from tests.admin_pages import admin_address, form_address, form_data

pytestmark = pytest.mark.django_db

TYPED = "A title <that> took “an hour”"
ESCAPED = "A title &lt;that&gt; took “an hour”"


class Deadlock(Exception):
    sqlstate = "40P01"


def deadlock() -> OperationalError:
    fault = OperationalError("deadlock detected")
    fault.__cause__ = Deadlock()
    return fault


@contextmanager
def failing(
    fails: Callable[[int, str], bool], fault: Callable[[], Exception]
) -> Iterator[list[str]]:
    """Let the queries fail for which `fails`, given their number and SQL, is true."""
    queries: list[str] = []

    def run(execute: Any, sql: str, *others: Any) -> Any:
        # Django itself takes a failed check of a constraint for a passed one.
        if not sql.startswith(("SAVEPOINT", "RELEASE", "ROLLBACK")) and '"_check"' not in sql:
            queries.append(sql)
            if fails(len(queries), sql):
                raise fault()
        return execute(sql, *others)

    with connection.execute_wrapper(run):
        yield queries


@pytest.fixture
def desk(editor: Client) -> Client:
    """The browser of a superuser, which shows errors as pages."""
    editor.raise_request_exception = False
    return editor


def assert_is_a_page(answer: HttpResponse, status: int) -> str:
    page = answer.content.decode()
    assert (answer.status_code, answer["Content-Type"]) == (status, "text/html; charset=utf-8")
    assert answer["Cache-Control"] == "no-store, private"
    assert "unsafe-eval" in answer["Content-Security-Policy"]
    assert "may not have been saved" in page
    return page


def list_views() -> list[str]:
    addresses = [
        reverse(f"admin:{name}")
        for name in ("index", "password_change", "jsi18n", "autocomplete", "search")
    ]
    factories.make_one_of_each()
    for model in admin.site._registry:
        row = model._default_manager.first()
        assert row
        addresses += [admin_address(model, view) for view in ("changelist", "add")]
        of_row = ["change", "delete", "history"]
        if model._meta.app_label == "catalogue" and model is not Image:  # It has no drafts.
            of_row += ["preview", "check"]
        addresses += [admin_address(model, view, row.pk) for view in of_row]
    return addresses


@pytest.mark.parametrize("method", ["get", "post"])
def test_every_view_without_a_database_is_a_page_of_the_admin(desk: Client, method: str) -> None:
    for address in list_views():
        with failing(lambda number, sql: True, lambda: OperationalError("gone")) as queries:
            answer = getattr(desk, method)(address, {"title_en": TYPED, "password1": "secret"})

        assert queries
        page = assert_is_a_page(answer, 503)
        assert answer["Retry-After"] == "30"
        assert (ESCAPED in page) == (method == "post")
        assert "secret" not in page


def open_form(desk: Client) -> tuple[str, dict[str, Any]]:
    post = factories.make_post(app=factories.make_app())
    return form_address(post), form_data(desk.get(form_address(post))) | {"title_en": TYPED}


FAULTS = [
    (lambda: OperationalError("database is locked"), 503),
    (lambda: InterfaceError("connection already closed"), 503),
    (lambda: DataError("out of range"), 503),
    (lambda: IntegrityError("duplicate key"), 409),
    (deadlock, 409),
    (lambda: RuntimeError("a fault of the program"), 500),
]


@pytest.mark.parametrize(("fault", "status"), FAULTS)
def test_a_save_that_fails_shows_what_was_typed_and_can_be_sent_again(
    desk: Client, fault: Callable[[], Exception], status: int
) -> None:
    address, typed = open_form(desk)
    with failing(lambda number, sql: 'UPDATE "catalogue' in sql, fault):
        answer = desk.post(address, typed)

    page = assert_is_a_page(answer, status)
    assert ESCAPED in page
    assert f'action="{address}"' in page
    sent = {name for name, value in typed.items() if value != []}
    assert {name for name in sent if f'name="{name}"' not in page} == set()
    assert not Post.objects.filter(title_en=TYPED).exists()
    assert desk.post(address, typed).status_code == 302
    assert Post.objects.filter(title_en=TYPED).exists()


def test_whichever_query_of_a_save_fails_the_answer_is_a_page(desk: Client) -> None:
    address, typed = open_form(desk)
    desk.post(address, typed | {"title_en": "The first entry of the history"})
    with failing(lambda number, sql: False, RuntimeError) as queries:
        assert desk.post(address, typed).status_code == 302
    typed["title_en"] += "."  # A save without a change writes no entry.
    assert len(queries) > 10
    for failed in range(1, len(queries) + 1):
        with failing(lambda number, sql: number == failed, lambda: OperationalError("gone")):  # noqa: B023
            answer = desk.post(address, typed)

        assert ESCAPED in assert_is_a_page(answer, 503)


def test_a_deadlock_is_tried_again_once(desk: Client) -> None:
    address, typed = open_form(desk)
    updates: list[str] = []

    def fails(number: int, sql: str) -> bool:
        updates.extend([sql] * sql.startswith('UPDATE "catalogue'))
        return updates == [sql]

    with failing(fails, deadlock):
        answer = desk.post(address, typed, follow=True)

    assert answer.redirect_chain
    assert [str(each) for each in answer.context["messages"]] == ["Live: /blog/a-post · EN"]
    assert ESCAPED in answer.content.decode()
