"""Compare the answers of a base address with a release."""

import ssl
import sys
from argparse import ArgumentTypeError
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from site_mirror.hosts import report
from site_mirror.hosts.http_client import Endpoint, HttpClient, Unreachable
from site_mirror.hosts.table import HOSTS
from site_mirror.hosts.verify import compare_site
from site_mirror.management import command_line
from site_mirror.management.commands.host import parse_endpoint, read_release_argument
from site_mirror.starting import USAGE_ERROR


class Command(BaseCommand):
    help = (
        "Ask a base address for everything that a release promises, and tell each difference. "
        "Exit codes: 0 parity, 1 differences, 2 usage or no answer."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("url", help="an origin, such as https://studio.example")
        parser.add_argument("release", type=Path, help="a release, such as TARGET/current")
        add_site_options(parser)
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
        command_line.add_json(parser)

    def handle(self, *, url: str, release: Path, json: bool, **options: Any) -> None:
        promised = read_release_argument(release)
        host = HOSTS[options["host"]] if options["host"] else None
        try:
            client = HttpClient(
                url,
                options["connect"],
                authorities=options["ca_file"],
                clients=options["client"],
            )
            with closing(client) as http:
                parity = compare_site(http, promised, host, spend=options["rate_limit"])
        except (ValueError, Unreachable) as error:
            raise CommandError(str(error), returncode=USAGE_ERROR) from error
        text = "\n".join(report.parity_sentences(parity))
        command_line.write_report(self, report.parity_members(parity), text, json=json)
        if not parity.holds:
            sys.exit(command_line.DIFFERENCES_FOUND)


def add_site_options(parser: CommandParser) -> None:
    parser.add_argument(
        "--host",
        choices=sorted(HOSTS),
        help=(
            "the host that serves the site; capabilities that it lacks are not compared. "
            "The live origin is recognized without it"
        ),
    )
    parser.add_argument(
        "--connect", type=parse_host_and_port, metavar="HOST:PORT", help="where to connect"
    )
    parser.add_argument(
        "--ca-file",
        type=parse_certificate_file,
        metavar="FILE",
        help="certificate authorities (PEM) to trust for https instead of the system's",
    )


def parse_host_and_port(text: str) -> Endpoint:
    host, _, port = parse_endpoint(text).rpartition(":")
    return host, int(port)


def parse_certificate_file(text: str) -> Path:
    try:
        ssl.create_default_context(cafile=text)
    except OSError as error:
        raise ArgumentTypeError(f"{text!r} is not a file of certificates in PEM") from error
    return Path(text)
