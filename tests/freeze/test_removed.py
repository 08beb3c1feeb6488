"""`removed.txt` lists the addresses that the release before answered and this one does not."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from site_mirror.documents.family import Document
from site_mirror.snapshot.entries import Redirect
from tests.freeze import engine
from tests.freeze.engine import make_document

HOME = make_document("/")
API = replace(make_document("/api/v1/apps/x", b"{}"), media_type="application/json")
Site = tuple[tuple[Document, ...], tuple[Redirect, ...]]


def make_redirect(address: str) -> Redirect:
    return replace(engine.MOVED, address=address)


@pytest.mark.parametrize(
    ("before", "now", "gone"),
    [
        (((HOME,), ()), ((HOME, make_document("/a")), ()), []),
        (((HOME, make_document("/b"), make_document("/a")), ()), ((HOME,), ()), ["/a", "/b"]),
        (((HOME, API), ()), ((HOME,), ()), ["/api/v1/apps/x", "/api/v1/apps/x.json"]),
        (((HOME, make_document("/a")), ()), ((HOME,), (make_redirect("/a"),)), []),
        (((HOME,), (make_redirect("/a"),)), ((HOME, make_document("/b")), ()), ["/a"]),
        (((HOME,), (make_redirect("/a"),)), ((HOME, make_document("/a")), ()), []),
        (((HOME,), (make_redirect("/api/v1/apps/x.json"),)), ((HOME, API), ()), []),
    ],
    ids=[
        "a new document",
        "documents that went",
        "a document with an alias",
        "a document that moved",
        "a redirect that ended",
        "a redirect that became a document",
        "a redirect that became an alias",
    ],
)
def test_addresses_that_are_no_longer_answered_are_listed(
    before: Site, now: Site, gone: list[str], tmp_path: Path
) -> None:
    engine.publish(tmp_path, *before[0], redirects=before[1], moment=engine.MOMENT)

    engine.publish(tmp_path, *now[0], redirects=now[1])

    assert (tmp_path / "current/removed.txt").read_text().splitlines() == gone


def test_the_first_release_removes_nothing(tmp_path: Path) -> None:
    engine.publish(tmp_path, HOME)

    assert (tmp_path / "current/removed.txt").read_bytes() == b""


def test_a_report_counts_removed_and_moved_documents(tmp_path: Path) -> None:
    engine.publish(tmp_path, HOME, make_document("/a"), make_document("/b"), API)

    report = engine.publish(tmp_path, HOME, redirects=(make_redirect("/a"),))

    assert (report.removed, report.redirects) == (3, 1)
