"""List the releases of a target, and remove old ones."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from msgspec.structs import asdict

from site_mirror.management import command_line
from site_mirror.snapshot import releases
from site_mirror.snapshot.errors import NoRelease
from site_mirror.snapshot.releases import ReleaseSummary
from site_mirror.snapshot.target import Target, raising_unusable


class Command(BaseCommand):
    help = (
        "List the releases of a target, the newest first. With --keep, remove old ones; the "
        "current one always stays. Exit codes: 0 done, 1 failed, 2 usage."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_target(parser)
        command_line.add_json(parser)
        command_line.add_keep(parser)

    def handle(self, *, target: Path, json: bool, keep: int | None, **options: Any) -> None:
        folder = Target(target)
        with command_line.report_failures(self, json=json), raising_unusable(target):
            if not folder.releases.is_dir():
                raise NoRelease(target)
            removed = prune_releases(folder, keep) if keep else []
            summaries = list(releases.list_releases(folder))
        members = {"releases": [asdict(each) for each in summaries], "pruned": removed}
        lines = [*map(release_line, summaries), *(f"{name}  removed" for name in removed)]
        command_line.write_report(self, members, "\n".join(lines), json=json)


def prune_releases(target: Target, keep: int) -> list[str]:
    """Remove superfluous releases, the oldest first, and return their names."""
    with target.locked():
        superfluous = releases.superfluous_releases(target, keep)
        for release in reversed(superfluous):
            target.remove(release)
        return [release.name for release in superfluous]


def release_line(release: ReleaseSummary) -> str:
    size = f"{release.documents} documents, {release.size / 1e6:.1f} MB"
    mark = "  current" if release.current else ""
    return f"{release.id}  {release.moment}  {release.fault or size}{mark}"
