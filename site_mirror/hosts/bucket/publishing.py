"""Publication of a release in a bucket: upload what changed, write the ledger, delete.

A bucket has no links, so all addresses cannot be switched at once. The order is such that whatever
a reader gets leads to objects that exist: first new objects, styles and images before pages, then
changed ones; removed objects are deleted last.

The ledger is an object with the name of the release and a digest of each object. Objects that will
change are removed from it before the first upload, so it is true whenever a run ends.
"""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

import msgspec
from msgspec import Struct

from site_mirror.hosts.bucket.objects import BucketObject, objects_of_release
from site_mirror.hosts.bucket.store import Bucket, BucketError
from site_mirror.hosts.github_pages import refuse_lost_links
from site_mirror.hosts.release import ServedRelease

LEDGER_KEY = ".release.json"
LEDGER_HEADERS = {"Content-Type": "application/json", "Cache-Control": "no-store"}
MAX_PARALLEL_UPLOADS = 8


class LedgerLine(Struct, frozen=True):
    """An object: the `digest` of its `BucketObject`, and the bucket's own tag."""

    digest: str
    tag: str


class Ledger(Struct, frozen=True):
    """The ledger; `release` is empty while a release is uploaded."""

    release: str
    objects: dict[str, LedgerLine]
    format: Literal[1]


class PublishResult(Struct, frozen=True):
    """The result of a publication, as keys of objects."""

    release: str
    uploaded: tuple[str, ...]
    kept: int
    deleted: tuple[str, ...]
    changed: bool


def publish_to_bucket(release: ServedRelease, bucket: Bucket) -> PublishResult:
    """Publish a release. Raises `BucketError` and `UnsuitableRelease`."""
    refuse_lost_links(release)
    name = release.folder.name
    objects = {item.key: item for item in objects_of_release(release)}
    stored = bucket.list_tags()
    before = read_ledger(bucket, stored)
    unchanged = {
        key: line
        for key, line in before.objects.items()
        if key in objects and line.digest == objects[key].digest and stored.get(key) == line.tag
    }
    to_upload = [item for key, item in objects.items() if key not in unchanged]
    switches = bool(to_upload) or before.release != name
    if switches:
        write_ledger(bucket, "", unchanged)
        uploaded = upload_objects(bucket, to_upload, stored)
        write_ledger(bucket, name, unchanged | uploaded)
    to_delete = sorted(stored.keys() - objects.keys() - {LEDGER_KEY})
    if to_delete:
        bucket.delete(to_delete)
    return PublishResult(
        release=name,
        uploaded=tuple(item.key for item in to_upload),
        kept=len(unchanged),
        deleted=tuple(to_delete),
        changed=switches or bool(to_delete),
    )


def read_ledger(bucket: Bucket, stored: Mapping[str, str]) -> Ledger:
    if not stored:
        return Ledger("", {}, 1)
    if LEDGER_KEY in stored:
        try:
            return msgspec.json.decode(bucket.read(LEDGER_KEY), type=Ledger)
        except msgspec.DecodeError:
            pass  # Another program wrote it.
    raise BucketError(
        f"The bucket holds {len(stored)} objects and no {LEDGER_KEY} of this program: "
        "no release was published there, and these objects would be deleted. "
        "Name an empty bucket or another prefix."
    )


def write_ledger(bucket: Bucket, release: str, lines: dict[str, LedgerLine]) -> None:
    bucket.write(LEDGER_KEY, msgspec.json.encode(Ledger(release, lines, 1)), LEDGER_HEADERS)


def upload_objects(
    bucket: Bucket, items: list[BucketObject], stored: Mapping[str, str]
) -> dict[str, LedgerLine]:
    """Upload objects; after the first error no further upload is started."""

    def upload(item: BucketObject) -> tuple[str, LedgerLine]:
        tag = bucket.write(item.key, item.read(), item.attributes)
        return item.key, LedgerLine(item.digest, tag)

    lines: dict[str, LedgerLine] = {}
    for part in upload_order(items, stored):
        # A pool for each part: a page must not appear before its styles and images.
        with ThreadPoolExecutor(MAX_PARALLEL_UPLOADS) as pool:
            lines |= pool.map(upload, part)
    return lines


def upload_order(
    items: list[BucketObject], stored: Mapping[str, str]
) -> Iterator[list[BucketObject]]:
    """Yield the parts of an upload; the objects of a part are uploaded in any order."""
    new = [item for item in items if item.key not in stored]
    yield [item for item in new if not item.is_page]
    yield [item for item in new if item.is_page]
    yield [item for item in items if item.key in stored]
