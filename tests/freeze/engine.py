"""Freezes by the engine alone, of documents that need neither a database nor a renderer."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec import Struct

from site_mirror.documents.built import Built
from site_mirror.documents.encodings import sha256_hex
from site_mirror.documents.family import Document
from site_mirror.snapshot.batch import PlannedDocument
from site_mirror.snapshot.build import DocumentCheck
from site_mirror.snapshot.entries import Redirect
from site_mirror.snapshot.freeze import Options, SiteContent, freeze
from site_mirror.snapshot.pool import MAIN_PROCESS_POOL, Pool
from site_mirror.snapshot.release_writer import ErrorResponse
from site_mirror.snapshot.report import Report
from site_mirror.snapshot.results import BatchResult
from site_mirror.snapshot.target import Target
from site_mirror.snapshot.verdicts import Verdict
from site_mirror.snapshot.workspace import Candidate

ROOT = "https://studio.example"
MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
LATER = MOMENT + timedelta(days=1)


class PlainBatch(Struct, frozen=True):
    """A batch of documents that are rendered already: each is the subject of its plan."""

    content: Sequence[PlannedDocument]
    is_local: bool = False
    digest: str = ""

    def load(self) -> "PlainBatch":
        return self

    def plan(self) -> Sequence[PlannedDocument]:
        return self.content

    def render(self, planned: PlannedDocument, built: Built) -> Document:
        return planned.subject


def plan_document(document: Document, digest: str = "", kind: str = "") -> PlannedDocument:
    return PlannedDocument(document.address, document.family, document, digest, kind)


def find_nothing(document: Document, body: bytes) -> None:
    """Check a document and find no fault."""


class OpenGates(Struct):
    """Gates that accept every release."""

    check: DocumentCheck = find_nothing

    def collect(self, result: BatchResult) -> None:
        """Collect nothing."""

    def conclude(self, candidate: Candidate) -> Sequence[Verdict]:
        return ()


def make_document(address: str, body: bytes = b"A page.") -> Document:
    return Document(
        family="page",
        address=address,
        media_type="text/html; charset=utf-8",
        headers={"Cache-Control": "max-age=1"},
        content=body,
    )


def make_batch(document: Document, *, with_digests: bool = False) -> PlainBatch:
    """Return a batch of one document; no freeze can reuse one without digests."""
    known = sha256_hex(document.address.encode() + document.body()) if with_digests else ""
    return PlainBatch([plan_document(document, known)], digest=known)


LONG_BODY = b"A sentence that is said again and again. " * 50
FIRST = (
    make_document("/", LONG_BODY),
    make_document("/kept"),
    make_document("/edited"),
    make_document("/removed"),
)
SECOND = (
    make_document("/", LONG_BODY),
    make_document("/kept"),
    make_document("/edited", LONG_BODY),
    make_document("/new/one"),
)
"""The documents of the second release: "/edited" is edited, "/removed" removed, "/new/one" new."""
MOVED = Redirect("/old", "https://studio.example/kept", 308, {"Cache-Control": "max-age=1"})
NOT_FOUND = ErrorResponse("/", 404, "text/markdown", {"Cache-Control": "no-store"}, b"# Not found")


def make_site_content(batches: Iterable[Any], **options: Any) -> SiteContent:
    """Return a site with one redirect and one error body, unless `options` has others."""
    defaults: dict[str, Any] = {"redirects": (MOVED,), "errors": (NOT_FOUND,)}
    return SiteContent(ROOT, options.pop("moment", LATER), tuple(batches), **defaults | options)


def publish(
    target: Path,
    *documents: Document,
    with_digests: bool = False,
    gates: Any = None,
    site: SiteContent | None = None,
    pool: Pool = MAIN_PROCESS_POOL,
    **more: Any,
) -> Report:
    """Freeze documents, one in each batch; `more` are arguments of the site, or options."""
    options = {name: more.pop(name) for name in [*more] if name in Options.__struct_fields__}
    batches = [make_batch(each, with_digests=with_digests) for each in documents]
    site = site or make_site_content(batches, **more)
    with Target(target).locked():
        return freeze(Target(target), site, pool, gates or OpenGates(), Options(**options))


def publish_two_releases(target: Path, **options: Any) -> tuple[str, str]:
    """Publish two releases and return their ids, that of the current one last."""
    first = publish(target, *FIRST, moment=MOMENT, **options)
    return first.release, publish(target, *SECOND, **options).release
