"""Checks at the start of a process: its arguments, its settings and its database."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.core.exceptions import ImproperlyConfigured

from site_mirror.faults import setting_faults

if TYPE_CHECKING:
    from django.db import DatabaseError

SETTINGS_VARIABLE = "DJANGO_SETTINGS_MODULE"
SETTINGS_MODULE = "site_mirror.settings"
USAGE_ERROR = 2
"""The exit code for missing or wrong settings or arguments."""


def refuse_unreadable_arguments(words: Sequence[str]) -> None:
    """End the process with a sentence for the first argument that its encoding cannot read.

    Python keeps each byte of such an argument as a surrogate, which no command can write.
    """
    for number, word in enumerate(words[1:], start=1):
        if any("\ud800" <= letter <= "\udfff" for letter in word):
            encoding = sys.getfilesystemencoding().upper()
            sys.stderr.write(
                f"Argument {number}, {os.fsencode(word)!r}, is not {encoding}: "
                f"write every argument in {encoding}.\n"
            )
            sys.exit(USAGE_ERROR)


def name_settings(words: Sequence[str]) -> None:
    """Set the variable of the settings module: `--settings`, the environment's or this project's.

    Django reads `--settings` only after this project has read its settings.
    """
    parser = ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--settings", nargs="?")
    if module := parser.parse_known_args(words[1:])[0].settings:
        os.environ[SETTINGS_VARIABLE] = module
    os.environ.setdefault(SETTINGS_VARIABLE, SETTINGS_MODULE)


def refuse_wrong_settings() -> None:
    """End the process with a sentence for each missing or wrong setting, on standard error."""
    from django.conf import settings  # noqa: PLC0415  (read here, not at import)

    try:
        faults = module_faults(os.environ.get(SETTINGS_VARIABLE, ""))
        faults = faults or [str(fault) for fault in setting_faults(settings)]
    except ImproperlyConfigured as missing:
        faults = [str(missing)]
    if faults:
        sys.stderr.write("".join(f"{fault}\n" for fault in faults))
        sys.exit(USAGE_ERROR)


def module_faults(name: str) -> list[str]:
    """Return a sentence if the name is not that of this project's module of settings."""
    if name == SETTINGS_MODULE:
        return []
    origin = f"named by --settings or {SETTINGS_VARIABLE}"
    fault = f"{name!a}, {origin}, is not a module with this project's settings"
    return [f"{fault}; name {SETTINGS_MODULE}, or none."]


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
