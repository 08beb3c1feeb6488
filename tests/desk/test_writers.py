"""Every write of the desk waits first for the other writers."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catalogue.models import Post
from tests import factories
from tests.admin_pages import admin_address, form_address, form_data

pytestmark = pytest.mark.django_db

BUTTONS = ("_draft", "_publish")
BUTTONS_OF_POSTS = ("", *BUTTONS, "_withdraw", "_review", "_discard")


def list_writes(editor: Client) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each way to write: the drafts, publications, deletions and moves of each model."""
    factories.make_one_of_each()
    for model in admin.site._registry:
        row = model._default_manager.first()
        if row is None or model._meta.app_label != "catalogue":
            continue
        form, chosen = form_address(row), {"_selected_action": [row.pk], "post": "yes"}
        typed = form_data(editor.get(form))
        typed |= {name: "Typed" for name in ("title_en", "name_en", "name") if name in typed}
        buttons = BUTTONS_OF_POSTS if model is Post else BUTTONS
        yield from ((form, typed | {button: ""}) for button in buttons)
        yield admin_address(model, "draft", row.pk), typed
        yield admin_address(model, "delete", row.pk), chosen
        yield admin_address(model, "changelist"), chosen | {"action": "delete_selected"}
        yield admin_address(model, "move"), {"dragged": row.pk, "onto": row.pk}


def test_the_revision_is_locked_before_any_other_row(admin_client: Client) -> None:
    """So no two writers can wait for each other."""
    for address, typed in list_writes(admin_client):
        with transaction.atomic(), CaptureQueriesContext(connection) as queries:
            admin_client.post(address, typed)
            transaction.set_rollback(True)
        statements = [query["sql"] for query in queries]
        of_content = [sql for sql in statements if '"catalogue_' in sql or '"desk_' in sql]

        assert 'FROM "catalogue_revision"' in of_content[0], address
        assert "INSERT" not in "".join(statements[: statements.index(of_content[0])])
