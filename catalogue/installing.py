"""Installation of the triggers of `catalogue.triggers`, and checks of the installed ones.

A migration of the catalogue drops the triggers and creates them again inside its own transaction,
because SQLite refuses to rebuild a table while a trigger names it
(sqlite.org/lang_altertable.html, "ALTER TABLE RENAME"). A migration that fails or is killed at any
statement therefore leaves them as they were. At its end, `migrate` compares them with the
program. If one is missing or has another text, it is created again and all content counts as
changed.
"""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig, apps
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations import Migration
from django.db.migrations.operations.base import Operation, OperationCategory

from catalogue import slug_memory
from catalogue.triggers import Trigger, expected_triggers
from catalogue.visibility_sql import NOW

TRIGGER_PREFIX = "catalogue_"
SELECT_TRIGGERS = {
    "sqlite": "SELECT name, tbl_name, sql, '' FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname, tgrelid::regclass::text, pg_get_triggerdef(t.oid, true), "
    "CASE tgenabled WHEN 'O' THEN '' ELSE 'disabled' END || coalesce(prosrc, '') "
    "FROM pg_trigger AS t LEFT JOIN pg_proc AS p ON p.oid = tgfoid WHERE NOT tgisinternal",
}
DROP_TRIGGER = {
    "sqlite": "DROP TRIGGER {0.name}",
    "postgresql": "DROP TRIGGER {0.name} ON {0.table}",
}
SELECT_COLUMNS = {
    "sqlite": "SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_xinfo(m.name) AS c "
    "WHERE m.type = 'table'",
    "postgresql": "SELECT table_name, column_name FROM information_schema.columns "
    "WHERE table_schema = current_schema()",
}
COUNT_TRIGGERS = {
    "sqlite": "(SELECT count(*) FROM sqlite_master "
    "WHERE type = 'trigger' AND substr(name, 1, 10) = 'catalogue_')",
    "postgresql": "(SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal "
    "AND tgenabled = 'O' AND starts_with(tgname::text, 'catalogue_'))",
}
"""An expression for the number of enabled triggers of the catalogue."""


def install_triggers(
    sender: AppConfig, using: str, plan: Sequence[tuple[Migration, bool]] = (), **context: Any
) -> None:
    """Install the triggers (a receiver of `post_migrate`).

    If rows may have been rewritten while a trigger was missing, former slugs are searched and the
    content revision moves. A schema that the models do not match gets no triggers, because they
    would refuse every write.
    """
    connection = connections[using]
    known = read_columns(connection)
    if not is_schema_complete(known):
        with transaction.atomic(using=using):
            drop_triggers(connection, read_triggers(connection))
        return
    is_suspect = has_catalogue_migration(plan) or not are_triggers_intact(connection)
    with transaction.atomic(using=using), connection.cursor() as cursor:
        cursor.execute(slug_memory.known_slug_table_sql(connection.vendor))
        if is_suspect:
            replace_triggers(connection)
        for slugs in slug_memory.FORMER_SLUGS if is_suspect else ():
            for statement in (*slugs.find_missed(NOW[connection.vendor]), *slugs.record_all_rows()):
                cursor.execute(statement)
        if is_suspect:
            mark_all_changed(connection, known)


def has_catalogue_migration(plan: Sequence[tuple[Migration, bool]]) -> bool:
    return any(migration.app_label == "catalogue" for migration, _ in plan)


def replace_triggers(connection: BaseDatabaseWrapper) -> None:
    """Create every trigger that is missing or has another text, and drop unknown triggers."""
    expected = set(map(trigger_identity, expected_triggers(connection.vendor)))
    installed = read_triggers(connection)
    intact = [trigger for trigger in installed if trigger_identity(trigger) in expected]
    drop_triggers(connection, [trigger for trigger in installed if trigger not in intact])
    intact_names = {trigger.name for trigger in intact}
    with connection.cursor() as cursor:
        for trigger in expected_triggers(connection.vendor):
            if trigger.name not in intact_names:
                if trigger.function:
                    cursor.execute(function_sql(trigger))
                cursor.execute(trigger.create)


def function_sql(trigger: Trigger) -> str:
    return (
        f"CREATE OR REPLACE FUNCTION {trigger.function}() RETURNS trigger "
        f"LANGUAGE plpgsql AS $${trigger.body}$$"
    )


