"""Publication of a release in a bucket: upload, read back, write the ledger, delete.

A bucket has no links, so all addresses cannot be switched at once. New objects are uploaded before
changed ones, so that no list contains an address without an object. After all objects were read
back, the ledger names the release. Removed objects are deleted last.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from msgspec import Struct, field

from site_mirror.hosts.bucket import ledger
from site_mirror.hosts.bucket.errors import DamagedFile, ForeignObjects, UploadDiffers
from site_mirror.hosts.bucket.ledger import BucketLedger, LedgerLine
from site_mirror.hosts.bucket.objects import BucketObject, objects_of_release
from site_mirror.hosts.bucket.store import Bucket, StoredObject
from site_mirror.hosts.release import ServedRelease

MAX_PARALLEL_UPLOADS = 8
LEDGER_HEADERS = {"Content-Type": "application/json", "Cache-Control": "no-store"}


class PublishResult(Struct, frozen=True):
    """The result of a publication, as keys of objects.

    `dropped` has headers that exceed the limit of an object, `left_out` former addresses without
    a redirect.
    """

    release: str
    uploaded: tuple[str, ...] = ()
    kept: int = 0
    deleted: tuple[str, ...] = ()
    switched: bool = False
    dropped: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        return self.switched or bool(self.deleted)


def publish_to_bucket(
    release: ServedRelease, bucket: Bucket, *, website: bool = False
) -> PublishResult:
    """Publish a release. Raises `BucketError`, in which case no object was deleted."""
    objects = {item.key: item for item in objects_of_release(release, website=website)}
    stored = bucket.list_objects()
    previous = read_ledger(bucket, stored)
    unchanged = unchanged_lines(objects, previous.lines, stored)
    to_upload = [item for key, item in objects.items() if key not in unchanged]
    if to_upload or previous.release != release.folder.name:
        upload_release(bucket, objects, unchanged, to_upload, stored, release.folder.name)
    to_delete = sorted(stored.keys() - objects.keys() - {ledger.LEDGER_KEY})
    if to_delete:
        bucket.delete(to_delete)
    return PublishResult(
        release=release.folder.name,
        uploaded=tuple(item.key for item in to_upload),
        kept=len(unchanged),
        deleted=tuple(to_delete),
        switched=bool(to_upload) or previous.release != release.folder.name,
        dropped={key: item.dropped for key, item in objects.items() if item.dropped},
        left_out=() if website else tuple(redirect.address for redirect in release.redirects),
    )


def read_ledger(bucket: Bucket, stored: Mapping[str, StoredObject]) -> BucketLedger:
    """Read the ledger of a bucket; it is empty for an empty one. Raises `ForeignObjects`."""
    if not stored:
        return BucketLedger("", {})
    content = (
        ledger.decode_ledger(bucket.read(ledger.LEDGER_KEY).body)
        if ledger.LEDGER_KEY in stored
        else None
    )
    if content is None:
        raise ForeignObjects(len(stored), ledger.LEDGER_KEY)
    return content


def unchanged_lines(
    objects: Mapping[str, BucketObject],
    lines: Mapping[str, LedgerLine],
    stored: Mapping[str, StoredObject],
) -> dict[str, LedgerLine]:
    """Return the objects that need no upload, by the ledger and by the listing."""
    return {
        key: line
        for key, line in lines.items()
        if key in objects
        and line.digest == objects[key].digest
        and stored.get(key) == StoredObject(objects[key].size, line.tag)
    }


def upload_release(
    bucket: Bucket,
    objects: Mapping[str, BucketObject],
    unchanged: Mapping[str, LedgerLine],
    to_upload: Sequence[BucketObject],
    stored: Mapping[str, StoredObject],
    name: str,
) -> None:
    """Upload objects and read them back; then name the release in the ledger."""
    bucket.write(ledger.LEDGER_KEY, BucketLedger("", unchanged).encode(), LEDGER_HEADERS)
    uploaded: dict[str, LedgerLine] = {}
    for part in (
        [item for item in to_upload if item.key not in stored],
        [item for item in to_upload if item.key in stored],
    ):
        uploaded |= run_in_parallel(part, lambda item: upload_object(bucket, item))
    lines = {**unchanged, **uploaded}
    verify_listing(bucket.list_objects(), objects, lines)
    bucket.write(ledger.LEDGER_KEY, BucketLedger(name, lines).encode(), LEDGER_HEADERS)


def run_in_parallel(
    part: Iterable[BucketObject], do: Callable[[BucketObject], LedgerLine]
) -> dict[str, LedgerLine]:
    """Apply a function to all objects; after the first error no further one is started."""
    part = list(part)
    with ThreadPoolExecutor(MAX_PARALLEL_UPLOADS) as pool:
        try:
            lines = list(pool.map(do, part))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return {item.key: line for item, line in zip(part, lines, strict=True)}


def upload_object(bucket: Bucket, item: BucketObject) -> LedgerLine:
    """Send an object and read it back. Raises `UploadDiffers`, or `DamagedFile` before sending."""
    try:
        body = item.body
    except OSError as error:
        raise DamagedFile(item.key) from error
    if hashlib.sha256(body).hexdigest() != item.sha256:
        raise DamagedFile(item.key)
    if item.location:
        bucket.write_redirect(item.key, body, item.attributes, item.location)
    else:
        bucket.write(item.key, body, item.attributes)
    return read_back(bucket, item)


def read_back(bucket: Bucket, item: BucketObject) -> LedgerLine:
    content = bucket.read(item.key)
    if hashlib.sha256(content.body).hexdigest() != item.sha256:
        raise UploadDiffers(item.key, "its bytes have another digest than the manifest's", 0)
    if content.attributes != item.attributes:
        names = sorted(set(item.attributes.items()) ^ set(content.attributes.items()))
        raise UploadDiffers(item.key, f"its metadata differs in {names[0][0]}", 0)
    if item.location and bucket.redirect_location(item.key) != item.location:
        raise UploadDiffers(item.key, f"it does not lead to {item.location}", 0)
    return LedgerLine(item.digest, content.tag)


def verify_listing(
    stored: Mapping[str, StoredObject],
    objects: Mapping[str, BucketObject],
    lines: Mapping[str, LedgerLine],
) -> None:
    """Compare the listing with the objects of the release. Raises `UploadDiffers`."""
    faults = list(listing_faults(stored, objects, lines))
    if faults:
        key, what = faults[0]
        raise UploadDiffers(key, what, len(faults) - 1)


def listing_faults(
    stored: Mapping[str, StoredObject],
    objects: Mapping[str, BucketObject],
    lines: Mapping[str, LedgerLine],
) -> Iterator[tuple[str, str]]:
    for key, item in objects.items():
        listed = stored.get(key)
        if listed is None:
            yield key, "the listing does not have it"
        elif listed != StoredObject(item.size, lines[key].tag):
            yield key, f"{listed.size} bytes tagged {listed.tag} are listed"
