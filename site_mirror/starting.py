"""What ends a process at its start: wrong arguments or settings, a database that is not there."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.core.exceptions import ImproperlyConfigured

from site_mirror.faults import setting_faults

if TYPE_CHECKING:
    from django.db import DatabaseError

MODULE = "DJANGO_SETTINGS_MODULE"
SETTINGS = "site_mirror.settings"
USAGE = 2
"""The exit code of a process whose settings are missing or wrong, or whose arguments are."""


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
            sys.exit(USAGE)


def name_settings(words: Sequence[str]) -> None:
    """Name the module of settings for Django: `--settings`, the environment's or this project's.

    Django reads `--settings` later than this project reads its settings.
    """
    parser = ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--settings", nargs="?")
    if named := parser.parse_known_args(words[1:])[0].settings:
        os.environ[MODULE] = named
    os.environ.setdefault(MODULE, SETTINGS)


def refuse_wrong_settings() -> None:
    """End the process with a sentence for each missing or wrong setting, on standard error."""
    from django.conf import settings  # noqa: PLC0415  (is read here, not while modules load)

    try:
        faults = module_faults(os.environ.get(MODULE, ""))
        faults = faults or [str(fault) for fault in setting_faults(settings)]
    except ImproperlyConfigured as missing:
        faults = [str(missing)]
    if faults:
        sys.stderr.write("".join(f"{fault}\n" for fault in faults))
        sys.exit(USAGE)


def module_faults(name: str) -> list[str]:
    """Return an error message unless the name is that of this project's settings module."""
    if name == SETTINGS:
        return []
    found = f"{name!a}, named by --settings or {MODULE}, is no module with this project's settings"
    return [f"{found}; name {SETTINGS}, or none."]


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
