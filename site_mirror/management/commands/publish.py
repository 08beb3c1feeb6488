"""Publish a release in an S3-compatible bucket."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from msgspec.structs import asdict

from site_mirror.hosts.bucket.errors import BucketError, InvalidBucketAddress, InvalidVariable
from site_mirror.hosts.bucket.publishing import PublishResult, publish_to_bucket
from site_mirror.hosts.bucket.store import open_bucket
from site_mirror.management.command_line import NOTHING_CHANGED, as_json
from site_mirror.management.commands.host import read_release_argument
from site_mirror.starting import USAGE_ERROR


class Command(BaseCommand):
    help = (
        "Bring a release into an S3-compatible bucket: upload what changed, read it back, "
        "then delete objects that the release does not have. Keys and region are read from "
        "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION. "
        "Exit codes: 0 published, 3 nothing to do, 1 failed (nothing was deleted), 2 usage."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("release", type=Path, help="a release, such as TARGET/current")
        parser.add_argument("bucket", help="s3://NAME or s3://NAME/PREFIX; all of it is the site's")
        parser.add_argument(
            "--endpoint", default="", metavar="URL", help="of a server that is not Amazon's"
        )
        parser.add_argument(
            "--website",
            action="store_true",
            help="the bucket answers as a website: put redirects and its error document there",
        )
        parser.add_argument("--json", action="store_true", help="report as JSON")

    def handle(
        self,
        *,
        release: Path,
        bucket: str,
        endpoint: str,
        website: bool,
        json: bool,
        **options: Any,
    ) -> None:
        source = read_release_argument(release)
        try:
            result = publish_to_bucket(source, open_bucket(bucket, endpoint), website=website)
        except (InvalidBucketAddress, InvalidVariable) as error:
            raise CommandError(str(error), returncode=USAGE_ERROR) from error
        except BucketError as error:
            if json:
                self.stdout.write(as_json({"outcome": "failed", "error": str(error)}))
            raise CommandError(str(error)) from error
        self.stdout.write(
            as_json(publish_members(result)) if json else publish_text(result, bucket)
        )
        if not result.changed:
            sys.exit(NOTHING_CHANGED)


def publish_members(result: PublishResult) -> dict[str, Any]:
    return {"outcome": "published" if result.changed else "unchanged", **asdict(result)}


def publish_text(result: PublishResult, bucket: str) -> str:
    counts = f"{len(result.uploaded)} uploaded, {result.kept} kept, {len(result.deleted)} deleted"
    return "\n".join(
        [f"{bucket} holds release {result.release}: {counts}.", *shortfall_sentences(result)]
    )


def shortfall_sentences(result: PublishResult) -> Iterator[str]:
    """Yield a sentence for each header and address of the manifest that the bucket lacks."""
    for key, names in result.dropped.items():
        yield f"{key}: no room for {', '.join(names)}."
    if result.left_out:
        yield f"{len(result.left_out)} former addresses lead nowhere; --website puts them there."
