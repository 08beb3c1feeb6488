"""A migration of the catalogue as `migrate` runs it, made of one function."""

from collections.abc import Callable
from typing import Any

from django.core.management.sql import emit_post_migrate_signal, emit_pre_migrate_signal
from django.db import connection
from django.db.migrations import Migration, RunPython
from django.db.migrations.state import ProjectState

Plan = list[tuple[Migration, bool]]


def planned(migration: Migration) -> Plan:
    """The plan of one migration, announced to all who prepare for it."""
    plan: Plan = [(migration, False)]
    emit_pre_migrate_signal(verbosity=0, interactive=False, db=connection.alias, plan=plan)
    return plan


def applied(act: Callable[[], object]) -> Plan:
    """What a migration does that is killed before `migrate` goes on."""
    migration = Migration("one_more", "catalogue")

    def run(apps: Any, editor: Any) -> None:
        act()

    migration.operations = [RunPython(run)]  # type: ignore[misc]
    plan = planned(migration)
    with connection.schema_editor(atomic=True) as editor:
        migration.apply(ProjectState(), editor)
    return plan


def migrated(act: Callable[[], object]) -> None:
    plan = applied(act)
    emit_post_migrate_signal(verbosity=0, interactive=False, db=connection.alias, plan=plan)
