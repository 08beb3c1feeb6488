"""System checks of the database."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Warning  # noqa: A004  (Django's name)
from django.db import connections

from catalogue import installing
from catalogue.models import Revision

TRIGGERS_ID = "catalogue.W001"


def the_triggers_are_in_place(
    app_configs: object, databases: Sequence[str] | None = None, **options: Any
) -> list[CheckMessage]:
    """A missing trigger is a warning: `migrate`, which makes it again, stops at an error."""
    return [message for alias in databases or () for message in of_one(alias)]


def of_one(alias: str) -> list[CheckMessage]:
    connection = connections[alias]
    if Revision._meta.db_table not in connection.introspection.table_names():
        return []
    if not (faults := installing.faults(connection)):
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
