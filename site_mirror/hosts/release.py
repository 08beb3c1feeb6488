"""The release that a host serves, read from its manifest."""

from functools import cached_property
from pathlib import Path

from msgspec import Struct

from catalogue import addresses
from site_mirror.snapshot.changes import read_removed
from site_mirror.snapshot.entries import Entry, ErrorBody, Redirect
from site_mirror.snapshot.files import read_file
from site_mirror.snapshot.layout import ERRORS, MANIFEST, PUBLIC, REMOVED
from site_mirror.snapshot.manifest import Manifest, read_whole_manifest

API_SCOPE, SITE_SCOPE, VIETNAMESE_SCOPE = "/api/", "/", addresses.VIETNAMESE_PART
PAGE_TYPE = "text/html"


class ServedRelease(Struct, frozen=True, dict=True):
    """The documents, redirects and errors of a release, and the folder of its files.

    `folder` is an absolute path without symbolic links, as the readers of files require.
    `removed` are addresses that the release before answered and this one does not.
    """

    folder: Path
    root: str
    documents: tuple[Entry, ...]
    redirects: tuple[Redirect, ...]
    errors: tuple[ErrorBody, ...]
    removed: tuple[str, ...] = ()

    @property
    def public(self) -> Path:
        return self.folder / PUBLIC

    @cached_property
    def by_address(self) -> dict[str, Entry]:
        """The document at each address and alias."""
        return {
            address: entry
            for entry in self.documents
            for address in (entry.address, *entry.aliases)
        }

    @cached_property
    def mirrors(self) -> dict[str, Entry]:
        """The mirror of each page, by the page's address."""
        return {
            page.address: self.by_address[addresses.mirror_of(page.address)]
            for page in self.documents
            if is_page(page)
        }

    @cached_property
    def examples(self) -> tuple[Entry, ...]:
        """One document of each kind: hosts treat those of one media type and scope alike."""
        kinds = {
            (entry.media_type, scope_of(entry.address), bool(entry.encodings)): entry
            for entry in reversed(self.documents)  # The first of a kind is its example.
        }
        return tuple(kinds.values())

    @cached_property
    def errors_by_status(self) -> dict[tuple[str, int], ErrorBody]:
        return {(error.scope, error.status): error for error in self.errors}

    @cached_property
    def bodies(self) -> dict[tuple[str, int], bytes]:
        """The bodies of errors, by scope and status."""
        return {
            key: read_file(self.folder, f"{ERRORS}/{error.file}")
            for key, error in self.errors_by_status.items()
        }

    def error(self, scope: str, status: int) -> ErrorBody:
        """Return the error of a scope, or the one of the site or the API if it has none."""
        wider = (scope, SITE_SCOPE) if scope == VIETNAMESE_SCOPE else (scope,)
        found = (self.errors_by_status.get((each, status)) for each in wider)
        return next(filter(None, found), None) or self.errors_by_status[API_SCOPE, status]

    def file(self, entry: Entry) -> bytes:
        return read_file(self.folder, f"{PUBLIC}/{entry.file}")


def read_release(folder: Path) -> ServedRelease:
    """Read the release in a folder into memory.

    Raises `ManifestDamaged`, or an `OSError` for the body of an error that is missing.
    """
    release = release_of_manifest(read_whole_manifest(folder.resolve() / MANIFEST))
    # They are read now, because a file that is missing is found too late by a server.
    _ = release.bodies
    return release


def release_of_manifest(contents: Manifest) -> ServedRelease:
    """Return the release of a manifest, whose files may be elsewhere. Raises `ManifestDamaged`."""
    return ServedRelease(
        folder=contents.path.parent,
        root=contents.site_root,
        documents=tuple(contents.documents),
        redirects=tuple(contents.redirects),
        errors=tuple(contents.errors),
        removed=tuple(read_removed(contents.path.with_name(REMOVED))),
    )


def is_page(entry: Entry) -> bool:
    """Whether a document has a mirror and is negotiated."""
    return entry.media_type.startswith(PAGE_TYPE)


def scope_of(address: str) -> str:
    """Return the scope of an address's errors; that of the OpenAPI document is the API."""
    path = address.partition("?")[0]
    if addresses.is_of_api(path):
        return API_SCOPE
    return VIETNAMESE_SCOPE if addresses.is_of_vietnamese_part(path) else SITE_SCOPE
