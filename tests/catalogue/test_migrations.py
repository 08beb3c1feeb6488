"""Every migration runs both ways in one transaction, and content survives it."""

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.models import Model

from catalogue import shipped
from catalogue.models import (
    App,
    FormerAppSlug,
    FormerPostSlug,
    FormerTagSlug,
    Image,
    Post,
    TeamMember,
)
from catalogue.models.sharing_picture import SharingPicture
from catalogue.triggers import installing
from catalogue.triggers.sql import content_models

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


MADE_AGAIN = frozenset({"edited_at", "feed_id_en", "feed_id_vi"})


@pytest.fixture(autouse=True)
def _latest_tables() -> Iterator[None]:
    """Make the tables again for the next test.

    The flush of SQLite deletes rows, so triggers remember them.
    """
    for model in (FormerAppSlug, FormerPostSlug, FormerTagSlug):
        model.objects.all().delete()
    yield
    migrate()


def migrate(*target: str) -> None:
    call_command("migrate", *(("catalogue", *target) if target else ()), verbosity=0)


def read_rows() -> dict[str, list[str]]:
    """Return the content; that of the tables of files is not brought back by migrations."""
    return {
        model._meta.label: sorted(
            map(repr, model._base_manager.values_list(*list_compared_columns(model)))
        )
        for model in content_models()
        if model is not Image and not issubclass(model, SharingPicture)
    }


def list_compared_columns(model: type[Model]) -> list[str]:
    """Return the columns except keys and others that are not restored."""
    return [
        field.attname
        for field in model._meta.concrete_fields
        if not (field.primary_key or field.is_relation) and field.attname not in MADE_AGAIN
    ]


def test_content_survives_all_migrations_but_the_first() -> None:
    shipped.load_fixtures()
    # Columns that are younger than the first migration.
    App.objects.update(reading_en="", reading_vi="")
    Post.objects.update(author=None)
    TeamMember.objects.update(name="")
    before = read_rows()

    migrate("0001")
    assert installing.read_triggers(connection) == {}, "they would refuse every write"
    migrate()

    assert read_rows() == before
    for post in Post.objects.all():
        ids = [f"https://studio.example{each}/blog/{post.slug}" for each in ("", "/vi")]
        assert [post.feed_id_en, post.feed_id_vi] == ids, "what subscribers know"
    assert installing.find_trigger_faults(connection) == []


def test_the_first_migration_runs_backwards_and_forwards_again() -> None:
    migrate("zero")
    assert "catalogue_post" not in connection.introspection.table_names()
    migrate()

    assert not any(read_rows().values())
    assert installing.find_trigger_faults(connection) == []


def test_each_migration_is_one_transaction_so_that_a_kill_undoes_it() -> None:
    migrations = MigrationLoader(connection).disk_migrations

    assert all(each.atomic for (app, _), each in migrations.items() if app == "catalogue")
