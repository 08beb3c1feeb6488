"""Runs a function as a migration of the catalogue."""

from collections.abc import Callable
from typing import Any

from django.core.management.sql import emit_post_migrate_signal, emit_pre_migrate_signal
from django.db import connection
from django.db.migrations import Migration, RunPython
from django.db.migrations.state import ProjectState

Plan = list[tuple[Migration, bool]]


def plan_migration(migration: Migration) -> Plan:
    """Return the plan of one migration, and send the signal `pre_migrate`."""
    plan: Plan = [(migration, False)]
    emit_pre_migrate_signal(verbosity=0, interactive=False, db=connection.alias, plan=plan)
    return plan


def apply_migration(act: Callable[[], object], app: str = "catalogue") -> Plan:
    """Apply a migration without the signal `post_migrate`, as a killed `migrate` does."""
    migration = Migration("one_more", app)

    def run(apps: Any, editor: Any) -> None:
        act()

    migration.operations = [RunPython(run)]  # type: ignore[misc]
    plan = plan_migration(migration)
    with connection.schema_editor(atomic=True) as editor:
        migration.apply(ProjectState(), editor)
    return plan


def migrate_with(act: Callable[[], object], app: str = "catalogue") -> None:
    plan = apply_migration(act, app)
    emit_post_migrate_signal(verbosity=0, interactive=False, db=connection.alias, plan=plan)
