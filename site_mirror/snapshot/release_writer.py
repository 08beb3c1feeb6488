"""Write the manifest and the checksums of a release, batch by batch."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import BinaryIO

from msgspec import Struct, field

from api.contract import API_VERSION
from site_mirror.documents.built import Built
from site_mirror.documents.encodings import sha256_hex
from site_mirror.snapshot import checksums, lines
from site_mirror.snapshot.cache import ItemsWriter, writing_items
from site_mirror.snapshot.entries import ErrorBody, Redirect
from site_mirror.snapshot.files import create_private_file, write_file
from site_mirror.snapshot.layout import CHECKSUMS, ERRORS, MANIFEST
from site_mirror.snapshot.manifest_writer import ManifestWriter, writing_manifest
from site_mirror.snapshot.results import BatchResult
from site_mirror.snapshot.workspace import Workspace


class ErrorResponse(Struct, frozen=True):
    """The response to a request that failed below a scope."""

    scope: str
    status: int
    media_type: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def file(self) -> str:
        """`/api/` and 404 → `api/404.json`; `/` and 404 → `404.md`."""
        suffix = "json" if self.media_type.endswith("json") else "md"
        return f"{self.scope}{self.status}.{suffix}".lstrip("/")


class ReleaseWriter(Struct):
    """A release that is being staged.

    `written` counts new files; `healed` are files that were damaged in the published release.
    """

    workspace: Workspace
    manifest: ManifestWriter
    checksums: BinaryIO
    items: ItemsWriter
    written: int = 0
    healed: list[str] = field(default_factory=list)

    def add(self, result: BatchResult) -> None:
        self.healed += result.healed
        self.written += result.written
        self.manifest.files += result.files
        self.manifest.size += result.size
        self.items.add(result)
        self.checksums.write(result.checksums)
        self.manifest.extend("documents", result.lines, result.documents, result.profiles)

    def built(self) -> Built:
        return self.items.built()

    def add_redirects(self, redirects: Iterable[Redirect]) -> None:
        self.manifest.begin("redirects")
        for redirect in redirects:
            self.manifest.add("redirects", lines.redirect_line(redirect))

    def add_errors(self, errors: Iterable[ErrorResponse]) -> None:
        self.manifest.begin("errors")
        for response in errors:
            error = write_error_body(self.workspace, response)
            self.checksums.write(checksums.format_checksums(ERRORS, {error.file: error.sha256}))
            self.manifest.add("errors", lines.error_line(error))


def write_error_body(workspace: Workspace, response: ErrorResponse) -> ErrorBody:
    write_file(f"{workspace.staging}/{ERRORS}/{response.file}", response.body)
    size = {"Content-Type": response.media_type, "Content-Length": str(len(response.body))}
    return ErrorBody(
        scope=response.scope,
        status=response.status,
        file=response.file,
        media_type=response.media_type,
        headers={**response.headers, **size},
        size=len(response.body),
        sha256=sha256_hex(response.body),
    )


@contextmanager
def writing_release(workspace: Workspace, site_root: str) -> Iterator[ReleaseWriter]:
    """Open the files of a release; they are complete if the block ends without an error."""
    folder = workspace.staging
    with create_private_file(folder / CHECKSUMS) as sums, writing_items(folder) as items:
        with writing_manifest(folder / MANIFEST, site_root, API_VERSION) as manifest:
            manifest.begin("documents")
            yield ReleaseWriter(workspace, manifest, sums, items)
        # Last, because the manifest ends with its contents.
        sums.write(checksums.format_checksum(MANIFEST, manifest.sha256))
