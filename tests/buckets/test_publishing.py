"""A bucket on a real server holds what a release promises, and loses nothing to a failure."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from site_mirror.bucket import ledger
from site_mirror.bucket.errors import BucketError, BucketFailed, Damaged, NotAsSent, NotOurs
from site_mirror.bucket.items import items
from site_mirror.bucket.publishing import publish
from site_mirror.hosts.release import Release
from tests.buckets.servers import Fails, Storage, nowhere
from tests.hosts.conftest import Frozen
from tests.hosts.servers import copied

pytestmark = pytest.mark.server

GONE = "blog"


def later(release: Release, folder: Path) -> Release:
    """The same files under another name: one document fewer, another with a new header."""
    rest = [entry for entry in release.documents if entry.address != f"/{GONE}"]
    first = replace(rest[0], headers={**rest[0].headers, "Cache-Control": "no-cache"})
    return replace(copied(release, folder), documents=(first, *rest[1:]))


def expected(release: Release) -> set[str]:
    return {item.key for item in items(release)} | {ledger.KEY}


def known(server: Storage) -> ledger.Ledger:
    found = ledger.decoded(server.bucket.read(ledger.KEY).body)
    assert found is not None
    return found


def named(server: Storage) -> str:
    return known(server).release


def test_every_address_is_an_object(bucket_server: Storage, retired: Frozen) -> None:
    done = publish(retired.release, bucket_server.bucket)

    assert bucket_server.keys() == expected(retired.release)
    assert {"about", "api/v1/apps", "api/v1/apps.json", "index.html"} <= set(done.uploaded)
    assert named(bucket_server) == retired.release.folder.name


def test_an_object_has_the_headers_of_the_manifest(bucket_server: Storage, retired: Frozen) -> None:
    publish(retired.release, bucket_server.bucket)
    told = retired.release.by_address["/about"].headers
    found = bucket_server.bucket.read("about").attributes

    assert found["Content-Type"] == told["Content-Type"]
    assert found["Cache-Control"] == told["Cache-Control"]
    assert found["etag"] == told["ETag"]
    assert {name.lower() for name in found} == {name.lower() for name in told} - {"content-length"}


def test_a_second_run_sends_nothing(bucket_server: Storage, retired: Frozen) -> None:
    publish(retired.release, bucket_server.bucket)
    bucket_server.way.asked.clear()
    done = publish(retired.release, bucket_server.bucket)

    assert not done.changed
    assert {method for method, _ in bucket_server.way.asked} == {"GET"}


def test_what_changed_is_sent_and_what_is_gone_goes_last(
    bucket_server: Storage, retired: Frozen, tmp_path: Path
) -> None:
    publish(retired.release, bucket_server.bucket)
    bucket_server.way.asked.clear()
    release = later(retired.release, tmp_path)
    done = publish(release, bucket_server.bucket)
    writing = [method for method, _ in bucket_server.way.asked if method != "GET"]

    assert done.deleted == (GONE,)
    assert 0 < len(done.uploaded) < 4
    assert bucket_server.keys() == expected(release)
    assert writing == ["PUT"] * (len(done.uploaded) + 2) + ["POST"]


def test_an_earlier_release_is_published_again(
    bucket_server: Storage, retired: Frozen, tmp_path: Path
) -> None:
    publish(later(retired.release, tmp_path), bucket_server.bucket)
    publish(retired.release, bucket_server.bucket)

    assert bucket_server.keys() == expected(retired.release)
    assert named(bucket_server) == retired.release.folder.name


def a_listing(method: str, path: str) -> bool:
    return "list-type" in path


def the_second_page(method: str, path: str) -> bool:
    return "continuation-token" in path


def an_upload(method: str, path: str) -> bool:
    return method == "PUT" and ledger.KEY not in path


def reading_back(method: str, path: str) -> bool:
    return method == "GET" and "list-type" not in path and ledger.KEY not in path


@pytest.mark.parametrize("fails", [a_listing, the_second_page, an_upload, reading_back])
def test_nothing_is_deleted_after_a_failure(
    fails: Fails, bucket_server: Storage, retired: Frozen, tmp_path: Path
) -> None:
    publish(retired.release, bucket_server.bucket)
    before = bucket_server.keys()
    bucket_server.way.fails = fails
    bucket_server.way.more = fails is the_second_page
    bucket_server.way.asked.clear()
    with pytest.raises(BucketFailed):
        publish(later(retired.release, tmp_path), bucket_server.bucket)
    asked = list(bucket_server.way.asked)
    bucket_server.way.more = False
    bucket_server.way.fails = nowhere

    assert any(fails(*one) for one in asked)
    assert {method for method, _ in asked} <= {"GET", "PUT"}
    assert bucket_server.keys() == before


def test_what_broke_off_is_completed_by_the_next_run(
    bucket_server: Storage, retired: Frozen
) -> None:
    bucket_server.way.fails = lambda method, path: an_upload(method, path) and "/blog" in path
    with pytest.raises(BucketFailed):
        publish(retired.release, bucket_server.bucket)
    half = bucket_server.keys()
    bucket_server.way.fails = nowhere
    publish(retired.release, bucket_server.bucket)

    assert half < expected(retired.release)
    assert bucket_server.keys() == expected(retired.release)
    assert named(bucket_server) == retired.release.folder.name


def test_a_ledger_under_way_claims_nothing_that_may_have_changed(
    bucket_server: Storage, retired: Frozen, tmp_path: Path
) -> None:
    publish(retired.release, bucket_server.bucket)
    release = later(retired.release, tmp_path)
    bucket_server.way.fails = reading_back
    with pytest.raises(BucketFailed):
        publish(release, bucket_server.bucket)
    bucket_server.way.fails = nowhere
    left = known(bucket_server)
    done = publish(retired.release, bucket_server.bucket)

    assert left.release == ""
    assert set(done.uploaded) == expected(retired.release) - {ledger.KEY} - left.lines.keys()
    assert bucket_server.bucket.read(done.uploaded[0]).attributes["Cache-Control"] != "no-cache"


def test_an_object_that_somebody_replaced_is_sent_again(
    bucket_server: Storage, retired: Frozen
) -> None:
    publish(retired.release, bucket_server.bucket)
    bucket_server.put("about", b"something else")
    done = publish(retired.release, bucket_server.bucket)

    assert done.uploaded == ("about",)


def test_a_bucket_of_somebody_else_is_left_alone(bucket_server: Storage, retired: Frozen) -> None:
    bucket_server.put("holiday.jpg", b"beach")

    with pytest.raises(NotOurs, match="holds 1 objects"):
        publish(retired.release, bucket_server.bucket)
    assert bucket_server.keys() == {"holiday.jpg"}


def test_a_file_that_is_not_the_manifests_is_no_release(
    bucket_server: Storage, retired: Frozen
) -> None:
    first = replace(retired.release.documents[0], sha256="0" * 64)
    spoilt = replace(retired.release, documents=(first, *retired.release.documents[1:]))

    with pytest.raises(Damaged, match="was not sent"):
        publish(spoilt, bucket_server.bucket)
    assert named(bucket_server) == ""


def test_a_damaged_file_replaces_nothing(
    bucket_server: Storage, retired: Frozen, tmp_path: Path
) -> None:
    publish(retired.release, bucket_server.bucket)
    before = bucket_server.keys()
    own = copied(retired.release, tmp_path)
    (own.public / "about.html").write_bytes(b"half of a pa")
    about = replace(own.by_address["/about"], headers={})
    damaged = replace(own, documents=(about,))
    with pytest.raises(Damaged, match="The file of about"):
        publish(damaged, bucket_server.bucket)

    assert bucket_server.keys() == before
    assert bucket_server.bucket.read("about").body == retired.release.file(about)


def swapped(body: bytes) -> bytes:
    return body.swapcase()


def shortened(body: bytes) -> bytes:
    """A listing that lacks its last object and does not say so."""
    last = body.rfind(b"<Contents>")
    return body[:last] + body[body.rfind(b"</Contents>") + len(b"</Contents>") :]


@pytest.mark.parametrize(
    ("changes", "spoil", "told"),
    [(reading_back, swapped, "another digest"), (a_listing, shortened, "the listing does not")],
)
def test_nothing_is_deleted_where_the_bucket_tells_something_else(
    changes: Fails,
    spoil: Callable[[bytes], bytes],
    told: str,
    bucket_server: Storage,
    retired: Frozen,
    tmp_path: Path,
) -> None:
    publish(retired.release, bucket_server.bucket)
    before = bucket_server.keys()
    bucket_server.way.changes, bucket_server.way.spoil = changes, spoil
    bucket_server.way.asked.clear()
    with pytest.raises(NotAsSent, match=told):
        publish(later(retired.release, tmp_path), bucket_server.bucket)
    bucket_server.way.changes = nowhere

    assert {method for method, _ in bucket_server.way.asked} <= {"GET", "PUT"}
    assert bucket_server.keys() == before


def test_a_deletion_that_fails_is_told_and_done_by_the_next_run(
    bucket_server: Storage, retired: Frozen, tmp_path: Path
) -> None:
    publish(retired.release, bucket_server.bucket)
    release = later(retired.release, tmp_path)
    bucket_server.way.fails = lambda method, path: method == "POST"
    with pytest.raises(BucketFailed, match="Deleting 1 objects"):
        publish(release, bucket_server.bucket)
    half = bucket_server.keys()
    bucket_server.way.fails = nowhere

    assert GONE in half
    assert publish(release, bucket_server.bucket).deleted == (GONE,)
    assert bucket_server.keys() == expected(release)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"beach",
        b'{"release": "mine", "objects": {}}',
        b'{"format": 0, "release": "mine", "objects": {}}',
    ],
)
def test_a_ledger_of_somebody_else_is_none(
    body: bytes, bucket_server: Storage, retired: Frozen
) -> None:
    bucket_server.put("holiday.jpg", b"beach")
    bucket_server.put(ledger.KEY, body)

    with pytest.raises(NotOurs, match="of this program"):
        publish(retired.release, bucket_server.bucket)
    assert bucket_server.keys() == {"holiday.jpg", ledger.KEY}


def test_errors_have_one_base() -> None:
    assert all(issubclass(one, BucketError) for one in (BucketFailed, Damaged, NotAsSent, NotOurs))
