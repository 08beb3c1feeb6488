"""The door to parity: a base address and a release in, the differences out."""

import ssl
import sys
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser

from site_mirror.hosts import report
from site_mirror.hosts.table import HOSTS
from site_mirror.hosts.verify import Verification
from site_mirror.hosts.wire import Endpoint, Site, Unreachable, Wire
from site_mirror.management.commands.host import endpoint, read

DIFFERENT, USAGE = 1, 2
LAST_PORT = 65535


class Command(BaseCommand):
    help = (
        "Ask a base address for everything that a release promises, and tell each difference. "
        "Exit codes: 0 parity, 1 differences, 2 usage or nobody answers."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("url", help="an origin, such as https://studio.example")
        parser.add_argument("release", type=Path, help="a release, such as TARGET/current")
        parser.add_argument(
            "--host",
            choices=sorted(HOSTS),
            help="what answers there: what this host cannot do is not held against it",
        )
        parser.add_argument("--connect", type=pair, metavar="HOST:PORT", help="where to connect")
        parser.add_argument(
            "--ca-file",
            type=authorities,
            metavar="FILE",
            help="certificate authorities (PEM) to trust for https instead of the system's",
        )
        parser.add_argument(
            "--client",
            action="append",
            default=[],
            metavar="ADDRESS",
            help="an address of this machine to ask from; several share the budget of requests",
        )
        parser.add_argument(
            "--rate-limit", action="store_true", help="spend the budget first, to see its end"
        )
        parser.add_argument("--json", action="store_true", help="report as JSON")

    def handle(
        self,
        *,
        url: str,
        release: Path,
        host: str | None,
        connect: Endpoint | None,
        ca_file: Path | None,
        client: list[str],
        rate_limit: bool,
        json: bool,
        **options: Any,
    ) -> None:
        verification = Verification(read(release), HOSTS[host] if host else None, spend=rate_limit)
        try:
            with Wire(Site.at(url, connect, ca_file), client) as wire:
                parity = verification.run(wire)
        except (ValueError, Unreachable) as error:
            raise CommandError(str(error), returncode=USAGE) from error
        told = orjson.dumps(report.members(parity)).decode() if json else report.in_words(parity)
        self.stdout.write(told)
        if not parity.holds:
            sys.exit(DIFFERENT)


def pair(text: str) -> Endpoint:
    host, _, port = endpoint(text).rpartition(":")
    if int(port) > LAST_PORT:
        raise ArgumentTypeError(f"{text!r}: a port is at most {LAST_PORT}")
    return host, int(port)


def authorities(text: str) -> Path:
    """A PEM file that the TLS library can read."""
    try:
        ssl.create_default_context(cafile=text)
    except OSError as error:
        raise ArgumentTypeError(f"{text!r} is not a file of certificates in PEM") from error
    return Path(text)
