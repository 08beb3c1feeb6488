"""What ends a process at its start: settings that cannot be used, a database that is not there."""

import sys
from typing import TYPE_CHECKING

from django.core.exceptions import ImproperlyConfigured

from site_mirror.faults import setting_faults

if TYPE_CHECKING:
    from django.db import DatabaseError

USAGE = 2
"""The exit code of a process whose settings are missing or wrong."""


def refuse_wrong_settings() -> None:
    """End the process with a sentence for each missing or wrong setting, on standard error."""
    from django.conf import settings  # noqa: PLC0415  (is read here, not while modules load)

    try:
        faults = [str(fault) for fault in setting_faults(settings)]
    except ImproperlyConfigured as missing:
        faults = [str(missing)]
    if faults:
        sys.stderr.write("".join(f"{fault}\n" for fault in faults))
        sys.exit(USAGE)


def database_fault(error: "DatabaseError", command: str) -> str | None:
    """What is wrong with the database as a whole, in a sentence; `None` where it is in order.

    An error of the database that has neither cause is a fault of the program. A `migrate` that
    fails leaves migrations to do, so they are not the cause of its error.
    """
    from django.db import DatabaseError, connection  # noqa: PLC0415
    from django.db.migrations.executor import MigrationExecutor  # noqa: PLC0415

    try:
        connection.close()
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as unreachable:
        reason = str(unreachable).partition("\n")[0].strip()
        return f"The database of DATABASE_URL cannot be reached: {reason}"
    if missing and command != "migrate":
        return (
            f"The database of DATABASE_URL lacks migrations ({len(missing)}); "
            "run “manage.py migrate” and try again."
        )
    return None
