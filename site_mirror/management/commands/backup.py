"""Write the whole database into one file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from site_mirror.management import backups, command_line


class Command(BaseCommand):
    help = (
        "Write the whole database into one file: content, accounts, permissions. Editors may go on "
        "working. Exit codes: 0 written, 1 failed, 2 usage."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="replaced if it exists")

    def handle(self, *, file: Path, **options: Any) -> None:
        backups.write_backup(file)
        told = f"{file} holds the database: {file.stat().st_size} bytes."
        command_line.write_line(self.stdout, told)
