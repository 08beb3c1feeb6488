"""Serve an earlier release again."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from site_mirror.management.command_line import (
    NOTHING_CHANGED,
    as_json,
    report_failures,
    target_folder,
)
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target


class Command(BaseCommand):
    help = (
        "Make an earlier release the current one, by one rename, if it is still as it was "
        "published. Exit codes: 0 done, 3 it is the current one, 1 refused (the current release "
        "stays), 2 usage."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("target", type=target_folder, help="folder that holds the releases")
        parser.add_argument("release", help="its id, as “manage.py releases” lists it")
        parser.add_argument("--json", action="store_true", help="report as JSON on standard output")

    def handle(self, *, target: Path, release: str, json: bool, **options: Any) -> None:
        with report_failures(self, json=json):
            rolled_back = roll_back(Target(target), release)
        if json:
            outcome = "rolled back" if rolled_back else "unchanged"
            self.stdout.write(as_json({"outcome": outcome, "release": release}))
        elif rolled_back:
            self.stdout.write(f"{target}/current is release {release} again.")
        else:
            self.stdout.write(f"Nothing changed: {release} is the current release.")
        if not rolled_back:
            sys.exit(NOTHING_CHANGED)
