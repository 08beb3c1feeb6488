"""Write the capability matrix into the documentation, or check that it is up to date."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from site_mirror.hosts.matrix import render_matrix, replace_matrix
from site_mirror.hosts.table import HOSTS

DOCUMENT = Path("docs/hosts.md")


class Command(BaseCommand):
    help = f"Write the capability matrix into {DOCUMENT}. Exit codes: 0 as it should be, 1 not."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="only compare; write nothing")

    def handle(self, *, check: bool, **options: Any) -> None:
        path = settings.BASE_DIR / DOCUMENT
        document = path.read_text()
        wanted = replace_matrix(document, render_matrix(HOSTS.values()))
        if check and document != wanted:
            raise CommandError(f"{DOCUMENT} is out of date: run manage.py host_matrix.")
        path.write_text(wanted)
