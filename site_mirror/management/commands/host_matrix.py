"""Write the capability matrix into the documentation."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from site_mirror.hosts.matrix import render_matrix, replace_matrix
from site_mirror.hosts.table import HOSTS


class Command(BaseCommand):
    help = "Write the capability matrix into docs/hosts.md."

    def handle(self, **options: Any) -> None:
        document = settings.BASE_DIR / "docs" / "hosts.md"
        document.write_text(replace_matrix(document.read_text(), render_matrix(HOSTS.values())))
