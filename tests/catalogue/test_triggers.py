"""Triggers are made at the end of a migrate; missing ones are noticed."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.db import DatabaseError, connection
from django.db.models import Model, TextField
from django.utils import timezone

from catalogue.models import Post, Revision, TeamMember
from catalogue.triggers import installing, revision
from catalogue.triggers.checks import check_triggers
from tests import factories
from tests.catalogue import migration_runner, missing_triggers
from tests.catalogue.write_operations import moves_revision
from tests.factories import list_tables

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

LONG_AGO = datetime(2026, 2, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def restored_triggers() -> Iterator[None]:
    """Restore the triggers for the next test."""
    yield
    missing_triggers.run_empty_migrate()


def run_check() -> list[tuple[str | None, str | None]]:
    return [(found.id, found.hint) for found in check_triggers(None, databases=["default"])]


@pytest.mark.parametrize("fault", missing_triggers.FAULTS.values(), ids=missing_triggers.FAULTS)
def test_missing_triggers_are_noticed_and_made_by_a_migrate(fault: Callable[[], None]) -> None:
    factories.make_post()
    assert (run_check(), check_triggers(None)) == ([], [])
    assert not moves_revision(missing_triggers.run_empty_migrate)

    fault()
    Revision.objects.update(public_changed_at=LONG_AGO)

    assert run_check() == [("catalogue.W001", "Run “manage.py migrate”.")]
    assert moves_revision(missing_triggers.run_empty_migrate), "all content counts as changed"
    assert revision.last_public_change(timezone.now()) > timezone.now() - timedelta(hours=1)
    assert run_check() == []
    assert moves_revision(lambda: Post.objects.update(title_en="Another title"))


def test_a_migration_that_fails_leaves_the_triggers_as_they_were() -> None:
    def fail() -> None:
        assert installing.read_triggers(connection) == {}
        Post.objects.update(title_en="Another title")
        raise DatabaseError("as when a table exists")

    with pytest.raises(DatabaseError, match="as when"):
        migration_runner.migrate_with(fail)

    assert installing.find_trigger_faults(connection) == []


def test_the_changes_of_a_migration_count_even_if_migrate_is_killed_after_it() -> None:
    factories.make_post()
    migration_runner.apply_migration(lambda: Post.objects.update(title_en="Another title"))

    assert run_check() != []
    assert moves_revision(missing_triggers.run_empty_migrate)


def test_a_migration_of_another_app_keeps_the_triggers() -> None:
    def look() -> None:
        assert installing.find_trigger_faults(connection) == []

    assert not moves_revision(lambda: migration_runner.migrate_with(look, app="sessions"))


def rebuild_table(model: type[Model]) -> None:
    """Add a column and remove it again, as two migrations do."""
    column = TextField(default="")
    column.set_attributes_from_name("passing")
    column.model = model
    with connection.schema_editor() as editor:
        editor.add_field(model, column)
    with connection.schema_editor() as editor:
        if connection.vendor == "sqlite":
            editor._remake_table(model)
        else:
            editor.remove_field(model, column)


def test_every_table_can_be_rebuilt_by_a_migration() -> None:
    def rebuild() -> None:
        for model in list_tables():
            rebuild_table(model)

    migration_runner.migrate_with(rebuild)

    assert installing.find_trigger_faults(connection) == []
    assert moves_revision(lambda: factories.make_team_member().delete())
    assert not TeamMember.objects.exists()
