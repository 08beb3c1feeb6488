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
        "current and the deployed one always stay. Exit codes: 0 done, 1 failed, 2 usage."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_target(parser)
        command_line.add_json(parser)
        parser.add_argument(
            "--deployed",
            action="store_true",
            help="the site serves the current release: remember it, and remove those that a "
            "deploy job has refused since the last one",
        )
        parser.add_argument(
            "--keep", type=command_line.parse_count, metavar="N", help="keep N releases"
        )

    def handle(
        self, *, target: Path, json: bool, keep: int | None, deployed: bool, **options: Any
    ) -> None:
        folder = Target(target)
        with command_line.report_failures(self, json=json), raising_unusable(target):
            if not folder.releases.is_dir():
                raise NoRelease(target)
            removed = prune_releases(folder, keep, deployed=deployed) if keep or deployed else []
            summaries = list(releases.list_releases(folder))
        members = {"releases": [asdict(each) for each in summaries], "pruned": removed}
        lines = [*map(release_line, summaries), *(f"{name}  removed" for name in removed)]
        command_line.write_report(self, members, "\n".join(lines), json=json)


def prune_releases(target: Target, keep: int | None, *, deployed: bool) -> list[str]:
    """Remove refused and superfluous releases, and return their names."""
    removed = list[str]()
    with target.locked():
        if deployed and target.release and target.release != target.deployed_release:
            refused = releases.refused_releases(target)
            target.switch(target.deployed, target.release)
            removed += remove_releases(target, refused)
        superfluous = releases.superfluous_releases(target, keep) if keep else []
        return removed + remove_releases(target, superfluous)


def remove_releases(target: Target, folders: list[Path]) -> list[str]:
    """Remove releases, the last first, and return their names."""
    for folder in reversed(folders):
        target.remove(folder)
    return [folder.name for folder in folders]


def release_line(release: ReleaseSummary) -> str:
    size = f"{release.documents} documents, {release.size / 1e6:.1f} MB"
    mark = "  current" if release.current else ""
    return f"{release.id}  {release.moment}  {release.fault or size}{mark}"
