"""Serve an earlier release again."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from site_mirror.management import command_line
from site_mirror.snapshot.report import Outcome
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target


class Command(BaseCommand):
    help = (
        "Make an earlier release the current one, by one rename, if it is still as it was "
        "published. Exit codes: 0 done, 3 it is the current one, 1 refused (the current release "
        "stays), 2 usage."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_target(parser)
        parser.add_argument("release", help="its id, as “manage.py releases” lists it")
        command_line.add_json(parser)

    def handle(self, *, target: Path, release: str, json: bool, **options: Any) -> None:
        with command_line.report_failures(self, json=json):
            members, text = go_back(target, release)
        command_line.write_report(self, members, text, json=json)
        if members["outcome"] == Outcome.UNCHANGED:
            sys.exit(command_line.NOTHING_CHANGED)


def go_back(folder: Path, release: str, *, deployed: bool = True) -> tuple[dict[str, Any], str]:
    """Make a release the current one; return the members of a report, and a sentence."""
    rolled_back = roll_back(Target(folder), release, deployed=deployed)
    members = {"outcome": "rolled back" if rolled_back else "unchanged", "release": release}
    text = f"Nothing changed: {release} is the current release."
    if rolled_back:
        text = f"{folder}/current is release {release} again."
    return members, text
