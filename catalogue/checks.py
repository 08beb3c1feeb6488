"""System checks of the database."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Warning  # noqa: A004  (Django's name)
from django.db import connections

from catalogue import installing
from catalogue.models import Revision

TRIGGERS_ID = "catalogue.W001"


def check_triggers(
    app_configs: object, databases: Sequence[str] | None = None, **options: Any
) -> list[CheckMessage]:
    """Return a warning for a missing trigger.

    It is not an error because `migrate`, which creates the trigger again, stops at an error.
    """
    return [message for alias in databases or () for message in trigger_warnings(alias)]


def trigger_warnings(alias: str) -> list[CheckMessage]:
    connection = connections[alias]
    if Revision._meta.db_table not in connection.introspection.table_names():
        return []
    if not (faults := installing.find_trigger_faults(connection)):
        return []
    return [
        Warning(
            f"{len(faults)} triggers of the catalogue are missing or are not those of this "
            f"program, {faults[0]} among them. Every freeze reads all content, and old addresses "
            "of renamed rows are remembered late.",
            hint="Run “manage.py migrate”.",
            id=TRIGGERS_ID,
        )
    ]
