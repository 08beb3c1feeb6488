"""A release as hosts see it: the one place where this package reads a manifest."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from msgspec import Struct

from catalogue import addresses
from site_mirror.snapshot import manifest
from site_mirror.snapshot.entries import Entry, ErrorBody, Redirect
from site_mirror.snapshot.errors import ManifestDamaged
from site_mirror.snapshot.files import body
from site_mirror.snapshot.layout import ERRORS, MANIFEST, PUBLIC, REMOVED
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.removed import read_removed

API, SITE = "/api/", "/"
HTML = "text/html"


class NoRelease(Exception):
    """A folder in which no release lies."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"{folder} has no whole manifest of this program. "
            "Name a release, such as the TARGET/current that “manage.py freeze TARGET” makes."
        )


class Release(Struct, frozen=True, dict=True):
    """What is served at each address, and the folder in which its files lie.

    `folder` is an absolute path without any symbolic link: files of a release are read so.
    `bodies` has those of errors, by scope and status; `removed` are addresses that the release
    before answered and this one does not.
    """

    folder: Path
    root: str
    documents: tuple[Entry, ...]
    redirects: tuple[Redirect, ...]
    errors: tuple[ErrorBody, ...]
    bodies: Mapping[tuple[str, int], bytes]
    removed: tuple[str, ...] = ()

    @property
    def public(self) -> Path:
        return self.folder / PUBLIC

    @cached_property
    def by_address(self) -> dict[str, Entry]:
        """Every address that has a document, aliases included."""
        return {
            address: entry
            for entry in self.documents
            for address in (entry.address, *entry.aliases)
        }

    @cached_property
    def mirrors(self) -> dict[str, Entry]:
        """The Markdown of each page, by the page's address."""
        return {
            page.address: self.by_address[addresses.mirror(page.address)]
            for page in self.documents
            if is_page(page)
        }

    @cached_property
    def examples(self) -> tuple[Entry, ...]:
        """One document of each kind: what a host treats alike is decided alike."""
        kinds = {
            (entry.media_type, scope_of(entry.address), bool(entry.encodings)): entry
            for entry in reversed(self.documents)
        }
        return tuple(kinds.values())

    @cached_property
    def statuses(self) -> dict[tuple[str, int], ErrorBody]:
        return {(error.scope, error.status): error for error in self.errors}

    def known(self, scope: str, status: int) -> ErrorBody | None:
        """What is said where a request failed so; the API's words where the site has none."""
        return self.statuses.get((scope, status)) or self.statuses.get((API, status))

    def error(self, scope: str, status: int) -> ErrorBody:
        return self.statuses.get((scope, status)) or self.statuses[API, status]

    def file(self, entry: Entry) -> bytes:
        return body(self.folder, f"{PUBLIC}/{entry.file}")


def read(folder: Path) -> Release:
    """The release in a folder, whole in memory. Raises `NoRelease`."""
    folder = folder.resolve()
    found = manifest.read(folder / MANIFEST)
    if found is None:
        raise NoRelease(folder)
    try:
        return told(folder, found)
    except (ManifestDamaged, OSError) as error:
        raise NoRelease(folder) from error


def told(folder: Path, found: Manifest) -> Release:
    errors = tuple(found.errors)
    return Release(
        folder=folder,
        root=found.site_root,
        documents=tuple(found.documents),
        redirects=tuple(found.redirects),
        errors=errors,
        bodies={
            (error.scope, error.status): body(folder, f"{ERRORS}/{error.file}") for error in errors
        },
        removed=tuple(read_removed(folder / REMOVED)),
    )


def is_page(entry: Entry) -> bool:
    """Whether a document has a mirror and is negotiated."""
    return entry.media_type.startswith(HTML)


def scope_of(address: str) -> str:
    """The part of the site whose errors an address answers with; its description is the API's."""
    path = address.partition("?")[0]
    return API if path == addresses.OPENAPI or f"{path}/".startswith(API) else SITE
