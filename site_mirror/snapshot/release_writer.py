"""Write the manifest and the checksums of a release, batch by batch."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO

from msgspec import Struct, field

from api.contract import API_VERSION
from site_mirror.documents.built import Built
from site_mirror.documents.encodings import sha256_hex
from site_mirror.snapshot.checksums import format_checksums
from site_mirror.snapshot.entries import ErrorBody, Redirect, format_line
from site_mirror.snapshot.files import (
    PRIVATE_FOLDER_MODE,
    create_private_file,
    make_folders,
    write_file,
)
from site_mirror.snapshot.layout import BATCHES, CHECKSUMS, ERRORS, MANIFEST
from site_mirror.snapshot.manifest import (
    MANIFEST_FORMAT,
    Contents,
    FirstLine,
    LastLine,
    Place,
)
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

    `files` and `size` are of the public tree. `written` counts new files; `healed` are files that
    were damaged in the published release. `items` has, by family, documents as items of lists.
    """

    workspace: Workspace
    manifest: BinaryIO
    checksums: BinaryIO
    contents: Contents = field(default_factory=lambda: Contents(Place(), Place(), Place()))
    digest: Any = field(default_factory=hashlib.sha256)
    items: dict[str, list[bytes]] = field(default_factory=dict)
    files: int = 0
    size: int = 0
    written: int = 0
    healed: list[str] = field(default_factory=list)

    @property
    def built(self) -> Built:
        """The documents that were added so far."""
        # Copied, because it is sent to the workers with each batch while more items are added.
        items = {family: tuple(each) for family, each in self.items.items()}
        return Built(self.workspace.find_file, items)

    @property
    def sha256(self) -> str:
        """The checksum of the manifest."""
        return str(self.digest.hexdigest())

    def write(self, lines: bytes) -> None:
        self.manifest.write(lines)
        # Computed while it is written: to read 560 MB again for 100,000 posts would take a second.
        self.digest.update(lines)

    def add_lines(self, place: Place, lines: bytes, count: int = 1) -> None:
        """Add lines of a kind to the manifest, those of each kind one after another."""
        if not place.count:
            place.start = self.manifest.tell()
        place.count += count
        self.write(lines)

    def add(self, result: BatchResult) -> None:
        self.healed += result.healed
        self.written += result.written
        self.files += result.files
        self.size += result.size
        for family, items in result.items.items():
            self.items.setdefault(family, []).extend(items)
        self.checksums.write(result.checksums)
        self.add_lines(self.contents.documents, result.lines, result.documents)

    def add_redirects(self, redirects: Iterable[Redirect]) -> None:
        for redirect in redirects:
            self.add_lines(self.contents.redirects, format_line(redirect))

    def add_errors(self, errors: Iterable[ErrorResponse]) -> None:
        for response in errors:
            write_file(f"{self.workspace.staging}/{ERRORS}/{response.file}", response.body)
            size, sha256 = len(response.body), sha256_hex(response.body)
            own = {"Content-Type": response.media_type, "Content-Length": str(size)}
            error = ErrorBody(
                scope=response.scope,
                status=response.status,
                file=response.file,
                media_type=response.media_type,
                headers={**response.headers, **own},
                size=size,
                sha256=sha256,
            )
            self.checksums.write(format_checksums({f"{ERRORS}/{response.file}": sha256}))
            self.add_lines(self.contents.errors, format_line(error))

    def end(self) -> None:
        self.write(format_line(LastLine(self.contents, self.files, self.size)))
        # Last, because the manifest ends with its contents.
        self.checksums.write(format_checksums({MANIFEST: self.sha256}))


@contextmanager
def writing_release(workspace: Workspace, site_root: str) -> Iterator[ReleaseWriter]:
    """Open the files of a release; they are complete if the block ends without an error."""
    folder = workspace.staging
    make_folders(f"{folder}/{BATCHES}", PRIVATE_FOLDER_MODE)
    with (
        create_private_file(folder / MANIFEST) as file,
        create_private_file(folder / CHECKSUMS) as sums,
    ):
        release = ReleaseWriter(workspace, file, sums)
        release.write(format_line(FirstLine(MANIFEST_FORMAT, site_root, API_VERSION)))
        yield release
        release.end()
