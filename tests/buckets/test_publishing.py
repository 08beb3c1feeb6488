"""Publication of a release in a bucket on a real server, also after failures."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from site_mirror.hosts.bucket import ledger
from site_mirror.hosts.bucket.errors import (
    BucketError,
    BucketFailed,
    DamagedFile,
    ForeignObjects,
    UploadDiffers,
)
from site_mirror.hosts.bucket.objects import objects_of_release
from site_mirror.hosts.bucket.publishing import publish_to_bucket
from site_mirror.hosts.release import ServedRelease
from tests.buckets.servers import BucketServer, RequestPredicate, no_request
from tests.hosts.conftest import FrozenSite
from tests.hosts.servers import copy_release

pytestmark = pytest.mark.server

REMOVED_KEY = "blog"


def make_next_release(release: ServedRelease, folder: Path) -> ServedRelease:
    """Return the next release: without one document, and with a new header for another."""
    entries = [entry for entry in release.documents if entry.address != f"/{REMOVED_KEY}"]
    first = replace(entries[0], headers={**entries[0].headers, "Cache-Control": "no-cache"})
    return replace(copy_release(release, folder), documents=(first, *entries[1:]))


def expected_keys(release: ServedRelease) -> set[str]:
    return {item.key for item in objects_of_release(release)} | {ledger.LEDGER_KEY}


def read_ledger(server: BucketServer) -> ledger.BucketLedger:
    decoded = ledger.decode_ledger(server.bucket.read(ledger.LEDGER_KEY).body)
    assert decoded is not None
    return decoded


def published_release(server: BucketServer) -> str:
    return read_ledger(server).release


def test_every_address_is_an_object_of_the_bucket(
    bucket_server: BucketServer, retired_site: FrozenSite
) -> None:
    done = publish_to_bucket(retired_site.release, bucket_server.bucket)

    assert bucket_server.keys() == expected_keys(retired_site.release)
    assert {"about", "api/v1/apps", "api/v1/apps.json", "index.html"} <= set(done.uploaded)
    assert published_release(bucket_server) == retired_site.release.folder.name


def test_an_object_has_the_headers_of_the_manifest(
    bucket_server: BucketServer, retired_site: FrozenSite
) -> None:
    publish_to_bucket(retired_site.release, bucket_server.bucket)
    expected = retired_site.release.by_address["/about"].headers
    attributes = bucket_server.bucket.read("about").attributes

    assert attributes["Content-Type"] == expected["Content-Type"]
    assert attributes["Cache-Control"] == expected["Cache-Control"]
    assert attributes["etag"] == expected["ETag"]
    assert {name.lower() for name in attributes} == {name.lower() for name in expected} - {
        "content-length"
    }


def test_a_second_publication_uploads_nothing(
    bucket_server: BucketServer, retired_site: FrozenSite
) -> None:
    publish_to_bucket(retired_site.release, bucket_server.bucket)
    bucket_server.proxy.requests.clear()
    done = publish_to_bucket(retired_site.release, bucket_server.bucket)

    assert not done.changed
    assert {method for method, _ in bucket_server.proxy.requests} == {"GET"}


def test_only_changed_objects_are_uploaded_and_removed_ones_are_deleted_last(
    bucket_server: BucketServer, retired_site: FrozenSite, tmp_path: Path
) -> None:
    publish_to_bucket(retired_site.release, bucket_server.bucket)
    bucket_server.proxy.requests.clear()
    release = make_next_release(retired_site.release, tmp_path)
    done = publish_to_bucket(release, bucket_server.bucket)
    writing = [method for method, _ in bucket_server.proxy.requests if method != "GET"]

    assert done.deleted == (REMOVED_KEY,)
    assert 0 < len(done.uploaded) < 4
    assert bucket_server.keys() == expected_keys(release)
    assert writing == ["PUT"] * (len(done.uploaded) + 2) + ["POST"]


def test_an_earlier_release_is_published_again(
    bucket_server: BucketServer, retired_site: FrozenSite, tmp_path: Path
) -> None:
    publish_to_bucket(make_next_release(retired_site.release, tmp_path), bucket_server.bucket)
    publish_to_bucket(retired_site.release, bucket_server.bucket)

    assert bucket_server.keys() == expected_keys(retired_site.release)
    assert published_release(bucket_server) == retired_site.release.folder.name


def is_listing(method: str, path: str) -> bool:
    return "list-type" in path


def is_second_page(method: str, path: str) -> bool:
    return "continuation-token" in path


def is_upload(method: str, path: str) -> bool:
    return method == "PUT" and ledger.LEDGER_KEY not in path


def is_read_back(method: str, path: str) -> bool:
    return method == "GET" and "list-type" not in path and ledger.LEDGER_KEY not in path


@pytest.mark.parametrize("fails", [is_listing, is_second_page, is_upload, is_read_back])
def test_nothing_is_deleted_after_a_failure(
    fails: RequestPredicate, bucket_server: BucketServer, retired_site: FrozenSite, tmp_path: Path
) -> None:
    publish_to_bucket(retired_site.release, bucket_server.bucket)
    before = bucket_server.keys()
    bucket_server.proxy.fails = fails
    bucket_server.proxy.endless = fails is is_second_page
    bucket_server.proxy.requests.clear()
    with pytest.raises(BucketFailed):
        publish_to_bucket(make_next_release(retired_site.release, tmp_path), bucket_server.bucket)
    requests = list(bucket_server.proxy.requests)
    bucket_server.proxy.endless = False
    bucket_server.proxy.fails = no_request

    assert any(fails(*request) for request in requests)
    assert {method for method, _ in requests} <= {"GET", "PUT"}
    assert bucket_server.keys() == before


def test_the_next_publication_completes_a_failed_one(
    bucket_server: BucketServer, retired_site: FrozenSite
) -> None:
    bucket_server.proxy.fails = lambda method, path: is_upload(method, path) and "/blog" in path
    with pytest.raises(BucketFailed):
        publish_to_bucket(retired_site.release, bucket_server.bucket)
    half = bucket_server.keys()
    bucket_server.proxy.fails = no_request
    publish_to_bucket(retired_site.release, bucket_server.bucket)

    assert half < expected_keys(retired_site.release)
    assert bucket_server.keys() == expected_keys(retired_site.release)
    assert published_release(bucket_server) == retired_site.release.folder.name


def test_the_ledger_of_a_failed_publication_lists_no_object_that_may_have_changed(
    bucket_server: BucketServer, retired_site: FrozenSite, tmp_path: Path
) -> None:
    publish_to_bucket(retired_site.release, bucket_server.bucket)
    release = make_next_release(retired_site.release, tmp_path)
    bucket_server.proxy.fails = is_read_back
    with pytest.raises(BucketFailed):
        publish_to_bucket(release, bucket_server.bucket)
    bucket_server.proxy.fails = no_request
    left = read_ledger(bucket_server)
    done = publish_to_bucket(retired_site.release, bucket_server.bucket)

    assert left.release == ""
    assert (
        set(done.uploaded)
        == expected_keys(retired_site.release) - {ledger.LEDGER_KEY} - left.lines.keys()
    )
    assert bucket_server.bucket.read(done.uploaded[0]).attributes["Cache-Control"] != "no-cache"


def test_an_object_replaced_by_another_program_is_uploaded_again(
    bucket_server: BucketServer, retired_site: FrozenSite
) -> None:
    publish_to_bucket(retired_site.release, bucket_server.bucket)
    bucket_server.put("about", b"something else")
    done = publish_to_bucket(retired_site.release, bucket_server.bucket)

    assert done.uploaded == ("about",)


def test_a_bucket_with_foreign_objects_is_not_changed(
    bucket_server: BucketServer, retired_site: FrozenSite
) -> None:
    bucket_server.put("holiday.jpg", b"beach")

    with pytest.raises(ForeignObjects, match="holds 1 objects"):
        publish_to_bucket(retired_site.release, bucket_server.bucket)
    assert bucket_server.keys() == {"holiday.jpg"}


def test_a_file_that_differs_from_the_manifest_is_not_uploaded(
    bucket_server: BucketServer, retired_site: FrozenSite
) -> None:
    first = replace(retired_site.release.documents[0], sha256="0" * 64)
    spoilt = replace(retired_site.release, documents=(first, *retired_site.release.documents[1:]))

    with pytest.raises(DamagedFile, match="was not sent"):
        publish_to_bucket(spoilt, bucket_server.bucket)
    assert published_release(bucket_server) == ""


def test_a_damaged_file_replaces_no_object(
    bucket_server: BucketServer, retired_site: FrozenSite, tmp_path: Path
) -> None:
    publish_to_bucket(retired_site.release, bucket_server.bucket)
    before = bucket_server.keys()
    copy = copy_release(retired_site.release, tmp_path)
    (copy.public / "about.html").write_bytes(b"half of a pa")
    about = replace(copy.by_address["/about"], headers={})
    damaged = replace(copy, documents=(about,))
    with pytest.raises(DamagedFile, match="The file of about"):
        publish_to_bucket(damaged, bucket_server.bucket)

    assert bucket_server.keys() == before
    assert bucket_server.bucket.read("about").body == retired_site.release.file(about)


def swap_case(body: bytes) -> bytes:
    return body.swapcase()


def drop_last_object(body: bytes) -> bytes:
    """Remove the last object from a listing."""
    last = body.rfind(b"<Contents>")
    return body[:last] + body[body.rfind(b"</Contents>") + len(b"</Contents>") :]


@pytest.mark.parametrize(
    ("changes", "spoil", "message"),
    [
        (is_read_back, swap_case, "another digest"),
        (is_listing, drop_last_object, "the listing does not"),
    ],
)
def test_nothing_is_deleted_if_the_bucket_returns_something_else(
    changes: RequestPredicate,
    spoil: Callable[[bytes], bytes],
    message: str,
    bucket_server: BucketServer,
    retired_site: FrozenSite,
    tmp_path: Path,
) -> None:
    publish_to_bucket(retired_site.release, bucket_server.bucket)
    before = bucket_server.keys()
    bucket_server.proxy.changes, bucket_server.proxy.spoil = changes, spoil
    bucket_server.proxy.requests.clear()
    with pytest.raises(UploadDiffers, match=message):
        publish_to_bucket(make_next_release(retired_site.release, tmp_path), bucket_server.bucket)
    bucket_server.proxy.changes = no_request

    assert {method for method, _ in bucket_server.proxy.requests} <= {"GET", "PUT"}
    assert bucket_server.keys() == before


def test_a_failed_deletion_is_an_error_and_the_next_run_repeats_it(
    bucket_server: BucketServer, retired_site: FrozenSite, tmp_path: Path
) -> None:
    publish_to_bucket(retired_site.release, bucket_server.bucket)
    release = make_next_release(retired_site.release, tmp_path)
    bucket_server.proxy.fails = lambda method, path: method == "POST"
    with pytest.raises(BucketFailed, match="Deleting 1 objects"):
        publish_to_bucket(release, bucket_server.bucket)
    half = bucket_server.keys()
    bucket_server.proxy.fails = no_request

    assert REMOVED_KEY in half
    assert publish_to_bucket(release, bucket_server.bucket).deleted == (REMOVED_KEY,)
    assert bucket_server.keys() == expected_keys(release)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"beach",
        b'{"release": "mine", "objects": {}}',
        b'{"format": 0, "release": "mine", "objects": {}}',
    ],
)
def test_an_invalid_ledger_is_a_foreign_object(
    body: bytes, bucket_server: BucketServer, retired_site: FrozenSite
) -> None:
    bucket_server.put("holiday.jpg", b"beach")
    bucket_server.put(ledger.LEDGER_KEY, body)

    with pytest.raises(ForeignObjects, match="of this program"):
        publish_to_bucket(retired_site.release, bucket_server.bucket)
    assert bucket_server.keys() == {"holiday.jpg", ledger.LEDGER_KEY}


def test_errors_of_a_publication_have_one_base() -> None:
    assert all(
        issubclass(one, BucketError)
        for one in (BucketFailed, DamagedFile, UploadDiffers, ForeignObjects)
    )
