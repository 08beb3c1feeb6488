"""Build a batch: reuse published documents, and render, write and check the others."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, TypeVar

import orjson
from msgspec import Struct
from msgspec.structs import replace

from api.envelope import encode_item
from site_mirror.documents.built import Built
from site_mirror.documents.family import Document
from site_mirror.snapshot.batch import Batch, PlannedDocument
from site_mirror.snapshot.cache import link_result, read_result, write_result
from site_mirror.snapshot.checksums import public_files_of
from site_mirror.snapshot.entries import Entry
from site_mirror.snapshot.errors import FreezeError, NotRendered
from site_mirror.snapshot.evidence import Evidence
from site_mirror.snapshot.manifest import index_documents
from site_mirror.snapshot.published import damaged_files, digest_metadata
from site_mirror.snapshot.results import BatchResult, sum_up
from site_mirror.snapshot.workspace import Workspace
from site_mirror.snapshot.write import EncodedDocument, Moment, write_documents

DocumentCheck = Callable[[Document, bytes], Evidence | None]
"""Examines a document with the body of its file and returns the evidence for the gates."""

CHUNK_DOCUMENTS = 120
"""Documents that are rendered before they are written: more of them would take more memory."""

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


class BuildJob(Struct, frozen=True):
    """A batch to build, in the main process or in a worker."""

    batch: Batch
    workspace: Workspace
    now: Moment
    check: DocumentCheck
    built: Built

    def run(self) -> BatchResult:
        result = sum_up(self.build_documents(), self.batch.digest)
        if not result.digest:
            return result
        files = public_files_of(result.checksums)
        result = replace(result, metadata=digest_metadata(self.workspace.staging, files))
        write_result(self.workspace.staging, result)
        return result

    def build_documents(self) -> list[EncodedDocument]:
        index = index_documents(self.workspace.published)
        planned = self.batch.plan()
        found = (index.find(each.address) for each in planned)
        now = self.workspace.now
        published = [entry if entry and entry.generated_at <= now else None for entry in found]
        reused = [self.reuse_document(*each) for each in zip(planned, published, strict=True)]
        missing = [number for number, document in enumerate(reused) if document is None]
        rendered = iter(
            self.render_documents(
                [planned[number] for number in missing], [published[number] for number in missing]
            )
        )
        return [document or next(rendered) for document in reused]

    def reuse_document(
        self, planned: PlannedDocument, published: Entry | None
    ) -> EncodedDocument | None:
        """Link the published document if its digest is equal and its files are intact."""
        workspace = self.workspace
        # Without a valid cache the line of the manifest, and so the digest in it, may be damaged.
        if not (workspace.published and workspace.is_cached and published and planned.digest):
            return None
        if published.inputs != planned.digest:
            return None
        # Read in full: the recorded metadata are those of a whole batch, and this one has changed.
        if damaged_files(workspace.published, published.digests):
            return None
        workspace.link_files(published.files)
        return EncodedDocument(
            published, item=self.read_item(published) if planned.is_item else b""
        )

    def read_item(self, entry: Entry) -> bytes:
        body = self.workspace.find_file(entry.file).read_bytes()
        return encode_item(orjson.loads(body))

    def render_documents(
        self, planned: Sequence[PlannedDocument], published: Sequence[Entry | None]
    ) -> list[EncodedDocument]:
        built = list[EncodedDocument]()
        for start in range(0, len(planned), CHUNK_DOCUMENTS):
            chunk = slice(start, start + CHUNK_DOCUMENTS)
            documents = map_by_kind(
                planned[chunk],
                attrgetter("kind"),
                lambda each: call_for_address(each.address, self.batch.render, each, self.built),
            )
            digests = [each.digest for each in planned[chunk]]
            before = published[chunk]
            written = write_documents(self.workspace, documents, digests, before, self.now)
            built += map_by_kind(
                list(zip(documents, written, before, strict=True)),
                lambda each: each[0].media_type,
                lambda each: self.check_document(*each),
            )
        return built

    def check_document(
        self, document: Document, encoded: EncodedDocument, published: Entry | None
    ) -> EncodedDocument:
        """Add the evidence of a document, unless it is unchanged and so was checked before."""
        evidence = None
        if not (self.workspace.is_cached and published == encoded.entry):
            evidence = call_for_address(document.address, self.check, document, encoded.bodies[0])
        return replace(encoded, bodies=(), evidence=evidence)


class ReuseJob(Struct, frozen=True):
    """A batch to reuse: its files and its stored result are linked from the published release."""

    digest: str
    workspace: Workspace

    def run(self) -> bool:
        """Link the files; return false if there is no result or one of them was touched."""
        workspace, result = self.workspace, read_result(self.workspace.published, self.digest)
        if workspace.published is None or result is None or not result.metadata:
            return False
        files = public_files_of(result.checksums)
        if digest_metadata(workspace.published, files) != result.metadata:
            return False
        workspace.link_files(files)
        link_result(workspace, self.digest)
        return True


def map_by_kind(
    items: Sequence[ItemT], kind: Callable[[ItemT], Any], make: Callable[[ItemT], ResultT]
) -> list[ResultT]:
    """Return the results in the order of the items, but make those of one kind in sequence.

    This is faster, because the processor's caches keep the code and data of one kind.
    """
    # `sorted` is stable, so those of one kind stay in their order.
    order = sorted(range(len(items)), key=lambda number: kind(items[number]))
    results = {number: make(items[number]) for number in order}
    return [results[number] for number in range(len(items))]


def call_for_address(address: str, make: Callable[..., ResultT], *arguments: Any) -> ResultT:
    """Call a function for a document. Raises a `FreezeError`: other errors become `NotRendered`."""
    try:
        return make(*arguments)
    except FreezeError:
        raise
    # A renderer may raise anything; the address is what an editor needs to find the cause.
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise NotRendered(f"{address} cannot be rendered: {reason}.") from error
