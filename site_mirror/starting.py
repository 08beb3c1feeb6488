"""A process with a wrong setting ends, and an error of the database becomes a sentence."""

import sys
from typing import TYPE_CHECKING

from django.core.exceptions import ImproperlyConfigured

if TYPE_CHECKING:
    from django.db import DatabaseError

USAGE_ERROR = 2
"""The exit code for missing or wrong settings or arguments."""


def refuse_wrong_settings() -> None:
    """End the process with a sentence if a setting is missing or wrong.

    Django itself would go on without settings, because some of its commands need none.
    """
    try:
        import site_mirror.settings  # noqa: F401, PLC0415  (read here, not at import)
    except ImproperlyConfigured as fault:
        sys.stderr.write(f"{fault}\n")
        sys.exit(USAGE_ERROR)


def database_fault(error: "DatabaseError", command: str) -> str | None:
    """Return a sentence if the database is unreachable or lacks migrations, else `None`.

    An error with neither cause is a fault of the program. For `migrate`, missing migrations are
    not a cause, because a failed `migrate` leaves them.
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
