"""Create a signing key, verify a snapshot, or pack a release into a file."""

import sys
from argparse import ArgumentTypeError
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from msgspec.structs import asdict

from site_mirror.hosts.deployed import compare_deployed
from site_mirror.hosts.http_client import BaseAddress, HttpClient
from site_mirror.hosts.table import HOSTS
from site_mirror.management.command_line import (
    DIFFERENCES_FOUND,
    as_json,
    report_failures,
    target_folder,
)
from site_mirror.management.commands.parity import parse_certificate_file, parse_host_and_port
from site_mirror.snapshot import manifest, signing
from site_mirror.snapshot.archive import write_archive
from site_mirror.snapshot.errors import NoRelease, UnusableKey
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.rollback import release_below
from site_mirror.snapshot.verify import (
    Discrepancy,
    find_discrepancies,
    find_files_to_verify,
    manifest_path,
)


class Command(BaseCommand):
    help = (
        "Make a signing key, verify a snapshot, or pack one into a file. "
        "Exit codes: 0 done and as published, 1 not as published or failed, 2 usage."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        does = parser.add_subparsers(dest="does", required=True, metavar="key|verify|archive")
        key = does.add_parser("key", help="print a new pair of Ed25519 keys")
        key.add_argument("--json", action="store_true", help="print it as JSON")
        verify = does.add_parser("verify", help="compare a snapshot with its manifest")
        verify.add_argument(
            "place", type=folder_or_url, metavar="DIR|URL", help="a target, a release, or an origin"
        )
        verify.add_argument("--json", action="store_true", help="report as JSON")
        verify.add_argument(
            "--manifest", type=Path, metavar="FILE", help="another manifest; for a URL, the one"
        )
        verify.add_argument(
            "--public-key", type=public_key_argument, metavar="KEY", help="that must have signed it"
        )
        live = verify.add_argument_group("of a URL")
        live.add_argument(
            "--previous",
            type=Path,
            metavar="FILE",
            help="an earlier manifest, whose other addresses must be unknown now",
        )
        live.add_argument(
            "--connect", type=parse_host_and_port, metavar="HOST:PORT", help="where to connect"
        )
        live.add_argument(
            "--ca-file",
            type=parse_certificate_file,
            metavar="FILE",
            help="certificate authorities (PEM) to trust for https instead of the system's",
        )
        live.add_argument(
            "--host",
            choices=sorted(HOSTS.keys() - {"origin"}),
            default="nginx",
            help="the host that serves the site; what it cannot do is not compared",
        )
        archive = does.add_parser("archive", help="pack a release into one file")
        archive.add_argument(
            "place", type=target_folder, metavar="DIR", help="a target or a release"
        )
        archive.add_argument("file", type=Path, metavar="FILE.tar.gz", help="the archive to write")
        archive.add_argument("--release", metavar="ID", help="another release than the current one")
        archive.add_argument("--json", action="store_true", help="report as JSON")

    def handle(self, *, does: str, json: bool, **options: Any) -> None:
        with report_failures(self, json=json):
            {"key": self.key, "verify": self.verify, "archive": self.archive}[does](json, options)

    def key(self, json: bool, options: Mapping[str, Any]) -> None:  # noqa: FBT001
        pair = signing.generate_key_pair()
        if json:
            self.stdout.write(as_json({"private": pair.private, "public": pair.public}))
            return
        self.stdout.write("# A secret, for the environment of the process that freezes:")
        self.stdout.write(f"SNAPSHOT_SIGNING_KEY={pair.private}")
        self.stdout.write("# To verify a release:")
        self.stdout.write(f"manage.py snapshot verify DIR --public-key {pair.public}")

    def verify(self, json: bool, options: Mapping[str, Any]) -> None:  # noqa: FBT001
        key = options["public_key"] or own_public_key()
        path, discrepancies = self.compare(options, key)
        findings = []
        for discrepancy in discrepancies:
            findings.append(asdict(discrepancy))
            if not json:
                self.stdout.write(str(discrepancy))
        contents = manifest.read_manifest(path)
        self.stdout.write(
            as_json(verify_members(contents, findings, signed=bool(key)))
            if json
            else verify_text(contents, len(findings), signed=bool(key))
        )
        if findings:
            sys.exit(DIFFERENCES_FOUND)

    def compare(self, options: Mapping[str, Any], key: str) -> tuple[Path, Iterator[Discrepancy]]:
        """Return the path of the manifest and the discrepancies from it."""
        where, path = options["place"], options["manifest"]
        if not is_url(where):
            files = find_files_to_verify(Path(where), path)
            return files.manifest, find_discrepancies(files, key)
        if path is None:
            raise CommandError("A URL is compared with a manifest: use --manifest.", returncode=2)
        http = HttpClient(BaseAddress.at(where, options["connect"], options["ca_file"]))
        host, path = HOSTS[options["host"]], manifest_path(path)
        return path, compare_deployed(http, path, host, key, options["previous"])

    def archive(self, json: bool, options: Mapping[str, Any]) -> None:  # noqa: FBT001
        release = find_files_to_verify(release_below(options["place"], options["release"])).release
        if release is None:
            raise NoRelease(options["place"])
        file = options["file"]
        size = write_archive(release, file)
        if json:
            members = {"file": str(file), "release": release.name, "bytes": size}
            self.stdout.write(as_json({"outcome": "written"} | members))
        else:
            self.stdout.write(f"{file} holds release {release.name}: {size} bytes.")


def folder_or_url(value: str) -> str:
    """Return the name of a folder, or an origin."""
    try:
        if is_url(value):
            BaseAddress.at(value)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error
    return value if is_url(value) else str(target_folder(value))


def is_url(value: str) -> bool:
    return value.startswith(("http://", "https://"))


def public_key_argument(value: str) -> str:
    try:
        signing.parse_public_key(value)
    except UnusableKey as error:
        raise ArgumentTypeError(str(error)) from error
    return value


def own_public_key() -> str:
    """Return the public key of this process's own releases, or an empty text."""
    key = settings.SNAPSHOT_SIGNING_KEY
    return signing.public_key_of(key) if key else ""


def verify_members(
    contents: Manifest | None, findings: list[dict[str, str]], *, signed: bool
) -> dict[str, Any]:
    return {
        "outcome": "differs" if findings else "verified",
        "documents": len(contents.documents) if contents else 0,
        "files": contents.files if contents else 0,
        "signature": "checked" if signed else "not checked",
        "findings": findings,
    }


def verify_text(contents: Manifest | None, number: int, *, signed: bool) -> str:
    if number or contents is None:
        return f"{number} {'thing is' if number == 1 else 'things are'} not as published."
    signature = "the signature is valid" if signed else "no key was given to check a signature by"
    return (
        f"All as published: {len(contents.documents)} documents, {contents.files} files of "
        f"{contents.size / 1e6:.1f} MB; {signature}."
    )
