"""Triggers are made at the end of a migrate; missing ones are noticed."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management.sql import emit_post_migrate_signal, emit_pre_migrate_signal
from django.db import DatabaseError, connection
from django.db.migrations import Migration, RunPython
from django.db.migrations.state import ProjectState
from django.utils import timezone

from catalogue.models import Post, Revision
from catalogue.triggers import installing, revision
from catalogue.triggers.checks import check_triggers
from tests import factories
from tests.catalogue import missing_triggers
from tests.catalogue.write_operations import moves_revision

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


def migrate_with(
    act: Callable[[], object], *, app: str = "catalogue", is_killed: bool = False
) -> None:
    """Run a function as a migration; a killed `migrate` does not send `post_migrate`."""
    migration = Migration("one_more", app)

    def run(apps: Any, editor: Any) -> None:
        act()

    migration.operations = [RunPython(run)]  # type: ignore[misc]
    context: dict[str, Any] = {"interactive": False, "db": connection.alias}
    context["plan"] = [(migration, False)]
    emit_pre_migrate_signal(verbosity=0, **context)
    with connection.schema_editor(atomic=True) as editor:
        migration.apply(ProjectState(), editor)
    if not is_killed:
        emit_post_migrate_signal(verbosity=0, **context)


def test_a_migration_that_fails_leaves_the_triggers_as_they_were() -> None:
    def fail() -> None:
        assert installing.read_triggers(connection) == {}
        Post.objects.update(title_en="Another title")
        raise DatabaseError("as when a table exists")

    with pytest.raises(DatabaseError, match="as when"):
        migrate_with(fail)

    assert installing.find_trigger_faults(connection) == []


def test_the_changes_of_a_migration_count_even_if_migrate_is_killed_after_it() -> None:
    factories.make_post()
    migrate_with(lambda: Post.objects.update(title_en="Another title"), is_killed=True)

    assert run_check() != []
    assert moves_revision(missing_triggers.run_empty_migrate)


def test_a_migration_of_another_app_keeps_the_triggers() -> None:
    def look() -> None:
        assert installing.find_trigger_faults(connection) == []

    assert not moves_revision(lambda: migrate_with(look, app="sessions"))
