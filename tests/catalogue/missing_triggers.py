"""Ways to remove or replace triggers, and a `migrate` that restores them."""

from collections.abc import Callable, Mapping

from django.core.management.sql import emit_post_migrate_signal
from django.db import connection

from catalogue import installing
from catalogue.triggers import Trigger, expected_triggers

REVISION, SLUGS = "catalogue_post_update_moves_revision", "catalogue_post_update_remembers"


def drop_all() -> None:
    installing.drop_triggers(connection, installing.read_triggers(connection))


def drop_one(name: str = REVISION) -> None:
    installing.drop_triggers(connection, [find_trigger(name)])


def replace_text_of_one() -> None:
    """Replace a trigger by one with the same name that does nothing."""
    trigger = find_trigger(REVISION)
    drop_one()
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            event = "AFTER UPDATE ON catalogue_post"
            cursor.execute(f"CREATE TRIGGER {REVISION} {event} BEGIN SELECT 1; END")
        else:
            calls = trigger.create.replace(trigger.function, "catalogue_does_nothing")
            cursor.execute(
                "CREATE OR REPLACE FUNCTION catalogue_does_nothing() RETURNS trigger "
                "LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$"
            )
            cursor.execute(calls)


def add_unknown() -> None:
    with connection.cursor() as cursor:
        create = find_trigger(SLUGS).create.replace(SLUGS, "catalogue_post_of_another_program", 1)
        cursor.execute(create)


def disable_one() -> None:
    """Disable a trigger as a restore can; SQLite can only drop it."""
    if connection.vendor == "sqlite":
        drop_one()
        return
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(f"ALTER TABLE catalogue_post DISABLE TRIGGER {REVISION}")


def find_trigger(name: str) -> Trigger:
    return next(each for each in expected_triggers(connection.vendor) if each.name == name)


FAULTS: Mapping[str, Callable[[], None]] = {
    "all dropped": drop_all,
    "one dropped": drop_one,
    "another text": replace_text_of_one,
    "another program's": add_unknown,
    "disabled": disable_one,
}


def run_empty_migrate() -> None:
    """Run `migrate` without migrations to apply."""
    emit_post_migrate_signal(0, interactive=False, db=connection.alias, plan=[])
