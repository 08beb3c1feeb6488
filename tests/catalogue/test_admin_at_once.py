"""Editors who save at once wait for one another, and none of them is refused."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from catalogue.models import Post
from tests import factories
from tests.admin_pages import admin_address, form_address, form_data

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

ROUNDS, EDITORS, POSTS = 4, 3, 12


def test_an_action_on_many_rows_beside_editors_who_save_has_no_deadlock() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time.")
    posts = [factories.make_post(slug=f"post-{number}") for number in range(POSTS)]
    user = User.objects.create_superuser("linh")

    def log_in() -> Client:
        client = Client(raise_request_exception=False)
        client.force_login(user)
        return client

    forms = {post.pk: form_data(log_in().get(form_address(post))) for post in posts}
    start = Barrier(EDITORS + 1)

    def run(work: Callable[[Client, int], int]) -> list[int]:
        client = log_in()
        start.wait(timeout=60)
        try:
            return [work(client, number) for number in range(ROUNDS)]
        finally:
            connection.close()

    def publish_all(client: Client, number: int) -> int:
        action = {"action": "publish_now", "_selected_action": [post.pk for post in posts]}
        return client.post(admin_address(Post, "changelist"), action).status_code

    def save(client: Client, number: int) -> int:
        # From the last to the first, against the order of the action.
        post = posts[-1 - number]
        typed = forms[post.pk] | {"title_en": f"Title {number}"}
        return client.post(form_address(post), typed).status_code

    with ThreadPoolExecutor(EDITORS + 1) as pool:
        action = pool.submit(run, publish_all)
        saves = [pool.submit(run, save) for _ in range(EDITORS)]

    assert action.result() == [302] * ROUNDS
    assert [each.result() for each in saves] == [[302] * ROUNDS] * EDITORS