def trigger_identity(trigger: Trigger) -> tuple[str, str, str, str]:
    """Return the values of a trigger that the database stores."""
    return trigger.name, trigger.table, trigger.create, trigger.body


def read_triggers(connection: BaseDatabaseWrapper) -> list[Trigger]:
    """Return the triggers of the catalogue that the database has, as the database stores them."""
    with connection.cursor() as cursor:
        cursor.execute(SELECT_TRIGGERS[connection.vendor])
        rows = cursor.fetchall()
    return [
        Trigger(table, name, create, body=body)
        for name, table, create, body in rows
        if name.startswith(TRIGGER_PREFIX)
    ]


def find_trigger_faults(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the names of triggers that are missing, unknown or have another text."""
    installed = set(map(trigger_identity, read_triggers(connection)))
    expected = set(map(trigger_identity, expected_triggers(connection.vendor)))
    return sorted({name for name, *_ in installed ^ expected})


def are_triggers_intact(connection: BaseDatabaseWrapper) -> bool:
    """Whether the database has exactly the triggers that the program expects."""
    return not find_trigger_faults(connection)


def drop_triggers(connection: BaseDatabaseWrapper, triggers: Sequence[Trigger]) -> None:
    with connection.cursor() as cursor:
        for trigger in triggers:
            cursor.execute(DROP_TRIGGER[connection.vendor].format(trigger))


def read_columns(connection: BaseDatabaseWrapper) -> dict[str, set[str]]:
    """Return the names of the columns of every table."""
    columns: dict[str, set[str]] = {}
    with connection.cursor() as cursor:
        cursor.execute(SELECT_COLUMNS[connection.vendor])
        for table, column in cursor.fetchall():
            columns.setdefault(table, set()).add(column)
    return columns


def is_schema_complete(known: dict[str, set[str]]) -> bool:
    """Whether every table and column of the models exists."""
    models = apps.get_app_config("catalogue").get_models(include_auto_created=True)
    return all(
        {field.column for field in model._meta.concrete_fields}
        <= known.get(model._meta.db_table, set())
        for model in models
    )


def mark_all_changed(connection: BaseDatabaseWrapper, known: dict[str, set[str]]) -> None:
    """Count all content as changed, if the table of the revision exists and has a row."""
    moments = {"changed_at", "public_changed_at"} & known.get("catalogue_revision", set())
    if moments:
        values = "".join(f", {name} = {NOW[connection.vendor]}" for name in sorted(moments))
        with connection.cursor() as cursor:
            cursor.execute(f"UPDATE catalogue_revision SET number = number + 1{values}")  # noqa: S608


def wrap_migrations(
    sender: AppConfig, using: str, plan: Sequence[tuple[Migration, bool]] = (), **context: Any
) -> None:
    """Let each migration of the catalogue drop and restore the triggers (for `pre_migrate`)."""
    for migration, _ in plan:
        if migration.app_label == "catalogue":
            kept: list[Trigger] = []
            ends = SetAside(kept, first=True), SetAside(kept, first=False)
            own: Any = migration
            own.operations = [ends[0], *migration.operations, ends[1]]


class SetAside(Operation):
    """Drops the triggers at the beginning of a migration, in either direction.

    At its end, the triggers are restored that the program still has and whose tables still exist,
    and all content counts as changed.
    """

    reversible = True
    reduces_to_sql = False
    category = OperationCategory.PYTHON

    def __init__(self, kept: list[Trigger], *, first: bool) -> None:
        self.kept, self.first = kept, first

    def state_forwards(self, app_label: str, state: Any) -> None:
        """Do nothing, because triggers are not in the state of a project."""

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        if self.first:
            self.set_aside(schema_editor.connection)
        else:
            self.put_back(schema_editor.connection)

    def database_backwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        if self.first:
            self.put_back(schema_editor.connection)
        else:
            self.set_aside(schema_editor.connection)

    def set_aside(self, connection: BaseDatabaseWrapper) -> None:
        self.kept[:] = read_triggers(connection)
        drop_triggers(connection, self.kept)

    def put_back(self, connection: BaseDatabaseWrapper) -> None:
        known = read_columns(connection)
        expected = {trigger.name for trigger in expected_triggers(connection.vendor)}
        with connection.cursor() as cursor:
            for trigger in self.kept:
                if trigger.table in known and trigger.name in expected:
                    cursor.execute(trigger.create)
        mark_all_changed(connection, known)

    def describe(self) -> str:
        return "Set the triggers aside" if self.first else "Put the triggers back"
