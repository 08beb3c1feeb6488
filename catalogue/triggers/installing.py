"""Installation of the triggers of `catalogue.triggers.sql`.

A migration of the catalogue drops the triggers in its own transaction, because SQLite refuses to
rebuild a table while a trigger names it (sqlite.org/lang_altertable.html, "ALTER TABLE RENAME"). At
its end, `migrate` makes them again and counts all content as changed. A migration that fails leaves
them as they were. If `migrate` is killed between the two, they are missing until the next one; a
system check and every freeze notice that.
"""

from collections.abc import Sequence
from pkgutil import iter_modules
from typing import Any

from django.apps import AppConfig
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations import Migration
from django.db.migrations.operations.base import Operation
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import F
from django.utils import timezone

from catalogue import migrations
from catalogue.models import Revision
from catalogue.triggers.sql import TRIGGER_PREFIX, expected_triggers

# A restore can disable a trigger of PostgreSQL. Its name then is not an expected one.
SELECT_TRIGGERS = {
    "sqlite": "SELECT name, name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname || CASE tgenabled WHEN 'O' THEN '' ELSE ' (disabled)' END, "
    "proname FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid WHERE NOT tgisinternal",
}
DROP_TRIGGER = {
    "sqlite": "DROP TRIGGER {}",
    "postgresql": "DROP FUNCTION IF EXISTS {}() CASCADE",
}


def read_triggers(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Return the names of the catalogue's triggers in the database, each with what to drop."""
    with connection.cursor() as cursor:
        cursor.execute(SELECT_TRIGGERS[connection.vendor])
        return {name: drop for name, drop in cursor.fetchall() if name.startswith(TRIGGER_PREFIX)}


def find_trigger_faults(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the names of triggers that are missing, disabled or not of this program."""
    expected = {trigger.name for trigger in expected_triggers(connection.vendor)}
    return sorted(expected ^ read_triggers(connection).keys())


def drop_triggers(connection: BaseDatabaseWrapper) -> None:
    with connection.cursor() as cursor:
        for name in read_triggers(connection).values():
            cursor.execute(DROP_TRIGGER[connection.vendor].format(name))


def install_triggers(
    sender: AppConfig, using: str, plan: Sequence[tuple[Migration, bool]] = (), **context: Any
) -> None:
    """Install the triggers (a receiver of `post_migrate`).

    Rows may have been written while a trigger was missing, so all content counts as changed. An
    older schema gets no triggers, because they would refuse every write.
    """
    connection = connections[using]
    with transaction.atomic(using=using):
        if not is_schema_current(connection):
            drop_triggers(connection)
        elif of_catalogue(plan) or find_trigger_faults(connection):
            drop_triggers(connection)
            with connection.cursor() as cursor:
                for trigger in expected_triggers(connection.vendor):
                    for statement in trigger.create:
                        cursor.execute(statement)
            now = timezone.now()
            Revision.objects.using(using).update(
                number=F("number") + 1, changed_at=now, public_changed_at=now
            )


def is_schema_current(connection: BaseDatabaseWrapper) -> bool:
    """Whether every migration of the catalogue is applied."""
    applied = MigrationRecorder(connection).applied_migrations()
    names = (module.name for module in iter_modules(migrations.__path__))
    return all(("catalogue", name) in applied for name in names)


def of_catalogue(plan: Sequence[tuple[Migration, bool]]) -> list[Migration]:
    return [migration for migration, _ in plan if migration.app_label == "catalogue"]


def prepare_migrations(
    sender: AppConfig, using: str, plan: Sequence[tuple[Migration, bool]] = (), **context: Any
) -> None:
    """Let each migration of the catalogue drop the triggers (a receiver of `pre_migrate`)."""
    for migration in of_catalogue(plan):
        own: Any = migration
        own.operations = [DropTriggers(), *migration.operations, DropTriggers()]


class DropTriggers(Operation):
    """Drops the triggers; it is the first operation of a migration in either direction."""

    def state_forwards(self, app_label: str, state: Any) -> None:
        """Do nothing, because triggers are not in the state of a project."""

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        drop_triggers(schema_editor.connection)

    database_backwards = database_forwards
