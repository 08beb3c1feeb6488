"""Replace the database by a backup."""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from catalogue.models import Studio
from site_mirror.management import backups, command_line
from site_mirror.starting import USAGE_ERROR


class Command(BaseCommand):
    help = (
        "Replace the whole database by a backup, then migrate it. Stop the live origin before. "
        "Exit codes: 0 restored, 1 failed and the database is as it was, 2 usage."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="what “backup” wrote")
        parser.add_argument(
            "--replace", action="store_true", help="replace a database that has content"
        )

    def handle(self, *, file: Path, replace: bool, **options: Any) -> None:
        if has_content() and not replace:
            raise CommandError(
                "The database has content, which a restore would replace: use --replace.",
                returncode=USAGE_ERROR,
            )
        backups.restore_backup(file)
        call_command("migrate", interactive=False, verbosity=0)
        command_line.write_line(self.stdout, f"The database is that of {file}.")


def has_content() -> bool:
    tables = connection.introspection.table_names()
    return Studio._meta.db_table in tables and Studio.objects.exists()
