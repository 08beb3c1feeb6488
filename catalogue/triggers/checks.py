"""System checks of the database."""

from collections.abc import Sequence

from django.core.checks import CheckMessage, Warning  # noqa: A004  (Django's name)
from django.db import connections

from catalogue.models import Revision
from catalogue.triggers import installing


def check_triggers(
    app_configs: object, databases: Sequence[str] | None = None, **options: object
) -> list[CheckMessage]:
    """Return a warning for missing triggers.

    It is not an error because `migrate`, which makes the triggers again, stops at an error.
    """
    return [
        Warning(
            f"{len(faults)} triggers of the catalogue are missing or are not those of this "
            f"program, {faults[0]} among them. Every freeze reads all content, and old addresses "
            "of renamed rows are not remembered.",
            hint="Run “manage.py migrate”.",
            id="catalogue.W001",
        )
        for alias in databases or ()
        if Revision._meta.db_table in connections[alias].introspection.table_names()
        and (faults := installing.find_trigger_faults(connections[alias]))
    ]
