"""List the releases of a target, and remove old ones."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from site_mirror.management.answers import as_json, at_least_one, failures_told, folder
from site_mirror.snapshot import releases
from site_mirror.snapshot.errors import NoRelease
from site_mirror.snapshot.releases import Release
from site_mirror.snapshot.target import Target, explained


class Command(BaseCommand):
    help = (
        "List the releases of a target, the newest first. With --keep, remove old ones; the "
        "current one always stays. Exit codes: 0 done, 1 failed, 2 usage."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("target", type=folder, help="folder that holds the releases")
        parser.add_argument("--json", action="store_true", help="list as JSON on standard output")
        parser.add_argument(
            "--keep", type=at_least_one, metavar="N", help="keep N releases, the current among them"
        )

    def handle(self, *, target: Path, json: bool, keep: int | None, **options: Any) -> None:
        place = Target(target)
        with failures_told(self, json=json), explained(target):
            if not place.releases.is_dir():
                raise NoRelease(target)
            removed = pruned(place, keep) if keep else []
            found = list(releases.listed(place))
        if json:
            members = [release.members() for release in found]
            self.stdout.write(as_json({"releases": members, "pruned": removed}))
        else:
            for line in (*map(in_words, found), *(f"{name}  removed" for name in removed)):
                self.stdout.write(line)


def pruned(target: Target, keep: int) -> list[str]:
    """Remove what is superfluous, the oldest first; returns the names."""
    with target.locked():
        superfluous = releases.superfluous(target, keep)
        for release in reversed(superfluous):
            target.remove(release)
        return [release.name for release in superfluous]


def in_words(release: Release) -> str:
    size = f"{release.documents} documents, {release.size / 1e6:.1f} MB"
    mark = "  current" if release.current else ""
    return f"{release.id}  {release.moment}  {release.fault or size}{mark}"
