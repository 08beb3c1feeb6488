"""Addresses that the release before answered, and that this one does not know."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from site_mirror.documents import Document
from site_mirror.snapshot.manifest import Redirect
from tests.freeze import plain
from tests.freeze.plain import document

HOME = document("/")
API = replace(document("/api/v1/apps/x", b"{}"), media_type="application/json")
Site = tuple[tuple[Document, ...], tuple[Redirect, ...]]


def leading(address: str) -> Redirect:
    return replace(plain.MOVED, address=address)


@pytest.mark.parametrize(
    ("before", "now", "gone"),
    [
        (((HOME,), ()), ((HOME, document("/a")), ()), []),
        (((HOME, document("/b"), document("/a")), ()), ((HOME,), ()), ["/a", "/b"]),
        (((HOME, API), ()), ((HOME,), ()), ["/api/v1/apps/x", "/api/v1/apps/x.json"]),
        (((HOME, document("/a")), ()), ((HOME,), (leading("/a"),)), []),
        (((HOME,), (leading("/a"),)), ((HOME, document("/b")), ()), ["/a"]),
        (((HOME,), (leading("/a"),)), ((HOME, document("/a")), ()), []),
        (((HOME,), (leading("/api/v1/apps/x.json"),)), ((HOME, API), ()), []),
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
def test_what_is_no_longer_answered_is_told(
    before: Site, now: Site, gone: list[str], tmp_path: Path
) -> None:
    plain.published(tmp_path, *before[0], redirects=before[1], moment=plain.MOMENT)

    plain.published(tmp_path, *now[0], redirects=now[1])

    assert (tmp_path / "current/removed.txt").read_text().splitlines() == gone


def test_the_first_release_removes_nothing(tmp_path: Path) -> None:
    plain.published(tmp_path, HOME)

    assert (tmp_path / "current/removed.txt").read_bytes() == b""


def test_a_report_counts_the_documents_that_went_and_moved(tmp_path: Path) -> None:
    plain.published(tmp_path, HOME, document("/a"), document("/b"), API)

    report = plain.published(tmp_path, HOME, redirects=(leading("/a"),))

    assert (report.removed, report.redirects) == (3, 1)
