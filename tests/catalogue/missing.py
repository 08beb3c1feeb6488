"""Triggers that are missing or have another text, and writes that none of them sees."""

from collections.abc import Callable, Mapping

from django.core.management.sql import emit_post_migrate_signal
from django.db import connection

from catalogue import installing
from catalogue.triggers import Trigger, triggers

REVISION, SLUGS = "catalogue_post_update_moves_revision", "catalogue_post_update_remembers"


def all_dropped() -> None:
    installing.drop(connection, installing.found(connection))


def one_dropped(name: str = REVISION) -> None:
    installing.drop(connection, [named(name)])


def one_with_another_text() -> None:
    """It has the name of the revision's trigger and does nothing."""
    trigger = named(REVISION)
    one_dropped()
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


def one_of_another_program() -> None:
    with connection.cursor() as cursor:
        create = named(SLUGS).create.replace(SLUGS, "catalogue_post_of_another_program", 1)
        cursor.execute(create)


def one_disabled() -> None:
    """As a restore leaves it; SQLite drops triggers, it does not disable them."""
    if connection.vendor == "sqlite":
        one_dropped()
        return
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(f"ALTER TABLE catalogue_post DISABLE TRIGGER {REVISION}")


def named(name: str) -> Trigger:
    return next(each for each in triggers(connection.vendor) if each.name == name)


FAULTS: Mapping[str, Callable[[], None]] = {
    "all dropped": all_dropped,
    "one dropped": one_dropped,
    "another text": one_with_another_text,
    "another program's": one_of_another_program,
    "disabled": one_disabled,
}


def migrated() -> None:
    """A `migrate` with nothing to do."""
    emit_post_migrate_signal(0, interactive=False, db=connection.alias, plan=[])
