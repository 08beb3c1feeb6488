"""Publication of a release in a bucket, also after failures; this bucket is in memory."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import obstore
import pytest
from msgspec import field
from msgspec.structs import replace
from obstore.store import MemoryStore

from site_mirror.documents.encodings import sha256_hex
from site_mirror.documents.headers import HTML_TYPE
from site_mirror.hosts.bucket.publishing import LEDGER_KEY, publish_to_bucket
from site_mirror.hosts.bucket.store import Bucket, BucketError
from site_mirror.hosts.release import ServedRelease
from tests.hosts.conftest import FrozenSite
from tests.hosts.servers import copy_release

STORED_HEADERS = ("Content-Type", "Cache-Control", "Content-Disposition", "Content-Language")
"""Headers of a document that a bucket sends again."""

NEW_PAGE, CHANGED_PAGE, REMOVED_PAGE = "/about", "/", "/blog"


class Killed(BaseException):
    """The end of the process."""


class RecordingBucket(Bucket, frozen=True):
    """A bucket that records writes and deletions; `ends` has the error at the next of a number.

    As in S3, the tag of an object depends only on its bytes.
    """

    log: list[str] = field(default_factory=list)
    ends: dict[int, BaseException] = field(default_factory=dict)

    def record(self, operation: str) -> None:
        if error := self.ends.pop(len(self.log), None):
            raise error
        self.log.append(operation)

    def list_tags(self) -> dict[str, str]:
        return {key: sha256_hex(self.read(key)) for key in super().list_tags()}

    def write(self, key: str, body: bytes, headers: Mapping[str, str]) -> str:
        self.record(key)
        super().write(key, body, headers)
        return sha256_hex(body)

    def delete(self, keys: Sequence[str]) -> None:
        self.record(f"delete {' '.join(keys)}")
        super().delete(keys)

    def headers_of(self, key: str) -> dict[str, str]:
        return dict(obstore.get(self.store, key).attributes)  # type: ignore[arg-type]

    @property
    def objects(self) -> dict[str, tuple[bytes, dict[str, str]]]:
        keys = self.list_tags().keys() - {LEDGER_KEY}
        return {key: (self.read(key), self.headers_of(key)) for key in keys}


@pytest.fixture
def bucket() -> RecordingBucket:
    return RecordingBucket(MemoryStore())


@pytest.fixture
def release(retired_site: FrozenSite) -> ServedRelease:
    return retired_site.release


@pytest.fixture
def earlier(release: ServedRelease, tmp_path: Path) -> ServedRelease:
    """The release before: with another page, without a page and the styles, with a change."""
    home = release.by_address[CHANGED_PAGE]
    old_home = replace(home, headers={**home.headers, "Cache-Control": "no-cache"})
    documents = tuple(
        old_home if entry is home else entry
        for entry in release.documents
        if entry.address != NEW_PAGE and not entry.address.endswith(".css")
    )
    return replace(copy_release(release, tmp_path), documents=documents)


@pytest.fixture
def later(release: ServedRelease) -> ServedRelease:
    removed = release.by_address[REMOVED_PAGE]
    documents = tuple(entry for entry in release.documents if entry is not removed)
    return replace(release, documents=documents)


def test_every_address_is_an_object_with_the_bytes_and_the_headers_of_the_document(
    bucket: RecordingBucket, release: ServedRelease
) -> None:
    publish_to_bucket(release, bucket)
    objects = bucket.objects
    keys = {
        address: f"{address[1:]}index.html" if address.endswith("/") else address[1:]
        for address in release.by_address
    }
    former = {key for key in objects if key.startswith(("apps/", "blog/", "vi/"))}

    for address, entry in release.by_address.items():
        body, headers = objects[keys[address]]
        assert body == release.file(entry)
        assert headers == {
            name: entry.headers[name] for name in STORED_HEADERS if name in entry.headers
        }
    assert objects.keys() - keys.values() - former == {".errors/404.md"}


def test_a_former_page_leads_to_the_new_one_and_other_former_addresses_are_gone(
    bucket: RecordingBucket, release: ServedRelease
) -> None:
    publish_to_bucket(release, bucket)
    former = {redirect.address for redirect in release.redirects}

    assert b'url=https://studio.example/apps/an-app-renamed"' in bucket.read("apps/an-app")
    assert bucket.headers_of("apps/an-app")["Content-Type"] == HTML_TYPE
    assert {"/api/v1/apps/an-app", "/apps/an-app.md"} <= former
    assert not {"api/v1/apps/an-app", "apps/an-app.md"} & bucket.list_tags().keys()


def test_only_changes_are_written_in_the_order_that_readers_need(
    bucket: RecordingBucket, earlier: ServedRelease, later: ServedRelease
) -> None:
    publish_to_bucket(earlier, bucket)
    bucket.log.clear()
    done = publish_to_bucket(later, bucket)
    styles = [key for key in done.uploaded if key.endswith(".css")]
    first, *written = bucket.log

    assert styles != []
    assert sorted(written[: len(styles)]) == sorted(styles)
    assert [first, *written[len(styles) :]] == [
        LEDGER_KEY,
        "about",
        "index.html",
        LEDGER_KEY,
        "delete blog",
    ]
    assert done.deleted == ("blog",)
    assert done.kept == len(bucket.list_tags()) - 1 - len(done.uploaded)


@pytest.mark.parametrize("error", [BucketError("Writing failed"), Killed()])
@pytest.mark.parametrize("next_is_earlier", [False, True])
def test_a_publication_that_ends_at_any_step_is_completed_by_the_next_one(
    error: BaseException,
    bucket: RecordingBucket,
    earlier: ServedRelease,
    later: ServedRelease,
    *,
    next_is_earlier: bool,
) -> None:
    following = earlier if next_is_earlier else later
    publish_to_bucket(earlier, bucket)
    bucket.log.clear()
    publish_to_bucket(later, bucket)
    steps = len(bucket.log)
    publish_to_bucket(following, bucket)
    complete = bucket.objects

    for step in range(steps):
        publish_to_bucket(earlier, bucket)
        bucket.log.clear()
        bucket.ends[step] = error
        with pytest.raises(type(error)):
            publish_to_bucket(later, bucket)
        assert REMOVED_PAGE.removeprefix("/") in bucket.list_tags()
        publish_to_bucket(following, bucket)

        assert bucket.objects == complete
        bucket.log.clear()
        assert not publish_to_bucket(following, bucket).changed
        assert bucket.log == []


def test_an_object_replaced_by_another_program_is_uploaded_again(
    bucket: RecordingBucket, release: ServedRelease
) -> None:
    publish_to_bucket(release, bucket)
    obstore.put(bucket.store, "about", b"something else")

    assert publish_to_bucket(release, bucket).uploaded == ("about",)


@pytest.mark.parametrize(
    "ledger", [None, b"", b'{"release":"mine","objects":{}}', b'{"format":0,"release":"mine"}']
)
def test_a_bucket_with_foreign_objects_is_not_changed(
    ledger: bytes | None, bucket: RecordingBucket, release: ServedRelease
) -> None:
    obstore.put(bucket.store, "holiday.jpg", b"beach")
    if ledger is not None:
        obstore.put(bucket.store, LEDGER_KEY, ledger)

    with pytest.raises(BucketError, match="of this program"):
        publish_to_bucket(release, bucket)
    assert bucket.log == []


def test_a_file_that_differs_from_the_manifest_replaces_no_object(
    bucket: RecordingBucket, release: ServedRelease, earlier: ServedRelease
) -> None:
    publish_to_bucket(earlier, bucket)
    home = release.by_address[CHANGED_PAGE]
    damaged = replace(release, documents=(replace(home, sha256="0" * 64),))
    with pytest.raises(BucketError, match=r"The file of index\.html .* was not sent"):
        publish_to_bucket(damaged, bucket)

    assert bucket.headers_of("index.html")["Cache-Control"] == "no-cache"
