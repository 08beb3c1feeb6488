"""What can be done with a snapshot: make a key, verify it, pack it into one file."""

import sys
from argparse import ArgumentTypeError
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from msgspec.structs import asdict

from site_mirror.hosts.table import HOSTS
from site_mirror.hosts.wire import Site, Wire
from site_mirror.management.answers import as_json, failures_told, folder
from site_mirror.management.commands.parity import authorities, pair
from site_mirror.snapshot import manifest, signing
from site_mirror.snapshot.archive import write_archive
from site_mirror.snapshot.errors import NoRelease, UnusableKey
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.rollback import release_below
from site_mirror.snapshot.verification import Finding, findings, manifest_of, subject
from site_mirror.verifying import of_address

DIFFERS = 1


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
            "place", type=place, metavar="DIR|URL", help="a target, a release, or an origin"
        )
        verify.add_argument("--json", action="store_true", help="report as JSON")
        verify.add_argument(
            "--manifest", type=Path, metavar="FILE", help="another manifest; for a URL, the one"
        )
        verify.add_argument(
            "--public-key", type=public_key, metavar="KEY", help="that must have signed it"
        )
        live = verify.add_argument_group("of a URL")
        live.add_argument(
            "--previous", type=Path, metavar="FILE", help="what it alone knows must be gone"
        )
        live.add_argument("--connect", type=pair, metavar="HOST:PORT", help="where to connect")
        live.add_argument(
            "--ca-file",
            type=authorities,
            metavar="FILE",
            help="certificate authorities (PEM) to trust for https instead of the system's",
        )
        live.add_argument(
            "--host",
            choices=sorted(HOSTS.keys() - {"origin"}),
            default="nginx",
            help="what answers there: it is not held to what this host cannot do",
        )
        archive = does.add_parser("archive", help="pack a release into one file")
        archive.add_argument("place", type=folder, metavar="DIR", help="a target or a release")
        archive.add_argument("file", type=Path, metavar="FILE.tar.gz", help="what is written")
        archive.add_argument("--release", metavar="ID", help="another release than the current one")
        archive.add_argument("--json", action="store_true", help="report as JSON")

    def handle(self, *, does: str, json: bool, **options: Any) -> None:
        with failures_told(self, json=json):
            {"key": self.key, "verify": self.verify, "archive": self.archive}[does](json, options)

    def key(self, json: bool, options: Mapping[str, Any]) -> None:  # noqa: FBT001
        pair = signing.new_pair()
        if json:
            self.stdout.write(as_json({"private": pair.private, "public": pair.public}))
            return
        self.stdout.write("# In the environment of whoever freezes, and nowhere else:")
        self.stdout.write(f"SNAPSHOT_SIGNING_KEY={pair.private}")
        self.stdout.write("# For whoever verifies:")
        self.stdout.write(f"manage.py snapshot verify DIR --public-key {pair.public}")

    def verify(self, json: bool, options: Mapping[str, Any]) -> None:  # noqa: FBT001
        key = options["public_key"] or own_public_key()
        path, found = self.compared(options, key)
        wrong = []
        for finding in found:
            wrong.append(asdict(finding))
            if not json:
                self.stdout.write(str(finding))
        told = manifest.read(path)
        self.stdout.write(
            as_json(in_members(told, wrong, signed=bool(key)))
            if json
            else in_words(told, len(wrong), signed=bool(key))
        )
        if wrong:
            sys.exit(DIFFERS)

    def compared(self, options: Mapping[str, Any], key: str) -> tuple[Path, Iterator[Finding]]:
        """The manifest that is followed, and what is not as it tells."""
        where, told = options["place"], options["manifest"]
        if not is_origin(where):
            found = subject(Path(where), told)
            return found.manifest, findings(found, key)
        if told is None:
            raise CommandError("A URL is compared with a manifest: use --manifest.", returncode=2)
        wire = Wire(Site.at(where, options["connect"], options["ca_file"]))
        host, path = HOSTS[options["host"]], manifest_of(told)
        return path, of_address(wire, path, host, key, options["previous"])

    def archive(self, json: bool, options: Mapping[str, Any]) -> None:  # noqa: FBT001
        release = subject(release_below(options["place"], options["release"])).release
        if release is None:
            raise NoRelease(options["place"])
        file = options["file"]
        size = write_archive(release, file)
        if json:
            told = {"file": str(file), "release": release.name, "bytes": size}
            self.stdout.write(as_json({"outcome": "written"} | told))
        else:
            self.stdout.write(f"{file} holds release {release.name}: {size} bytes.")


def place(value: str) -> str:
    """A folder, or an origin."""
    try:
        if is_origin(value):
            Site.at(value)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error
    return value if is_origin(value) else str(folder(value))


def is_origin(place: str) -> bool:
    return place.startswith(("http://", "https://"))


def public_key(value: str) -> str:
    try:
        signing.public_key(value)
    except UnusableKey as error:
        raise ArgumentTypeError(str(error)) from error
    return value


def own_public_key() -> str:
    """The key of this process's own releases, if they are signed."""
    key = settings.SNAPSHOT_SIGNING_KEY
    return signing.public_of(key) if key else ""


def in_members(
    told: Manifest | None, wrong: list[dict[str, str]], *, signed: bool
) -> dict[str, Any]:
    return {
        "outcome": "differs" if wrong else "verified",
        "documents": len(told.documents) if told else 0,
        "files": told.files if told else 0,
        "signature": "checked" if signed else "not checked",
        "findings": wrong,
    }


def in_words(told: Manifest | None, wrong: int, *, signed: bool) -> str:
    if wrong or told is None:
        return f"{wrong} {'thing is' if wrong == 1 else 'things are'} not as published."
    signature = "the signature is valid" if signed else "no key was given to check a signature by"
    return (
        f"All as published: {len(told.documents)} documents, {told.files} files of "
        f"{told.size / 1e6:.1f} MB; {signature}."
    )
