"""Publish a release in an S3-compatible bucket."""

import sys
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.management.base import BaseCommand, CommandError, CommandParser
from msgspec.structs import asdict

from site_mirror.hosts.bucket.publishing import PublishResult, publish_to_bucket
from site_mirror.hosts.bucket.store import InvalidBucket, open_bucket
from site_mirror.management import command_line
from site_mirror.management.commands.host import read_release_argument
from site_mirror.starting import USAGE_ERROR


class Command(BaseCommand):
    help = (
        "Bring a release into an S3-compatible bucket: upload what changed, then delete objects "
        "that the release does not have. Keys and region are read from AWS_ACCESS_KEY_ID, "
        "AWS_SECRET_ACCESS_KEY and AWS_REGION. "
        "Exit codes: 0 published, 3 nothing to do, 1 failed (nothing was deleted), 2 usage."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("release", type=Path, help="a release, such as TARGET/current")
        parser.add_argument("bucket", help="s3://NAME or s3://NAME/PREFIX; all of it is the site's")
        parser.add_argument(
            "--endpoint",
            default="",
            type=parse_endpoint_url,
            metavar="URL",
            help="of a server that is not Amazon's",
        )
        command_line.add_json(parser)

    def handle(
        self, *, release: Path, bucket: str, endpoint: str, json: bool, **options: Any
    ) -> None:
        source = read_release_argument(release)
        try:
            with command_line.report_failures(self, json=json):
                result = publish_to_bucket(source, open_bucket(bucket, endpoint))
        except InvalidBucket as error:
            raise CommandError(str(error), returncode=USAGE_ERROR) from error
        members = {"outcome": "published" if result.changed else "unchanged", **asdict(result)}
        del members["changed"]
        command_line.write_report(self, members, sentence_of(result, bucket), json=json)
        if not result.changed:
            sys.exit(command_line.NOTHING_CHANGED)


def parse_endpoint_url(text: str) -> str:
    """Check the form of a URL, because the library panics on another one."""
    try:
        parts = urlsplit(text)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if text and (not valid or "@" in text):
        raise ArgumentTypeError("use a URL such as https://s3.example or http://127.0.0.1:9000")
    return text


def sentence_of(result: PublishResult, bucket: str) -> str:
    counts = f"{len(result.uploaded)} uploaded, {result.kept} kept, {len(result.deleted)} deleted"
    return f"{bucket} holds release {result.release}: {counts}."
