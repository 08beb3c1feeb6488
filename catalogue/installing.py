"""Puts the triggers of `catalogue.triggers` in place, and tells whether they are.

A migration of the catalogue takes the triggers away and puts them back inside its own
transaction: SQLite refuses to rebuild a table while a trigger names it
(sqlite.org/lang_altertable.html, "ALTER TABLE RENAME"). A migration that fails or is killed at any
statement therefore leaves them as they were. `migrate` compares them with the program in the end;
where one is missing or has another text, it makes it anew and takes all content for changed.
"""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig, apps
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations import Migration
from django.db.migrations.operations.base import Operation, OperationCategory

from catalogue import slug_memory, stamps
from catalogue.shown import NOW
from catalogue.triggers import Trigger, triggers

OWN = "catalogue_"
FOUND = {
    "sqlite": "SELECT name, tbl_name, sql, '' FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname, tgrelid::regclass::text, pg_get_triggerdef(t.oid, true), "
    "CASE tgenabled WHEN 'O' THEN '' ELSE 'disabled' END || coalesce(prosrc, '') "
    "FROM pg_trigger AS t LEFT JOIN pg_proc AS p ON p.oid = tgfoid WHERE NOT tgisinternal",
}
DROP = {"sqlite": "DROP TRIGGER {0.name}", "postgresql": "DROP TRIGGER {0.name} ON {0.table}"}
COLUMNS = {
    "sqlite": "SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_xinfo(m.name) AS c "
    "WHERE m.type = 'table'",
    "postgresql": "SELECT table_name, column_name FROM information_schema.columns "
    "WHERE table_schema = current_schema()",
}
IN_PLACE = {
    "sqlite": "(SELECT count(*) FROM sqlite_master "
    "WHERE type = 'trigger' AND substr(name, 1, 10) = 'catalogue_')",
    "postgresql": "(SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal "
    "AND tgenabled = 'O' AND starts_with(tgname::text, 'catalogue_'))",
}
"""How many triggers of the catalogue there are, as a part of a query."""


def install(
    sender: AppConfig, using: str, plan: Sequence[tuple[Migration, bool]] = (), **context: Any
) -> None:
    """Put the triggers in place; safe to run again.

    Where rows may have been rewritten while a trigger was missing, former slugs are looked for,
    stamps are drawn anew and the revision moves. A schema that is not the program's gets no
    triggers: they would refuse every write.
    """
    connection = connections[using]
    known = columns(connection)
    if not is_of_the_program(known):
        with transaction.atomic(using=using):
            drop(connection, found(connection))
        return
    anew = of_the_catalogue(plan) or not intact(connection)
    with transaction.atomic(using=using), connection.cursor() as cursor:
        cursor.execute(slug_memory.table(connection.vendor))
        if anew:
            put_in_place(connection)
        for slugs in slug_memory.FORMER_SLUGS if anew else ():
            for statement in (*slugs.compared(NOW[connection.vendor]), *slugs.repeated()):
                cursor.execute(statement)
        if anew:
            touch(connection, known)
        for statement in stamps.table(connection.vendor, anew=anew):
            cursor.execute(statement)


def of_the_catalogue(plan: Sequence[tuple[Migration, bool]]) -> bool:
    return any(migration.app_label == "catalogue" for migration, _ in plan)


def put_in_place(connection: BaseDatabaseWrapper) -> None:
    """Make every trigger that is missing or has another text, and drop those of other programs."""
    expected = set(map(told, triggers(connection.vendor)))
    there = found(connection)
    drop(connection, [trigger for trigger in there if told(trigger) not in expected])
    standing = {trigger.name for trigger in there if told(trigger) in expected}
    with connection.cursor() as cursor:
        for trigger in triggers(connection.vendor):
            if trigger.name not in standing:
                if trigger.function:
                    cursor.execute(function(trigger))
                cursor.execute(trigger.create)


