"""Ways to remove or add triggers, and a `migrate` that restores them."""

from collections.abc import Callable, Mapping

from django.core.management.sql import emit_post_migrate_signal
from django.db import connection

from catalogue.triggers import installing
from catalogue.triggers.sql import expected_triggers


def drop_all() -> None:
    installing.drop_triggers(connection)


def add_of_another_program() -> None:
    """Make a trigger of this program again, under the name that it has in another version."""
    name = find_trigger("catalogue_post_update_remembers")
    create = next(each.create for each in expected_triggers(connection.vendor) if each.name == name)
    with connection.cursor() as cursor:
        for statement in create:
            cursor.execute(statement.replace(name, "catalogue_post_update_remembers_0"))


def disable_one() -> None:
    """Disable a trigger as a restore can; SQLite can only drop it."""
    name = find_trigger("catalogue_post_update_moves_revision")
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"DROP TRIGGER {name}")
        else:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(f"ALTER TABLE catalogue_post DISABLE TRIGGER {name}")


def find_trigger(beginning: str) -> str:
    names = (trigger.name for trigger in expected_triggers(connection.vendor))
    return next(name for name in names if name.startswith(beginning))


FAULTS: Mapping[str, Callable[[], None]] = {
    "all dropped": drop_all,
    "another program's": add_of_another_program,
    "disabled": disable_one,
}


def run_empty_migrate() -> None:
    """Run `migrate` without migrations to apply."""
    emit_post_migrate_signal(0, interactive=False, db=connection.alias, plan=[])
