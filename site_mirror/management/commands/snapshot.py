"""Verify a snapshot: compare files, or a deployed site, with a manifest."""

import sys
from argparse import ArgumentTypeError
from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from msgspec.structs import asdict

from site_mirror.hosts.expected import expect_manifest
from site_mirror.hosts.http_client import HttpClient, Unreachable
from site_mirror.hosts.release import release_of_manifest
from site_mirror.hosts.table import HOSTS
from site_mirror.hosts.verify import compare_site
from site_mirror.management import command_line
from site_mirror.management.commands.parity import add_site_options
from site_mirror.snapshot import manifest
from site_mirror.snapshot.errors import FreezeError
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.verify import (
    Discrepancy,
    find_discrepancies,
    find_files_to_verify,
    manifest_path,
)


class Command(BaseCommand):
    help = (
        "Compare a snapshot with its manifest. "
        "Exit codes: 0 as published, 1 not as published or failed, 2 usage."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("does", choices=["verify"])
        parser.add_argument(
            "place", type=folder_or_url, metavar="DIR|URL", help="a target, a release, or an origin"
        )
        command_line.add_json(parser)
        parser.add_argument(
            "--manifest", type=Path, metavar="FILE", help="another manifest; for a URL, the one"
        )
        parser.add_argument(
            "--site-root",
            metavar="URL",
            help="the origin to which the snapshot will be deployed: that of its documents",
        )
        add_site_options(parser)

    def handle(self, *, json: bool, **options: Any) -> None:
        findings = []
        with command_line.report_failures(self, json=json):
            path, discrepancies = compare(options)
            contents = manifest.read_manifest(path)
            for discrepancy in chain(
                find_other_root(contents, options["site_root"]), discrepancies
            ):
                findings.append(asdict(discrepancy))
                if not json:
                    command_line.write_line(self.stdout, str(discrepancy))
        members = {
            "outcome": "differs" if findings else "verified",
            "documents": len(contents.documents) if contents else 0,
            "files": contents.files if contents else 0,
            "findings": findings,
        }
        text = verify_text(contents, len(findings))
        command_line.write_report(self, members, text, json=json)
        if findings:
            sys.exit(command_line.DIFFERENCES_FOUND)


def find_other_root(contents: Manifest | None, url: str | None) -> Iterator[Discrepancy]:
    """Yield a discrepancy if a snapshot names another site than the one at a URL."""
    if contents and url is not None and contents.site_root != url.removesuffix("/"):
        yield Discrepancy(
            "siteRoot",
            f"is {contents.site_root}, and the snapshot is for {url}: "
            "set SITE_ROOT and freeze again, or correct the URL of the job",
        )


def compare(options: Mapping[str, Any]) -> tuple[Path, Iterator[Discrepancy]]:
    where, path = options["place"], options["manifest"]
    if isinstance(where, Path):
        files = find_files_to_verify(where, path)
        return files.manifest, find_discrepancies(files)
    if path is None:
        raise CommandError("A URL is compared with a manifest: use --manifest.", returncode=2)
    path = manifest_path(path)
    return path, discrepancies_of_site(path, options)


def discrepancies_of_site(path: Path, options: Mapping[str, Any]) -> Iterator[Discrepancy]:
    """Yield the discrepancies of a deployed site from a manifest. Raises `FreezeError`."""
    release = release_of_manifest(manifest.read_whole_manifest(path))
    host = HOSTS[options["host"]] if options["host"] else None
    url, connect, authorities = options["place"], options["connect"], options["ca_file"]
    try:
        with closing(HttpClient(url, connect, authorities=authorities)) as http:
            parity = compare_site(http, release, host, expect_manifest)
    except Unreachable as error:
        raise FreezeError(str(error)) from error
    for check in parity.differences:
        yield Discrepancy(f"{check.request}:", check.fault)


def folder_or_url(value: str) -> Path | str:
    if not value.startswith(("http://", "https://")):
        return command_line.target_folder(value)
    try:
        HttpClient(value)  # It refuses what is not an origin.
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error
    return value


def verify_text(contents: Manifest | None, number: int) -> str:
    if number or contents is None:
        return f"{number} {'thing is' if number == 1 else 'things are'} not as published."
    return (
        f"All as published: {len(contents.documents)} documents, {contents.files} files of "
        f"{contents.size / 1e6:.1f} MB."
    )