def function(trigger: Trigger) -> str:
    return (
        f"CREATE OR REPLACE FUNCTION {trigger.function}() RETURNS trigger "
        f"LANGUAGE plpgsql AS $${trigger.body}$$"
    )


def told(trigger: Trigger) -> tuple[str, str, str, str]:
    """All that the database tells of a trigger."""
    return trigger.name, trigger.table, trigger.create, trigger.body


def found(connection: BaseDatabaseWrapper) -> list[Trigger]:
    """The triggers of the catalogue that the database has, with all that it tells of them."""
    with connection.cursor() as cursor:
        cursor.execute(FOUND[connection.vendor])
        rows = cursor.fetchall()
    return [
        Trigger(table, name, create, body=body)
        for name, table, create, body in rows
        if name.startswith(OWN)
    ]


def faults(connection: BaseDatabaseWrapper) -> list[str]:
    """Names of triggers that are missing, are of another program or have another text."""
    there = set(map(told, found(connection)))
    expected = set(map(told, triggers(connection.vendor)))
    return sorted({name for name, *_ in there ^ expected})


def intact(connection: BaseDatabaseWrapper) -> bool:
    """Whether every write was seen by the triggers that the program expects."""
    return not faults(connection)


def drop(connection: BaseDatabaseWrapper, some: Sequence[Trigger]) -> None:
    with connection.cursor() as cursor:
        for trigger in some:
            cursor.execute(DROP[connection.vendor].format(trigger))


def columns(connection: BaseDatabaseWrapper) -> dict[str, set[str]]:
    """The columns of every table."""
    told: dict[str, set[str]] = {}
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS[connection.vendor])
        for table, column in cursor.fetchall():
            told.setdefault(table, set()).add(column)
    return told


def is_of_the_program(known: dict[str, set[str]]) -> bool:
    """Whether every table and column of the models is there."""
    models = apps.get_app_config("catalogue").get_models(include_auto_created=True)
    return all(
        {field.column for field in model._meta.concrete_fields}
        <= known.get(model._meta.db_table, set())
        for model in models
    )


def touch(connection: BaseDatabaseWrapper, known: dict[str, set[str]]) -> None:
    """Take all content for changed, as far as the schema keeps moments; an empty database stays."""
    moments = {"changed_at", "public_changed_at"} & known.get("catalogue_revision", set())
    if moments:
        values = "".join(f", {name} = {NOW[connection.vendor]}" for name in sorted(moments))
        with connection.cursor() as cursor:
            cursor.execute(f"UPDATE catalogue_revision SET number = number + 1{values}")  # noqa: S608


def protect(
    sender: AppConfig, using: str, plan: Sequence[tuple[Migration, bool]] = (), **context: Any
) -> None:
    """Before a migrate: let each migration of the catalogue set the triggers aside by itself."""
    for migration, _ in plan:
        if migration.app_label == "catalogue":
            kept: list[Trigger] = []
            ends = SetAside(kept, first=True), SetAside(kept, first=False)
            own: Any = migration
            own.operations = [ends[0], *migration.operations, ends[1]]


class SetAside(Operation):
    """Takes the triggers away at the beginning of a migration, in either direction, and puts back
    those whose tables are still there at its end, when all content counts as changed.
    """

    reversible = True
    reduces_to_sql = False
    category = OperationCategory.PYTHON

    def __init__(self, kept: list[Trigger], *, first: bool) -> None:
        self.kept, self.first = kept, first

    def state_forwards(self, app_label: str, state: Any) -> None:
        """The triggers are in no state."""

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
        self.kept[:] = found(connection)
        drop(connection, self.kept)

    def put_back(self, connection: BaseDatabaseWrapper) -> None:
        known = columns(connection)
        with connection.cursor() as cursor:
            for trigger in self.kept:
                if trigger.table in known:
                    cursor.execute(trigger.create)
        touch(connection, known)

    def describe(self) -> str:
        return "Set the triggers aside" if self.first else "Put the triggers back"
