"""Build a batch: reuse published documents, and render, write and check the others."""

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import orjson
from msgspec import Struct
from msgspec.structs import replace

from api.envelope import encode_item
from site_mirror.documents.built import Built
from site_mirror.documents.family import Document
from site_mirror.snapshot.batch import Batch, PlannedDocument
from site_mirror.snapshot.cache import CachedBatch
from site_mirror.snapshot.checksums import public_files_of
from site_mirror.snapshot.entries import Entry
from site_mirror.snapshot.errors import FreezeError, NotRendered
from site_mirror.snapshot.evidence import Evidence
from site_mirror.snapshot.published import damaged_files, digest_metadata
from site_mirror.snapshot.published_lines import published_lines
from site_mirror.snapshot.results import BatchResult, BuiltDocument, ResultBuilder
from site_mirror.snapshot.workspace import Workspace
from site_mirror.snapshot.write import RenderedDocument, write_documents

DocumentCheck = Callable[[Document, str], Evidence | None]
"""Examines a document with its `generatedAt` and returns the evidence for the gates."""

CHUNK_DOCUMENTS = 120
"""Documents that are rendered before they are written: more of them would take more memory."""

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


class BuildJob(Struct, frozen=True):
    """A batch to build, in the main process or in a worker."""

    batch: Batch
    workspace: Workspace
    generated_at: str
    check: DocumentCheck
    built: Built

    def run(self) -> BatchResult:
        builder = ResultBuilder()
        for document in self.build_documents():
            builder.add(document)
        result = builder.result(self.batch.digest)
        if not result.digest:
            return result
        files = public_files_of(result.checksums)
        return replace(result, metadata=digest_metadata(self.workspace.staging, files))

    def build_documents(self) -> list[BuiltDocument]:
        """Return the documents of the batch in their planned order."""
        lines = published_lines(self.workspace.published)
        planned = self.batch.plan(self.built)
        published = [lines.entry(each.address) for each in planned]
        reused = [self.reuse_document(*each) for each in zip(planned, published, strict=True)]
        missing = [number for number, document in enumerate(reused) if document is None]
        rendered = self.render_documents(
            [planned[number] for number in missing], [published[number] for number in missing]
        )
        return [document or next(rendered) for document in reused]

    def reuse_document(
        self, planned: PlannedDocument, published: Entry | None
    ) -> BuiltDocument | None:
        """Link the published document if its digest is equal and its files are intact."""
        workspace = self.workspace
        if not (workspace.published and workspace.is_cached and published and planned.digest):
            return None
        if published.inputs != planned.digest:
            return None
        if damaged_files(workspace.published, published.digests):
            return None
        workspace.link_files(published.files)
        return BuiltDocument(published, item=self.read_item(published) if planned.is_item else b"")

    def read_item(self, entry: Entry) -> bytes:
        """Return a reused document as an item of a list."""
        body = Path(self.workspace.public_path(entry.file)).read_bytes()
        return encode_item(orjson.loads(body))

    def render_documents(
        self, planned: Sequence[PlannedDocument], published: Sequence[Entry | None]
    ) -> Iterator[BuiltDocument]:
        render = self.batch.renderer(planned, self.built)
        for start in range(0, len(planned), CHUNK_DOCUMENTS):
            chunk = planned[start : start + CHUNK_DOCUMENTS]
            before = published[start : start + CHUNK_DOCUMENTS]
            documents = map_by_kind(
                chunk,
                attrgetter("kind"),
                lambda each: call_for_address(each.address, render, each),
            )
            sources = [
                RenderedDocument(document, each.digest, entry)
                for document, each, entry in zip(documents, chunk, before, strict=True)
            ]
            written = write_documents(self.workspace, sources, self.generated_at)
            yield from map_by_kind(
                list(zip(sources, written, strict=True)),
                lambda pair: pair[0].document.media_type,
                lambda pair: self.check_document(*pair),
            )

    def check_document(self, source: RenderedDocument, built: BuiltDocument) -> BuiltDocument:
        """Add the evidence of a document, unless it is unchanged and so was checked before."""
        if self.workspace.is_cached and source.published == built.entry:
            return built
        document = source.document
        evidence = call_for_address(document.address, self.check, document, self.generated_at)
        return replace(built, evidence=evidence)


class ReuseJob(Struct, frozen=True):
    """A batch to reuse: all of its files are linked from the published release."""

    cached: CachedBatch
    workspace: Workspace

    def run(self) -> str:
        """Link the files and return the digest of their metadata; empty if one was touched."""
        release, seen = self.workspace.published, self.cached.metadata
        files = self.cached.files_in(release) if release else []
        if release is None or not seen or digest_metadata(release, files) != seen:
            return ""
        # A copy has another inode than the file.
        is_linked = self.workspace.link_files(files)
        return seen if is_linked else digest_metadata(self.workspace.staging, files)


def map_by_kind(
    items: Sequence[ItemT], kind: Callable[[ItemT], Any], make: Callable[[ItemT], ResultT]
) -> list[ResultT]:
    """Return the results in the order of the items, but make those of one kind in sequence.

    This is faster, because the processor's caches keep the code and data of one kind.
    """
    order = sorted(range(len(items)), key=lambda number: kind(items[number]))
    results = {number: make(items[number]) for number in order}
    return [results[number] for number in range(len(items))]


def call_for_address(address: str, make: Callable[..., ResultT], *arguments: Any) -> ResultT:
    """Call a function for a document. Raises a `FreezeError`: other errors become `NotRendered`."""
    try:
        return make(*arguments)
    except FreezeError:
        raise
    except Exception as error:
        raise NotRendered(address, f"{type(error).__name__}: {error}") from error
