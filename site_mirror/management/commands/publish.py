"""The door to buckets: a release in, what was done out."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from msgspec.structs import asdict

from site_mirror.bucket.errors import BucketError, NoBucket, WrongValue
from site_mirror.bucket.publishing import Published, publish
from site_mirror.bucket.store import opened
from site_mirror.management.answers import NOTHING_CHANGED, as_json
from site_mirror.management.commands.host import USAGE, read


class Command(BaseCommand):
    help = (
        "Bring a release into an S3-compatible bucket: upload what changed, read it back, "
        "then delete what is gone. Keys and region are read from AWS_ACCESS_KEY_ID, "
        "AWS_SECRET_ACCESS_KEY and AWS_REGION. "
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
        found = read(release)
        try:
            done = publish(found, opened(bucket, endpoint), website=website)
        except (NoBucket, WrongValue) as error:
            raise CommandError(str(error), returncode=USAGE) from error
        except BucketError as error:
            if json:
                self.stdout.write(as_json({"outcome": "failed", "error": str(error)}))
            raise CommandError(str(error)) from error
        self.stdout.write(as_json(members(done)) if json else in_words(done, bucket))
        if not done.changed:
            sys.exit(NOTHING_CHANGED)


def members(done: Published) -> dict[str, Any]:
    return {"outcome": "published" if done.changed else "unchanged", **asdict(done)}


def in_words(done: Published, bucket: str) -> str:
    counts = f"{len(done.uploaded)} uploaded, {done.kept} kept, {len(done.deleted)} deleted"
    return "\n".join([f"{bucket} holds release {done.release}: {counts}.", *missing(done)])


def missing(done: Published) -> Iterator[str]:
    """What the manifest promises and the bucket does not hold."""
    for key, names in done.dropped.items():
        yield f"{key}: no room for {', '.join(names)}."
    if done.left_out:
        yield f"{len(done.left_out)} former addresses lead nowhere; --website puts them there."
