"""Editors who save at once wait for one another, and none of them is refused."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from catalogue.models import App
from tests import factories
from tests.admin_pages import admin_address, form_address, form_data

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

ROUNDS, EDITORS, APPS = 4, 3, 12


def test_a_move_of_many_rows_beside_editors_who_save_has_no_deadlock() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time.")
    apps = [factories.make_app(slug=f"app-{place}", position=place) for place in range(APPS)]
    user = User.objects.create_superuser("linh")

    def log_in() -> Client:
        client = Client(raise_request_exception=False)
        client.force_login(user)
        return client

    forms = {app.pk: form_data(log_in().get(form_address(app))) for app in apps}
    start = Barrier(EDITORS + 1)

    def run(work: Callable[[Client, int], int]) -> list[int]:
        client = log_in()
        start.wait(timeout=60)
        try:
            return [work(client, number) for number in range(ROUNDS)]
        finally:
            connection.close()

    def move_all(client: Client, number: int) -> int:
        first, last = App.objects.all()[0], App.objects.all()[APPS - 1]
        dragged = {"dragged": last.pk, "onto": first.pk}
        return client.post(admin_address(App, "move"), dragged).status_code

    def save(client: Client, number: int) -> int:
        # From the last to the first, against the order of the move.
        app = apps[-1 - number]
        typed = forms[app.pk] | {"name": f"Name {number}"}
        return client.post(form_address(app), typed).status_code

    with ThreadPoolExecutor(EDITORS + 1) as pool:
        moves = pool.submit(run, move_all)
        saves = [pool.submit(run, save) for _ in range(EDITORS)]

    assert moves.result() == [302] * ROUNDS
    assert [each.result() for each in saves] == [[302] * ROUNDS] * EDITORS
