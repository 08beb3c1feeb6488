"""Write the configuration with which a host serves a release."""

from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from site_mirror.hosts import release
from site_mirror.hosts.folder import fill_folder
from site_mirror.hosts.host import Deployment, UnsuitableRelease
from site_mirror.hosts.table import HOSTS
from site_mirror.management import command_line
from site_mirror.snapshot.errors import ManifestDamaged
from site_mirror.starting import USAGE_ERROR


class Command(BaseCommand):
    help = (
        "Write the configuration with which a host serves a release. "
        "Exit codes: 0 written, 1 failed, 2 usage."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("host", choices=sorted(HOSTS))
        parser.add_argument("release", type=Path, help="a release, such as TARGET/current")
        parser.add_argument("folder", type=Path, help="where the files are written")
        parser.add_argument("--listen", default="127.0.0.1:8080", type=parse_endpoint)
        parser.add_argument("--release-at", type=Path, help="the release's path on the host")
        parser.add_argument("--folder-at", type=Path, help="the folder's path on the host")

    def handle(self, *, host: str, release: Path, folder: Path, **options: Any) -> None:
        source = read_release_argument(release)
        deployment = Deployment(
            options["release_at"] or source.folder,
            options["folder_at"] or folder.resolve(),
            options["listen"],
        )
        try:
            files = HOSTS[host].files(source, deployment)
            fill_folder(folder, files)
        except UnsuitableRelease as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{folder} cannot be written: {error.strerror}.") from error
        parts = dict.fromkeys(name.partition("/")[0] for name in files)
        written = ", ".join(parts) or "nothing: this host needs no configuration"
        command_line.write_line(self.stdout, f"Written to {folder}: {written}.")


def parse_endpoint(text: str) -> str:
    """Check the form `ADDRESS:PORT`."""
    address, _, port = text.rpartition(":")
    if not address or not port.isdigit() or int(port) > command_line.MAX_PORT:
        raise ArgumentTypeError(
            f"{text!r}: use an address and a port, such as 127.0.0.1:8080; "
            f"a port is at most {command_line.MAX_PORT}"
        )
    return text


def read_release_argument(folder: Path) -> release.ServedRelease:
    try:
        return release.read_release(folder)
    except (ManifestDamaged, OSError) as error:
        raise CommandError(
            f"{folder} has no whole manifest of this program. "
            "Name a release, such as the TARGET/current that “manage.py freeze TARGET” makes.",
            returncode=USAGE_ERROR,
        ) from error
